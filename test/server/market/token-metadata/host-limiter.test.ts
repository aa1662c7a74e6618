import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HostLimiter } from "../../../../server/market/token-metadata/reader.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a host gets eight concurrent calls, and the ninth waits", async () => {
  const hosts = new HostLimiter();
  for (let call = 0; call < 8; call++) expect(await hosts.acquire("a.example")).toBe(true);
  let isTaken = false;
  const ninth = hosts.acquire("a.example").then(() => {
    isTaken = true;
  });
  await Promise.resolve();
  expect(isTaken).toBe(false);
  expect(await hosts.acquire("b.example")).toBe(true);
  hosts.release("a.example", { isSilent: false });
  await ninth;
});

/** Consecutive calls without a response. */
async function fail(hosts: HostLimiter, times: number): Promise<void> {
  for (let call = 0; call < times; call++) {
    await hosts.acquire("a.example");
    hosts.release("a.example", { isSilent: true });
  }
}

test.each([
  [7, true],
  [8, false],
])("after %i calls without a response a host is called: %s", async (failures, isCalled) => {
  const hosts = new HostLimiter();
  await fail(hosts, failures);
  expect(await hosts.acquire("a.example")).toBe(isCalled);
});

test("one response in between resets the count", async () => {
  const hosts = new HostLimiter();
  await fail(hosts, 7);
  await hosts.acquire("a.example");
  hosts.release("a.example", { isSilent: false });
  await fail(hosts, 7);
  expect(await hosts.acquire("a.example")).toBe(true);
});

test.each([
  [59_999, false],
  [60_000, true],
  [60_001, true],
])("%i ms after it was paused a host is called: %s", async (ms, isCalled) => {
  const hosts = new HostLimiter();
  await fail(hosts, 8);
  vi.advanceTimersByTime(ms);
  expect(await hosts.acquire("a.example")).toBe(isCalled);
});

test("a paused host is not called, not even by calls that were waiting", async () => {
  const hosts = new HostLimiter();
  await fail(hosts, 7);
  for (let call = 0; call < 8; call++) await hosts.acquire("a.example");
  const waiting = [hosts.acquire("a.example"), hosts.acquire("a.example")];
  hosts.release("a.example", { isSilent: true });
  expect(await Promise.all(waiting)).toEqual([false, false]);
  expect(await hosts.acquire("a.example")).toBe(false);
  expect(await hosts.acquire("b.example")).toBe(true);
});

test("after a pause, eight failures pause a host again", async () => {
  const hosts = new HostLimiter();
  await fail(hosts, 8);
  vi.advanceTimersByTime(60_000);
  await fail(hosts, 7);
  expect(await hosts.acquire("a.example")).toBe(true);
  hosts.release("a.example", { isSilent: true });
  expect(await hosts.acquire("a.example")).toBe(false);
});

test.each([
  [9_998, 7, false],
  [9_999, 7, true],
])(
  "with %i other hosts, the failures of a host are forgotten: %s",
  async (others, failures, areForgotten) => {
    const hosts = new HostLimiter();
    await fail(hosts, failures);
    for (let other = 0; other < others; other++) {
      await hosts.acquire(`${other}.example`);
      hosts.release(`${other}.example`, { isSilent: true });
    }
    // One host more than fits.
    await hosts.acquire("last.example");
    await fail(hosts, 1);
    expect(await hosts.acquire("a.example")).toBe(areForgotten);
  },
);
