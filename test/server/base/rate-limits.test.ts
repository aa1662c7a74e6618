import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openRateLimits, type RateLimits } from "../../../server/base/rate-limits.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(rateLimitAddress: number, rateLimitProject = 1_000_000): Promise<RateLimits> {
  return openRateLimits({ rateLimitAddress, rateLimitProject, redisUrl: undefined, log: () => {} });
}

/** Returns how many calls of an address pass, out of more than any limit allows. */
async function passing(limits: RateLimits): Promise<number> {
  let calls = 0;
  for (; calls < 200; calls++) if ((await limits.countAddress("192.0.2.1")) !== undefined) break;
  return calls;
}

test("calls above the limit are rejected until the minute is over", async () => {
  const limits = await open(3);
  expect(await passing(limits)).toBe(3);
  const refused = { limit: "address", calls: 3 };
  expect(await limits.countAddress("192.0.2.1")).toEqual({ ...refused, waitSeconds: 60 });
  vi.advanceTimersByTime(59_999);
  expect(await limits.countAddress("192.0.2.1")).toEqual({ ...refused, waitSeconds: 1 });
  vi.advanceTimersByTime(1);
  expect(await passing(limits)).toBe(3);
});

test.each([
  [0, 60],
  [1, 60],
  [999, 60],
  [1_000, 59],
  [58_999, 2],
  [59_000, 1],
  [59_999, 1],
])(
  "%i ms into its minute, a caller above the limit must wait %i seconds, and not less",
  async (ms, seconds) => {
    const limits = await open(1);
    await limits.countAddress("192.0.2.1");
    vi.advanceTimersByTime(ms);
    expect(await limits.countAddress("192.0.2.1")).toMatchObject({ waitSeconds: seconds });
  },
);

test("rejected credentials count as ten calls in total", async () => {
  const limits = await open(30);
  await limits.countAddress("192.0.2.1");
  await limits.countRejectedCredentials("192.0.2.1");
  expect(await passing(limits)).toBe(20);
});

test.each([
  [16_383, 0],
  [16_384, 1],
  [32_767, 1],
  [32_768, 2],
  [1_048_576, 64],
])("a body of %i bytes counts as %i further calls", async (bytes, calls) => {
  const limits = await open(100);
  await limits.countAddress("192.0.2.1");
  await limits.countBody("192.0.2.1", bytes);
  expect(await passing(limits)).toBe(99 - calls);
});

test.each([
  [90, 1],
  [91, 0],
  [92, 0],
])("after %i calls of 100, a call that counts as 10 leaves %i", async (before, left) => {
  const limits = await open(100);
  for (let call = 0; call < before; call++) await limits.countAddress("192.0.2.1");
  await limits.countFurther("192.0.2.1", 9);
  expect(await passing(limits)).toBe(left);
});

describe("an address with one key may use a tenth of its project's calls", () => {
  test.each([
    [1, 1],
    [10, 1],
    [19, 1],
    [20, 2],
    [6_000, 600],
  ])("of %i a minute: %i", async (rateLimitProject, share) => {
    const limits = await open(1_000_000, rateLimitProject);
    const call = { projectId: 1001, accessKey: "key", address: "192.0.2.1" };
    for (let calls = 0; calls < share; calls++) expect(await limits.countProject(call)).toBeUndefined();
    const used = await limits.countProject(call);
    expect(used).toMatchObject({ limit: "address-and-key", calls: share });
  });
});
