import { expect, test, vi } from "vitest";
import { DatabaseOutage } from "../../../../server/host/observability/database-outage.ts";
import { DatabaseProblems } from "../../../../server/host/observability/database-problems.ts";
import { createEvents, createFollowerEvents } from "../../../../server/host/observability/events.ts";
import type { Log } from "../../../../server/host/observability/log.ts";
import { Metrics } from "../../../../server/host/observability/metrics.ts";

/** The events of a host with two nodes of each chain, its log, and its metrics of one chain. */
function openHost() {
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => void lines.push(line);
  const metrics = new Metrics({ version: "test", schemaVersion: "test" });
  const chainLog = { debug: () => {}, info: log, warn: log, error: log } as unknown as Log;
  const outage = new DatabaseOutage(chainLog, new DatabaseProblems(chainLog));
  const healthy = new Map<string, readonly boolean[]>();
  metrics.nodes.watch(() => healthy);
  return {
    lines,
    healthy,
    metrics,
    configured: (chain: string) => metrics.chains.configured(chain, ["webhooks"]),
    follower: createFollowerEvents(chainLog, metrics, outage),
    events: createEvents(chainLog, metrics, { outage, logAddresses: false, traceId: () => undefined }),
    /** By metric, without the prefix: `{ lag_blocks: 3 }`. */
    gaugesOf: async (chain: string): Promise<Readonly<Record<string, number>>> => {
      const pattern = new RegExp(
        `^platform_chain_(followed|block|lag_blocks|nodes_healthy)\\{chain="${chain}"\\} (\\S+)$`,
        "gm",
      );
      const found = (await metrics.text()).matchAll(pattern);
      return Object.fromEntries([...found].map(([, name = "", value]) => [name, Number(value)]));
    },
  };
}

const progress = { block: 7, head: 10, blocks: 1, logs: 0 };
const leading = {
  followed: 1,
  block: 7,
  lag_blocks: 3,
  nodes_healthy: 1,
};

test("a replica that no longer follows a chain has no values of it, even if the newest block is reported late", async () => {
  const { follower, healthy, gaugesOf, configured } = openHost();
  configured("polygon");
  expect(await gaugesOf("polygon")).toEqual({ followed: 0 });
  for (const chain of ["polygon", "base"]) {
    healthy.set(chain, [true, false]);
    follower.followStarted(chain, 6);
    follower.advanced(chain, progress);
  }
  expect(await gaugesOf("polygon")).toEqual(leading);
  healthy.delete("polygon");
  follower.followEnded("polygon");
  follower.headSeen("polygon", 11, 0);
  expect(await gaugesOf("polygon")).toEqual({ followed: 0 });
  expect(await gaugesOf("base")).toEqual(leading);
  healthy.set("polygon", [true, false]);
  follower.followStarted("polygon", 7);
  follower.headSeen("polygon", 12, 0);
  expect(await gaugesOf("polygon")).toMatchObject({ followed: 1, nodes_healthy: 1 });
});

test("a chain whose blocks are committed again after a logged failure has one line", () => {
  const { follower, lines } = openHost();
  const commit = (block: number) => follower.advanced("polygon", { block, head: block, blocks: 1, logs: 0 });
  commit(1);
  const err = new Error("no such table");
  follower.failed("polygon", err);
  expect(lines.splice(0)).toEqual([[{ chain: "polygon", err }, "following the chain failed; retrying"]]);
  commit(2);
  commit(3);
  expect(lines).toEqual([[{ chain: "polygon", block: 2 }, "following the chain succeeds again"]]);
});

test("the lag of a chain is known before the replica that follows it commits a block", async () => {
  const { follower, gaugesOf } = openHost();
  follower.followStarted("polygon", 6);
  expect(await gaugesOf("polygon")).toEqual({ followed: 1, block: 6 });
  follower.headSeen("polygon", 111, 0);
  expect(await gaugesOf("polygon")).toMatchObject({ block: 6, lag_blocks: 105 });
});

test.each([
  [7, "info"],
  [8, "info"],
  [9, "warn"],
])("with a window of 8, a reorganization of %i blocks is logged as %s", (depth, level) => {
  const lines: unknown[] = [];
  const add =
    (name: string) =>
    (fields: object, text: string): void =>
      void lines.push([name, fields, text]);
  const log = {
    debug: add("debug"),
    info: add("info"),
    warn: add("warn"),
    error: add("error"),
  } as unknown as Log;
  const outage = new DatabaseOutage(log, new DatabaseProblems(log));
  const metrics = new Metrics({ version: "test", schemaVersion: "test" });
  createFollowerEvents(log, metrics, outage).reorganized("polygon", depth, 8);
  expect(lines).toEqual([
    level === "info"
      ? ["info", { chain: "polygon", depth }, "blocks were reorganized"]
      : [
          "warn",
          { chain: "polygon", depth, window: 8 },
          "blocks were reorganized deeper than window; set a larger window in follow",
        ],
  ]);
});

test("failures to follow a chain are counted, and logged at most once a minute", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { follower, metrics, lines } = openHost();
    for (const ms of [0, 59_999, 1]) {
      vi.advanceTimersByTime(ms);
      follower.failed("polygon", new Error("no response"));
    }
    follower.failed("base", new Error("no response"));
    const text = await metrics.text();
    expect(text).toContain('platform_chain_failures_total{chain="polygon"} 3\n');
    expect(text).toContain('platform_chain_failures_total{chain="base"} 1\n');
    expect(lines).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});

test("the lag of a stopped chain grows, and the chain counts as followed once the operator has restarted it", async () => {
  const { follower, healthy, gaugesOf } = openHost();
  healthy.set("polygon", [true]);
  follower.followStarted("polygon", 6);
  follower.advanced("polygon", progress);
  follower.stopped("polygon", "all known blocks left the chain");
  follower.headSeen("polygon", 20, 0);
  expect(await gaugesOf("polygon")).toMatchObject({ followed: 0, lag_blocks: 13 });
  follower.rewound("polygon", 1);
  expect(await gaugesOf("polygon")).toMatchObject({ followed: 1, lag_blocks: 13 });
});

test("demotions are counted for each node", async () => {
  const { follower, metrics, lines } = openHost();
  follower.nodeDemoted("polygon", 1, "it does not respond", false);
  follower.nodeDemoted("polygon", 1, "it does not respond", false);
  const text = await metrics.text();
  expect(text).toContain('platform_chain_node_demotions_total{chain="polygon",node="1"} 2\n');
  expect(lines).toContainEqual([
    { chain: "polygon", node: 1, reason: "it does not respond" },
    "the node is demoted: the others are asked first for a while",
  ]);
});

test("demotions for the same reason are logged once a minute for each node", () => {
  vi.useFakeTimers();
  try {
    const { follower, lines } = openHost();
    follower.nodeDemoted("polygon", 0, "it returned an error", true);
    vi.advanceTimersByTime(59_999);
    follower.nodeDemoted("polygon", 0, "it returned an error", true);
    expect(lines).toHaveLength(1);
    follower.nodeDemoted("polygon", 0, "it does not respond", true);
    follower.nodeDemoted("polygon", 1, "it returned an error", false);
    expect(lines).toHaveLength(3);
    vi.advanceTimersByTime(1);
    follower.nodeDemoted("polygon", 0, "it returned an error", true);
    expect(lines.map((line) => (line as readonly unknown[])[1])).toEqual([
      "the node failed, and the chain has no other node",
      "the node failed, and the chain has no other node",
      "the node is demoted: the others are asked first for a while",
      "the node failed, and the chain has no other node",
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("a node of another chain does not count as healthy", async () => {
  const { events, healthy, gaugesOf } = openHost();
  healthy.set("polygon", [true, true]);
  healthy.set("base", [true, true]);
  events.nodes.nodeChainChanged("polygon", 1, "it is of chain 1");
  expect(await gaugesOf("polygon")).toEqual({ nodes_healthy: 1 });
  expect(await gaugesOf("base")).toEqual({ nodes_healthy: 2 });
  events.nodes.nodeChainChanged("polygon", 1, undefined);
  expect(await gaugesOf("polygon")).toEqual({ nodes_healthy: 2 });
});

test.each([
  [25, "lower maxPerSecond (25), or ask the provider for a higher limit", "maxPerSecond is 25"],
  [undefined, "set maxPerSecond to its limit", "it refuses more"],
])("a node with maxPerSecond %s: %s; %s", (maxPerSecond, advice, limit) => {
  const { events, lines } = openHost();
  const counts = { refused: 4, sent: 100, reason: "HTTP 429: daily request count exceeded" };
  events.nodes.refusedOften("polygon", 1, { ...counts, maxPerSecond });
  events.nodes.budgetExhausted("polygon", 1, maxPerSecond);
  expect(lines).toEqual([
    [{ chain: "polygon", node: 1, ...counts }, `the node refused many requests within a minute: ${advice}`],
    [
      { chain: "polygon", node: 1 },
      `a call failed because no further request to the node was allowed in time: ${limit}; ask the provider for a higher limit, or add a node`,
    ],
  ]);
});
