import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BudgetExhausted } from "../../../../server/chain/rpc/nodes/faults.ts";
import {
  MeteredNodes,
  noNodeEvents,
  type RefusalCounts,
  RefusalRate,
} from "../../../../server/chain/rpc/nodes/metered-nodes.ts";
import { NodeBudget, type Share } from "../../../../server/chain/rpc/nodes/node-budget.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Keeps this many requests waiting, and counts those that were sent. */
function flood(budget: NodeBudget, share: Share, method = "eth_call"): { sent: number } {
  const counted = { sent: 0 };
  const send = async (): Promise<void> => {
    for (;;) {
      await budget.take(share, method);
      counted.sent++;
    }
  };
  for (let sender = 0; sender < 20; sender++) void send();
  return counted;
}

async function sentIn(counted: { sent: number }, ms: number): Promise<number> {
  const before = counted.sent;
  await vi.advanceTimersByTimeAsync(ms);
  return counted.sent - before;
}

test.each<[Share]>([["calls"], ["follower"], ["background"]])(
  "alone, %s have the whole rate",
  async (share) => {
    const counted = flood(new NodeBudget({ maxPerSecond: 20 }), share);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await sentIn(counted, 10_000)).toBeGreaterThanOrEqual(195);
    expect(await sentIn(counted, 10_000)).toBeLessThanOrEqual(201);
  },
);

test("calls have half of the rate, the follower and other work a quarter each", async () => {
  const budget = new NodeBudget({ maxPerSecond: 40 });
  const sent = (["calls", "follower", "background"] as const).map((share) => flood(budget, share));
  await vi.advanceTimersByTimeAsync(2_000);
  const counts = await Promise.all(sent.map((one) => one.sent));
  await vi.advanceTimersByTimeAsync(10_000);
  const [calls = 0, follower = 0, background = 0] = sent.map((one, index) => one.sent - (counts[index] ?? 0));
  expect(calls).toBeGreaterThanOrEqual(198);
  expect(follower).toBeGreaterThanOrEqual(98);
  expect(background).toBeGreaterThanOrEqual(98);
  expect(calls + follower + background).toBeLessThanOrEqual(402);
});

test("a call is sent at once while the follower waits, even if the follower's requests are heavy", async () => {
  const budget = new NodeBudget({ maxPerSecond: 25, weights: { eth_getLogs: 75 } });
  const follower = flood(budget, "follower", "eth_getLogs");
  await vi.advanceTimersByTimeAsync(10_000);
  // 25 a second are one request of weight 75 in three seconds.
  expect(follower.sent).toBeGreaterThanOrEqual(3);
  expect(follower.sent).toBeLessThanOrEqual(4);
  expect(budget.isFree("follower")).toBe(false);
  expect(budget.isFree("calls")).toBe(true);
  let isSent = false;
  void budget.take("calls", "eth_call").then(() => {
    isSent = true;
  });
  await Promise.resolve();
  expect(isSent).toBe(true);
});

test.each([
  [7, 7],
  [8, 7],
  [9, 7],
])("after a quiet time, of %i calls at once %i are sent", async (calls, sent) => {
  // Half a second of half of 28 a second.
  const budget = new NodeBudget({ maxPerSecond: 28 });
  let count = 0;
  for (let call = 0; call < calls; call++) void budget.take("calls", "eth_call").then(() => count++);
  await Promise.resolve();
  expect(count).toBe(sent);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(count).toBe(calls);
});

test("without a limit, requests never wait", async () => {
  const budget = new NodeBudget();
  await Promise.all(Array.from({ length: 10_000 }, () => budget.take("calls", "eth_call")));
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  [999, true],
  [1_000, false],
  [1_001, false],
])("a request that waits %i ms for at most 1000 ms is sent: %s", async (waitMs, isSent) => {
  const budget = new NodeBudget();
  budget.backOff(waitMs);
  const taken = budget.take("calls", "eth_call", { maxWaitMs: 1_000 }).then(
    () => true,
    (err: unknown) => (err instanceof BudgetExhausted ? false : err),
  );
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await taken).toBe(isSent);
});

test.each([
  [7_999, 7_999],
  [8_000, 8_000],
  [8_001, 8_000],
  [3_600_000, 8_000],
])("a node that refuses for %i ms gets no request for %i ms", async (asked, backOffMs) => {
  const budget = new NodeBudget();
  budget.backOff(asked);
  let isSent = false;
  void budget.take("calls", "eth_call").then(() => {
    isSent = true;
  });
  await vi.advanceTimersByTimeAsync(backOffMs - 1);
  expect(isSent).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isSent).toBe(true);
});

test.each([50, 250])("a caller with %i requests at a time does not hold up another one", async (noisy) => {
  const budget = new NodeBudget({ maxPerSecond: 25 });
  const repeat = async (): Promise<void> => {
    for (;;)
      await budget.take("calls", "eth_call", { maxWaitMs: 8_000, caller: "project 1" }).catch(() => {});
  };
  for (let request = 0; request < noisy; request++) void repeat();
  await vi.advanceTimersByTimeAsync(10_000);
  const waits: number[] = [];
  const ask = async (): Promise<void> => {
    for (let call = 0; call < 10; call++) {
      const askedAt = performance.now();
      await budget.take("calls", "eth_call", { maxWaitMs: 8_000, caller: "project 2" });
      waits.push(performance.now() - askedAt);
    }
  };
  void ask();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(waits).toHaveLength(10);
  // A turn of each caller, at 25 a second.
  expect(Math.max(...waits)).toBeLessThanOrEqual(2 * 40);
});

test("requests of one caller are sent in their order, and callers take turns", async () => {
  const budget = new NodeBudget({ maxPerSecond: 1 });
  await budget.take("calls", "eth_call");
  const sent: string[] = [];
  for (const name of ["a1", "a2", "a3", "b1", "c1", "b2"])
    void budget.take("calls", "eth_call", { caller: name[0] }).then(() => sent.push(name));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("a request that is aborted no longer waits, and takes nothing", async () => {
  const budget = new NodeBudget({ maxPerSecond: 1 });
  await budget.take("calls", "eth_call");
  const caller = new AbortController();
  const taken = budget.take("calls", "eth_call", { signal: caller.signal });
  caller.abort(new Error("gone"));
  await expect(taken).rejects.toThrow("gone");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(budget.isFree("calls")).toBe(true);
});

test.each([
  [97, 3, []],
  [96, 4, [{ refused: 4, sent: 100, reason: "refusal 3" }]],
])("a minute with %i responses and %i refusals is reported as %j", async (good, refused, reported) => {
  const reports: RefusalCounts[] = [];
  const rate = new RefusalRate((counts) => reports.push(counts));
  const act = (reason?: string): void => {
    rate.sent();
    if (reason !== undefined) rate.refused(reason);
  };
  for (let request = 0; request < refused; request++) act(`refusal ${request}`);
  for (let request = 0; request < good; request++) act();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports).toEqual(reported);
  // The next minute starts with nothing.
  act();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports).toEqual(reported);
});

test.each([[25], [undefined]])(
  "many refusals are reported with maxPerSecond %s and the last reason",
  async (maxPerSecond) => {
    const reported: unknown[] = [];
    const meteredNodes = new MeteredNodes({
      ...noNodeEvents,
      refusedOften: (...event) => void reported.push(event),
    });
    const settings = { url: "http://a.example", ...(maxPerSecond === undefined ? {} : { maxPerSecond }) };
    const [node] = meteredNodes.of({ chainId: 1, name: "mainnet", nodes: [settings] });
    const sent = await node?.take("calls", "eth_call", {});
    sent?.({ retryAfterMs: undefined }, "HTTP 429: daily request count exceeded");
    await vi.advanceTimersByTimeAsync(60_000);
    const counts = { refused: 1, sent: 1, reason: "HTTP 429: daily request count exceeded" };
    expect(reported).toEqual([["mainnet", 0, { ...counts, maxPerSecond }]]);
  },
);

test.each([
  [undefined, 250],
  [1_000, 1_000],
  [60_000, 8_000],
])("a refusal with Retry-After %s ms stops requests to the node for %i ms", async (retryAfterMs, ms) => {
  const [node] = new MeteredNodes().of({ chainId: 1, name: "mainnet", nodes: [{ url: "http://a.example" }] });
  const noteRefusal = await node?.take("calls", "eth_call", {});
  noteRefusal?.({ retryAfterMs }, "HTTP 429");
  let isSent = false;
  void node?.take("follower", "eth_call", {}).then(() => {
    isSent = true;
  });
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(isSent).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isSent).toBe(true);
});

test("a used-up budget is reported once a minute", async () => {
  const reported: unknown[] = [];
  const meteredNodes = new MeteredNodes({
    ...noNodeEvents,
    budgetExhausted: (...event) => void reported.push(event),
  });
  const [node] = meteredNodes.of({
    chainId: 1,
    name: "mainnet",
    nodes: [{ url: "http://a.example", maxPerSecond: 0.1, weights: { eth_getLogs: 10_000 } }],
  });
  await node?.take("calls", "eth_getLogs", {});
  const fail = async (): Promise<void> => {
    const taken = node?.take("calls", "eth_call", { maxWaitMs: 1_000 });
    await Promise.all([expect(taken).rejects.toThrow(BudgetExhausted), vi.advanceTimersByTimeAsync(1_000)]);
  };
  await fail();
  await fail();
  expect(reported).toEqual([["mainnet", 0, 0.1]]);
  await vi.advanceTimersByTimeAsync(60_000);
  await fail();
  expect(reported).toHaveLength(2);
});
