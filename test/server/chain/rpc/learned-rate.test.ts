import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type MeteredNode, MeteredNodes } from "../../../../server/chain/rpc/nodes/metered-nodes.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

beforeEach(() => {
  // The time of `performance.now()` starts at 0.
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether a node accepts a request of this weight now. */
type Accepts = (weight: number) => boolean;

const random: { current: Random } = { current: seededRandom(1) };
beforeEach(() => {
  random.current = seededRandom(1);
});

/** A token bucket that holds the tokens of some seconds. */
function bucket(perSecond: () => number, seconds = 1): Accepts {
  let [tokens, filledAt] = [perSecond() * seconds, 0];
  return (weight) => {
    const now = performance.now();
    tokens = Math.min(perSecond() * seconds, tokens + ((now - filledAt) / 1_000) * perSecond());
    filledAt = now;
    if (tokens < weight) return false;
    tokens -= weight;
    return true;
  };
}

/** Counts the requests of each second. */
function countedBySecond(perSecond: number): Accepts {
  let [second, count] = [-1, 0];
  return (weight) => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, count] = [now, 0];
    count += weight;
    return count <= perSecond;
  };
}

const always: Accepts = () => true;
const atRandom =
  (percent: number, accepts: Accepts = always): Accepts =>
  (weight) =>
    accepts(weight) && !random.current.chance(percent);

interface Counts {
  accepted: number;
  refused: number;
}

interface Options {
  readonly workers?: number;
  /** Pause of each worker after a response, in milliseconds. */
  readonly pauseMs?: number;
  readonly latencyMs?: number;
  readonly maxPerSecond?: number;
  readonly weights?: Readonly<Record<string, number>>;
  readonly retryAfterMs?: number;
}

/** Workers that ask a node for one thing after another, and repeat refused requests like the host does. */
function load(
  accepts: Accepts,
  { workers = 16, pauseMs = 0, latencyMs = 20, maxPerSecond, weights = {}, retryAfterMs }: Options = {},
) {
  const limit = maxPerSecond === undefined ? {} : { maxPerSecond };
  const budgets = new MeteredNodes();
  const nodes = [{ url: "http://a.example", weights, ...limit }];
  const [node] = budgets.of({ chainId: 1, name: "mainnet", nodes });
  const counts: Counts = { accepted: 0, refused: 0 };
  const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
  const work = async (): Promise<void> => {
    for (let round = 1; ; ) {
      const sent = await (node as MeteredNode).take("follower", "eth_call", {});
      await pause(latencyMs / 2);
      const isAccepted = accepts(weights["eth_call"] ?? 1);
      await pause(latencyMs / 2);
      if (isAccepted) {
        sent.accepted();
        counts.accepted++;
        round = 1;
        if (pauseMs > 0) await pause(pauseMs);
      } else {
        sent.refused({ retryAfterMs }, "HTTP 429");
        counts.refused++;
        await pause(25 * 2 ** (round - 1));
        round = round % 7 === 0 ? 1 : round + 1;
      }
    }
  };
  for (let worker = 0; worker < workers; worker++) void work();
  return {
    budgets,
    /** Requests a second, and the percentage that is refused. */
    async during(seconds: number): Promise<{ readonly perSecond: number; readonly refused: number }> {
      const before = { ...counts };
      await vi.advanceTimersByTimeAsync(seconds * 1_000);
      const [accepted, refused] = [counts.accepted - before.accepted, counts.refused - before.refused];
      return { perSecond: accepted / seconds, refused: (refused / (accepted + refused)) * 100 };
    },
    get rate(): number | undefined {
      return budgets.learnedRates[0]?.perSecond;
    },
  };
}

test.each<[string, minPerSecond: number, Accepts, Options?]>([
  ["a bucket of one second", 23, bucket(() => 25)],
  ["a bucket of ten seconds", 23, bucket(() => 25, 10)],
  ["a bucket of a tenth of a second", 23, bucket(() => 25, 0.1)],
  ["a count by the second", 21, countedBySecond(25)],
  // The host waits for as long as the node asks, whatever rate it has learned.
  ["a count by the second, and Retry-After", 15, countedBySecond(25), { retryAfterMs: 1_000 }],
  ["a high limit", 230, bucket(() => 250)],
  ["weights", 23, bucket(() => 1_850), { weights: { eth_call: 74 } }],
])(
  "a node with %s is used almost up to its limit, and refuses little",
  async (_, minPerSecond, accepts, options) => {
    const node = load(accepts, options);
    await node.during(15);
    const { perSecond, refused } = await node.during(30);
    expect(perSecond).toBeGreaterThan(minPerSecond);
    expect(refused).toBeLessThan(5);
  },
);

test("a limit that is raised is found again within a minute", async () => {
  let limit = 25;
  const node = load(bucket(() => limit));
  await node.during(30);
  limit = 50;
  await node.during(55);
  expect((await node.during(5)).perSecond).toBeGreaterThan(45);
});

test("a limit that is lowered is found within seconds", async () => {
  let limit = 100;
  const node = load(bucket(() => limit));
  await node.during(30);
  limit = 25;
  await node.during(10);
  const { perSecond, refused } = await node.during(30);
  expect(perSecond).toBeGreaterThan(22);
  expect(refused).toBeLessThan(5);
});

test.each([
  { percent: 10, pauseMs: 200 },
  { percent: 50, pauseMs: 200 },
  { percent: 10, pauseMs: 800 },
  { percent: 50, pauseMs: 800 },
])(
  "$percent % of refusals at random hardly slow down workers with pauses of $pauseMs ms",
  async ({ percent, pauseMs }) => {
    const free = await load(atRandom(percent), { pauseMs, maxPerSecond: 1_000_000 }).during(30);
    const { perSecond } = await load(atRandom(percent), { pauseMs }).during(30);
    expect(perSecond).toBeGreaterThan(free.perSecond * 0.75);
  },
);

test("a node with a limit that also refuses 10 % at random is used", async () => {
  const node = load(
    atRandom(
      10,
      bucket(() => 25),
    ),
  );
  await node.during(15);
  const { perSecond, refused } = await node.during(60);
  expect(perSecond).toBeGreaterThan(15);
  expect(refused).toBeLessThan(25);
});

test.each([5, 16, 40])(
  "what a slow node accepts by chance of %i workers is not taken for a low limit",
  async (workers) => {
    const node = load(atRandom(50), { workers, latencyMs: 400 });
    let lowest = Number.POSITIVE_INFINITY;
    for (let second = 0; second < 120; second++) {
      await node.during(1);
      lowest = Math.min(lowest, node.rate ?? lowest);
    }
    expect(lowest).toBeGreaterThan(9);
  },
);

test.each([
  [8, false],
  [10, true],
  [12, true],
])("whether a limit of %i requests a second is learned: %s", async (perSecond, isLearned) => {
  const node = load(bucket(() => perSecond));
  await node.during(30);
  expect(node.rate !== undefined).toBe(isLearned);
});

test("a node that refuses everything has no learned rate", async () => {
  const node = load(() => false);
  await node.during(30);
  expect(node.rate).toBeUndefined();
});

test("the learned rate is reported, but not if maxPerSecond is set", async () => {
  const node = load(bucket(() => 25));
  const configured = load(
    bucket(() => 25),
    { maxPerSecond: 50 },
  );
  await node.during(30);
  expect(node.rate).toBeGreaterThan(22);
  expect(node.rate).toBeLessThan(32);
  expect(node.budgets.learnedRates).toEqual([{ network: "mainnet", node: 0, perSecond: node.rate }]);
  expect(configured.rate).toBeUndefined();
});
