/** A local chain, a proxy in front of its node, and followers that record its logs. */
import { expect } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { readCheckpoint } from "../../../../server/chain/follower/checkpoint.ts";
import type { FollowerEvents } from "../../../../server/chain/follower/follower-state.ts";
import { type Followers, openFollowers } from "../../../../server/chain/follower/open-followers.ts";
import {
  type EventChain,
  emittedTopic,
  emitterAddress,
  forkOf,
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
import { migratedDatabase } from "../../../support/server.ts";

const filter = { addresses: new Set([emitterAddress]), topics: new Set([emittedTopic]) };

export interface FollowOptions {
  readonly follow?: object;
  readonly rpcUrls?: readonly string[];
  readonly hasSessions?: boolean;
}

export interface ForkingChain extends AsyncDisposable {
  readonly database: Database;
  readonly chain: EventChain;
  /** A proxy between the followers and the node. */
  readonly node: Awaited<ReturnType<typeof startSwitch>>;
  /** Events of the followers. */
  readonly told: string[];
  follow(options?: FollowOptions): Followers;
  /** Waits until the recorded logs are those of the chain, and checks the history. */
  untilEqual(this: void): Promise<void>;
  untilLogsEqual(): Promise<void>;
  grow(random?: Random, blocks?: number): Promise<void>;
  /** The chain grows, is replaced by a fork that is one block longer, and then returns to its old blocks. */
  thereAndBack(random: Random, depth: number, between?: () => Promise<void>): Promise<void>;
}

export async function startFollowedChain(): Promise<ForkingChain> {
  const server = await migratedDatabase();
  const database = openDatabase(
    { connectionString: server.url },
    { connections: 12, statementTimeoutMs: 10_000, namedStatements: true },
  );
  await database.query(recordingTables);
  const chain = await startEventChain();
  const node = await startSwitch(chain);
  const followers: Followers[] = [];
  const told: string[] = [];
  const events = noteEvents(told);

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

  async function untilEqual(): Promise<void> {
    await untilLogsEqual();
    expect(await violationsOf(database)).toEqual([]);
  }

  return {
    database,
    chain,
    node,
    told,
    untilEqual,
    untilLogsEqual,
    follow({ follow: settings, rpcUrls = [node.rpcUrl], hasSessions = true } = {}) {
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
    },
    async grow(random = seededRandom(1), blocks = 5) {
      for (let block = 0; block < blocks; block++) {
        if (random.chance(70)) await chain.emit(random.below(5));
        if (random.chance(30)) await chain.emit(1);
        await chain.mine();
      }
    },
    async thereAndBack(
      random,
      depth,
      between = async () => {
        if (random.chance(60)) await untilEqual();
      },
    ) {
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
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(followers.map((each) => each[Symbol.asyncDispose]()));
      await database[Symbol.asyncDispose]();
      await node[Symbol.asyncDispose]();
      await chain[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function noteEvents(told: string[]): FollowerEvents {
  const note =
    (what: string) =>
    (_chain: string, ...rest: readonly unknown[]) =>
      void told.push([what, ...rest.map(String)].join(" "));
  return {
    followStarted: note("followStarted"),
    followEnded: note("followEnded"),
    headSeen: () => {},
    advanced: () => {},
    reorganized(_chain, depth, window) {
      told.push(`reorganized ${depth}`);
      if (depth > window) told.push(`deeper than the window of ${window}`);
    },
    rewound: note("rewound"),
    skipped: note("skipped"),
    nodeDemoted: (_chain, node, reason) => void told.push(`nodeDemoted ${node} ${reason}`),
    failed: note("failed"),
    stopped: note("stopped"),
  };
}

/** Adds blocks with an event each. */
export async function growAll(on: EventChain, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    await on.emit(1);
    await on.mine();
  }
}
