import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CredentialCache, cacheCredentials } from "../../../../server/base/credentials/credentials.ts";

let asked: string[] = [];
let memory: CredentialCache;
let whileAsked: () => void = () => {};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  asked = [];
  whileAsked = () => {};
  const row = {
    projectId: 1001,
    prefix: "AQAA",
    isDisabled: false,
    isProjectDisabled: false,
    expiresAt: null,
    services: [],
    origins: [],
  };
  memory = cacheCredentials(
    {
      accessKey: async (hash) => {
        asked.push(hash.toString());
        whileAsked();
        return row;
      },
      secretKey: async () => undefined,
    },
    () => true,
  );
});
afterEach(() => {
  vi.useRealTimers();
});

const find = (key: string): Promise<unknown> => memory.accessKey(Buffer.from(key));

test.each([
  [29_999, 1],
  [30_000, 2],
  [30_001, 2],
])("a row is trusted for 30 s: after %i ms it was queried %i times", async (ms, times) => {
  await find("a");
  vi.advanceTimersByTime(ms);
  await find("a");
  expect(asked).toHaveLength(times);
});

test.each([
  [19_999, 1],
  [20_000, 2],
])("20,000 rows are cached: after %i others the first was queried %i times", async (others, times) => {
  await find("first");
  for (let other = 0; other < others; other++) await find(`other ${other}`);
  await find("first");
  expect(asked.filter((key) => key === "first")).toHaveLength(times);
});

test.each<[string, (cache: CredentialCache) => void, number]>([
  ["of its project", (cache) => cache.invalidateProject(1001), 2],
  ["that was not named", (cache) => cache.invalidateAll(), 2],
  ["of nothing", () => {}, 1],
])("a row that was read during a change %s is not trusted", async (_, change, times) => {
  whileAsked = () => change(memory);
  await find("a");
  whileAsked = () => {};
  await find("a");
  expect(asked).toHaveLength(times);
});
