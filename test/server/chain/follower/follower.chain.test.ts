import { afterEach, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../../server/base/storage/database.ts";
import { readCheckpoint, requestRewind } from "../../../../server/chain/follower/checkpoint.ts";
import type { FollowerEvents } from "../../../../server/chain/follower/follower-events.ts";
import { type Followers, openFollowers } from "../../../../server/chain/follower/followers.ts";
import {
  type EventChain,
  emittedTopic,
  emitterAddress,
  forkOf,
  reorganise,
  startEventChain,
  startSwitch,
} from "../../../support/event-chain.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import {
  recordedLogs,
  recordingDeriver,
  recordingTables,
  violationsOf,
} from "../../../support/recording-deriver.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { migratedDatabase } from "../../../support/server.ts";

const filter = { addresses: new Set([emitterAddress]), topics: new Set([emittedTopic]) };
let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;
let chain: EventChain;
/** A proxy between the follower and the node. */
let node: Awaited<ReturnType<typeof startSwitch>>;
const followers: Followers[] = [];

afterEach(async () => {
  await Promise.all(followers.splice(0).map((each) => each[Symbol.asyncDispose]()));
  await database?.[Symbol.asyncDispose]();
  await node?.[Symbol.asyncDispose]();
  await chain?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

async function start(): Promise<void> {
  server = await migratedDatabase();
  database = openDatabase(
    { connectionString: server.url },
    { connections: 12, statementTimeoutMs: 10_000, namedStatements: true },
  );
  await database.query(recordingTables);
  chain = await startEventChain();
  node = await startSwitch(chain);
  told.length = 0;
}

const told: string[] = [];
const note =
  (what: string) =>
  (_chain: string, ...rest: readonly unknown[]) =>
    void told.push([what, ...rest.map(String)].join(" "));
const events: FollowerEvents = {
  leadTaken: note("leadTaken"),
  leadLost: note("leadLost"),
  headSeen: () => {},
  catchingUp: () => {},
  advanced: () => {},
  reorganised: note("reorganised"),
  rewound: note("rewound"),
  parked: note("parked"),
  nodeDemoted: note("nodeDemoted"),
  failed: note("failed"),
  stopped: note("stopped"),
};

interface FollowOptions {
  readonly follow?: object;
  readonly rpcUrls?: readonly string[];
  readonly hasSessions?: boolean;
}

function follow({
  follow: settings,
  rpcUrls = [node.rpcUrl],
  hasSessions = true,
}: FollowOptions = {}): Followers {
  const network = localNetwork(rpcUrls, {
    follow: { start: 0, wsUrls: [chain.wsUrl], pollMs: 50, ...settings },
  });
  const one = openFollowers({
    database,
    hasSessions,
    networks: [network],
    derivers: [recordingDeriver(filter)],
    events,
  });
  followers.push(one);
  return one;
}

/** Waits until the recorded logs are those of the chain, and checks the history. */
async function untilEqual(): Promise<void> {
  const end = performance.now() + 120_000;
  for (;;) {
    const expected = (await node.current.events()).map(
      (log) => `${log.blockNumber} ${log.blockHash} ${log.logIndex} ${log.data}`,
    );
    const head = await node.current.head();
    const place = await readCheckpoint(database, 31_337);
    const kept = await recordedLogs(database);
    if ((place?.number === head && kept.join("\n") === expected.join("\n")) || performance.now() > end) {
      expect(kept).toEqual(expected);
      expect(place?.number).toBe(head);
      break;
    }
    await new Promise((done) => setTimeout(done, 25));
  }
  expect(await violationsOf(database)).toEqual([]);
}

async function grow(random = seededRandom(1), blocks = 5): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    if (random.chance(70)) await chain.emit(random.below(5));
    if (random.chance(30)) await chain.emit(1);
    await chain.mine();
  }
}

/** SEED and REORGS are for the long form. */
const seed = Number(process.env["SEED"] ?? 7);
const rounds = Number(process.env["REORGS"] ?? 6);

describe.skipIf(noSandbox)("a follower", () => {
  test("catches up and then follows live, with and without WebSocket", async () => {
    await start();
    await grow(seededRandom(2), 40);
    const first = follow({ follow: { window: 8 } });
    await untilEqual();
    await grow(seededRandom(3), 10);
    await reorganise(chain, 5);
    await untilEqual();
    await grow(seededRandom(3), 2);
    await untilEqual();
    await first[Symbol.asyncDispose]();
    await grow(seededRandom(4), 10);
    follow({ follow: { wsUrls: [], window: 8 } });
    await grow(seededRandom(5), 10);
    await untilEqual();
    expect((await recordedLogs(database)).length).toBeGreaterThan(50);
  });

  test(`undoes ${rounds} reorganisations of depth 1 to 64, seed ${seed}, some of which return`, async () => {
    await start();
    const random = seededRandom(seed);
    await grow(random, 70);
    const settings = { follow: { window: 80, wsUrls: [] } };
    let one = follow(settings);
    await thereAndBack(random, 64, untilEqual);
    expect(told).toContain("reorganised 64");
    for (let round = 0; round < rounds; round++) {
      if (random.chance(60)) await untilEqual();
      if (random.chance(40)) {
        // The replica stops in the middle, and another one continues.
        void one[Symbol.asyncDispose]();
        one = follow(settings);
      }
      await grow(random, random.below(6) + 1);
      if (random.chance(35)) await thereAndBack(random, random.below(20) + 1);
      else await reorganise(chain, random.pick([1, 1, 2, 3, 5, 8, 16, 32, 64]));
    }
    await untilEqual();
    const [{ removed = 0 } = {}] = await database.query<{ removed: number }>(
      "select count(*)::int as removed from recorded_step where what = 'removed'",
    );
    expect(removed).toBeGreaterThan(0);
  });

  test("catches up in smaller ranges if a node limits its responses", async () => {
    await start();
    await grow(seededRandom(12), 60);
    let refusals = 0;
    node.refuse = (method, result) => {
      if (method !== "eth_getLogs" || (result as readonly unknown[]).length <= 12) return undefined;
      refusals++;
      return { code: -32_005, message: "query returned more than 12 results" };
    };
    follow({ follow: { window: 1, wsUrls: [] } });
    await untilEqual();
    expect((await recordedLogs(database)).length).toBeGreaterThan(60);
    expect(refusals).toBeGreaterThan(2);
    expect(told.filter((line) => line.startsWith("nodeDemoted"))).toEqual([]);
  });

  test("follows a block that leaves the chain and returns unchanged", async () => {
    await start();
    await grow(seededRandom(1), 12);
    follow();
    await untilEqual();
    await thereAndBack(seededRandom(1), 3, untilEqual);
    const returned = await database.query(
      "select block_hash from recorded_step where what = 'added' group by block_hash having count(*) = 2",
    );
    expect(returned).toHaveLength(3);
  });

  test("undoes blocks that left the chain while it was not followed, however far the head has advanced", async () => {
    await start();
    await grow(seededRandom(8), 20);
    const first = follow({ follow: { window: 8, wsUrls: [] } });
    await untilEqual();
    await first[Symbol.asyncDispose]();
    const before = told.length;
    await reorganise(chain, 3);
    await grow(seededRandom(9), 40);
    follow({ follow: { window: 8, wsUrls: [] } });
    await untilEqual();
    expect(told.slice(before).filter((line) => line.startsWith("reorganised"))).toHaveLength(1);
  });

  test("restarts from a block on an operator's request", async () => {
    await start();
    await grow(seededRandom(6), 30);
    follow({ follow: { window: 8 } });
    await untilEqual();
    expect(await requestRewind(database, 31_337, 4)).toBe(true);
    await expect
      .poll(async () => (await readCheckpoint(database, 31_337))?.rewindTo, { timeout: 120_000 })
      .toBeUndefined();
    await untilEqual();
    expect(told.at(-1)).toBe("rewound 4");
    await grow();
    await untilEqual();
  });

  test("undoes blocks that leave the chain during a rewind before others replace them", async () => {
    await start();
    await grow(seededRandom(6), 30);
    const first = follow({ follow: { window: 8, wsUrls: [] } });
    await untilEqual();
    await first[Symbol.asyncDispose]();
    await requestRewind(database, 31_337, 4);
    await reorganise(chain, 3);
    told.length = 0;
    const second = follow({ follow: { window: 8, wsUrls: [] } });
    await untilEqual();
    expect(told).toContain("reorganised 3");
    await second[Symbol.asyncDispose]();
    // Also when the block is below the window by the time it is added again.
    await requestRewind(database, 31_337, 4);
    await reorganise(chain, 3);
    await grow(seededRandom(7), 20);
    told.length = 0;
    follow({ follow: { window: 8, wsUrls: [] } });
    await untilEqual();
    expect(told).toContain("reorganised 3");
  });

  test("stops at a reorganisation that is too deep, reports it, and continues after a reindex", async () => {
    await start();
    await grow(seededRandom(1), 30);
    follow({ follow: { window: 4 } });
    await untilEqual();
    await reorganise(chain, 10);
    await expect
      .poll(async () => (await readCheckpoint(database, 31_337))?.stopped, { timeout: 120_000 })
      .toMatch(/platform follow reindex/);
    await grow();
    await requestRewind(database, 31_337, 15);
    await untilEqual();
    // All known blocks have left, and are removed before others are added.
    expect(told).toContain("reorganised 4");
  });

  test.each([true, false])(
    "of three replicas one follows, and another takes over (session locks: %s)",
    async (hasSessions) => {
      await start();
      await grow();
      told.length = 0;
      const replicas = [follow({ hasSessions }), follow({ hasSessions }), follow({ hasSessions })];
      await untilEqual();
      expect(told.filter((line) => line.startsWith("leadTaken"))).toHaveLength(1);
      const leader = replicas.find((each) => each.nodes().size > 0);
      await leader?.[Symbol.asyncDispose]();
      await grow();
      await untilEqual();
      expect(told.filter((line) => line.startsWith("leadTaken"))).toHaveLength(2);
    },
  );

  test("demotes a node of another chain and a node that does not respond", async () => {
    await start();
    await using other = await startEventChain(1_000);
    await grow();
    told.length = 0;
    follow({ rpcUrls: ["http://127.0.0.1:1", other.rpcUrl, chain.rpcUrl], follow: { wsUrls: [] } });
    await untilEqual();
    expect(told).toContainEqual(
      expect.stringMatching(/^nodeDemoted 0 it does not respond: http:\/\/127.0.0.1:1: ./),
    );
    expect(told).toContain("nodeDemoted 1 it is a node of chain 1000, not of 31337");
  });

  test("logs that a node indexes a moment after it announced their block are requested again immediately", async () => {
    await start();
    await grow(seededRandom(2), 5);
    follow({ follow: { pollMs: 600_000 } });
    await untilEqual();
    const askedAt = new Map<string, number>();
    const waits: number[] = [];
    node.twist = (method, result) => {
      if (method !== "eth_getLogs") return result;
      const key = JSON.stringify(result);
      const before = askedAt.get(key);
      if (before === undefined) {
        askedAt.set(key, performance.now());
        return [];
      }
      waits.push(performance.now() - before);
      return result;
    };
    for (let block = 0; block < 5; block++) {
      await chain.emit(2);
      await chain.mine();
      await untilEqual();
    }
    expect(askedAt.size).toBe(5);
    // A head restarts the time to the next poll, so each of them would have waited five seconds.
    expect(Math.min(...waits)).toBeLessThan(4_000);
  });

  test.each<[string, (method: string, result: unknown) => unknown, string | undefined]>([
    [
      "leaves logs out",
      (method, result) => (method === "eth_getLogs" ? (result as unknown[]).slice(1) : result),
      undefined,
    ],
    [
      "answers logs of another block",
      (method, result) =>
        method === "eth_getLogs"
          ? (result as object[]).map((log) => ({ ...log, blockHash: `0x${"ab".repeat(32)}` }))
          : result,
      "nodeDemoted 0 it returned logs of a different block than requested",
    ],
    [
      "tells of blocks that nobody else has",
      (method, result) =>
        method === "eth_getBlockByNumber" ? { ...(result as object), hash: `0x${"cd".repeat(32)}` } : result,
      undefined,
    ],
  ])("a node that %s is not trusted", async (_, twist, said) => {
    await start();
    await grow(seededRandom(2), 10);
    follow({ rpcUrls: [node.rpcUrl, chain.rpcUrl] });
    await untilEqual();
    told.length = 0;
    node.twist = twist;
    await grow(seededRandom(3), 10);
    await untilEqual();
    if (said !== undefined) expect(told).toContain(said);
    expect(told.filter((line) => line.startsWith("reorganised"))).toEqual([]);
  });
});

/** The chain grows, is replaced by a fork that is one block longer, and then returns to its old blocks. */
async function thereAndBack(
  random: Random,
  depth: number,
  between: () => Promise<void> = async () => {
    if (random.chance(60)) await untilEqual();
  },
): Promise<void> {
  const fork = await forkOf(chain);
  await using _ = fork;
  await growAll(chain, depth);
  await between();
  await growAll(fork, depth + 1);
  node.current = fork;
  await between();
  await growAll(chain, 2);
  node.current = chain;
  await between();
}

async function growAll(on: EventChain, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    await on.emit(1);
    await on.mine();
  }
}
