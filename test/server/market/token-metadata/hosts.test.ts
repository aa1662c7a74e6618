import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Hosts } from "../../../../server/market/token-metadata/hosts.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a host gets eight calls at once, and the ninth waits for the end of one", async () => {
  const hosts = new Hosts();
  for (let call = 0; call < 8; call++) expect(await hosts.take("a.example")).toBe(true);
  let isTaken = false;
  const ninth = hosts.take("a.example").then(() => {
    isTaken = true;
  });
  await Promise.resolve();
  expect(isTaken).toBe(false);
  expect(await hosts.take("b.example")).toBe(true);
  hosts.release("a.example", { isSilent: false });
  await ninth;
});

/** Calls one after the other that get no answer. */
async function fail(hosts: Hosts, times: number): Promise<void> {
  for (let call = 0; call < times; call++) {
    await hosts.take("a.example");
    hosts.release("a.example", { isSilent: true });
  }
}

test.each([
  [7, true],
  [8, false],
])("after %i calls without an answer a host is called: %s", async (failures, isCalled) => {
  const hosts = new Hosts();
  await fail(hosts, failures);
  expect(await hosts.take("a.example")).toBe(isCalled);
});

test("one answer between them begins the count again", async () => {
  const hosts = new Hosts();
  await fail(hosts, 7);
  await hosts.take("a.example");
  hosts.release("a.example", { isSilent: false });
  await fail(hosts, 7);
  expect(await hosts.take("a.example")).toBe(true);
});

test.each([
  [59_999, false],
  [60_000, true],
  [60_001, true],
])("%i ms after it began to rest a host is called: %s", async (ms, isCalled) => {
  const hosts = new Hosts();
  await fail(hosts, 8);
  vi.advanceTimersByTime(ms);
  expect(await hosts.take("a.example")).toBe(isCalled);
});
