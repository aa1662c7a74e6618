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
  archiveDamaged: note("archiveDamaged"),
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
  await untilLogsEqual();
  expect(await violationsOf(database)).toEqual([]);
}

async function untilLogsEqual(): Promise<void> {
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

  // The window is 8.
  test.each([7, 8, 9, 40])(
    "undoes a reorganisation of depth %i, removes each block that left once, and adds no other block again",
    async (depth) => {
      await start();
      await grow(seededRandom(1), 20);
      follow({ follow: { window: 8, wsUrls: [] } });
      await untilEqual();
      const ancestor = await chain.head();
      const fork = await forkOf(chain);
      await using _ = fork;
      // One by one, so that no block is read in a range.
      for (let block = 0; block < depth; block++) {
        await growAll(chain, 1);
        if (block % 4 === 3 || block === depth - 1) await untilEqual();
      }
      await growAll(fork, depth + 1);
      node.current = fork;
      await untilEqual();
      const steps = await database.query<{ what: string; count: number; blocks: number }>(
        `select what, count(*)::int as count, count(distinct block)::int as blocks from recorded_step
         where block > $1 group by what order by what`,
        [ancestor],
      );
      expect(steps).toEqual([
        { what: "added", count: depth * 2 + 1, blocks: depth + 1 },
        { what: "removed", count: depth, blocks: depth },
      ]);
      expect(told).toContain(`reorganised ${depth}`);
    },
  );

  test("undoes a deep reorganisation that happens while the chain is not followed", async () => {
    await start();
    await grow(seededRandom(1), 10);
    const fork = await forkOf(chain);
    await using _ = fork;
    await growAll(chain, 40);
    const first = follow({ follow: { window: 8, wsUrls: [] } });
    await untilEqual();
    await first[Symbol.asyncDispose]();
    await growAll(fork, 80);
    node.current = fork;
    follow({ follow: { window: 8, wsUrls: [] } });
    await untilEqual();
    expect(told).toContain("reorganised 40");
  });

  test("starts over with the blocks of a chain that was reset", async () => {
    await start();
    await growAll(chain, 30);
    follow({ follow: { window: 8, wsUrls: [] } });
    await untilEqual();
    await using other = await startEventChain();
    // The blocks of two new chains may be equal.
    await other.emit(7);
    await growAll(other, 31);
    node.current = other;
    await untilEqual();
  });

  test("a single node that is far behind does not remove blocks", async () => {
    await start();
    await growAll(chain, 12);
    const behind = await forkOf(chain);
    await using _ = behind;
    await growAll(chain, 20);
    follow({ follow: { window: 8, wsUrls: [] } });
    await untilEqual();
    node.current = behind;
    const [before] = await database.query("select count(*) from recorded_step");
    await new Promise((done) => setTimeout(done, 300));
    expect(await database.query("select count(*) from recorded_step")).toEqual([before]);
    expect((await readCheckpoint(database, 31_337))?.stopped).toBeUndefined();
    node.current = chain;
    await growAll(chain, 3);
    await untilEqual();
    expect(told.filter((line) => line.startsWith("reorganised"))).toEqual([]);
  });

  test("stops if all blocks that it knows left the chain, reports it, and continues after a reindex", async () => {
    await start();
    await growAll(chain, 10);
    const fork = await forkOf(chain);
    await using _ = fork;
    await growAll(chain, 20);
    const first = follow({ follow: { window: 4, wsUrls: [] } });
    await untilEqual();
    await first[Symbol.asyncDispose]();
    // As if the chain had been followed for so long that the rest of its history was deleted.
    await database.query("update follower_cursor set first_block = -200000");
    await database.query("delete from follower_history where number < 22");
    await growAll(fork, 21);
    node.current = fork;
    follow({ follow: { window: 4, wsUrls: [] } });
    await expect
      .poll(async () => (await readCheckpoint(database, 31_337))?.stopped, { timeout: 120_000 })
      .toMatch(
        /^all blocks that the follower knows, from 22 on, left the chain; to continue, run: platform follow reindex \S+ --from 22$/,
      );
    await growAll(fork, 2);
    // From a lower block than reported.
    await requestRewind(database, 31_337, 11);
    await untilLogsEqual();
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
