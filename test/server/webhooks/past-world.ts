/** The set-up of the tests that follow a local chain and read the past of listeners. */
import { afterEach, beforeEach, expect } from "vitest";
import type { Database } from "../../../server/base/storage/database.ts";
import { openDatabase } from "../../../server/base/storage/open-database.ts";
import type { FollowedChain } from "../../../server/chain/follower/chain-task.ts";
import { readCheckpoint } from "../../../server/chain/follower/checkpoint.ts";
import { type Followers, openFollowers } from "../../../server/chain/follower/open-followers.ts";
import type { Hex } from "../../../server/chain/rpc/chain.ts";
import { addListener, type NewListener } from "../../../server/webhooks/listeners.ts";
import { unpackBodies } from "../../../server/webhooks/notifications.ts";
import { createWebhookDeriver } from "../../../server/webhooks/notify/webhook-deriver.ts";
import { readPastBlocks } from "../../../server/webhooks/past/reader.ts";
import {
  type EventChain,
  emitterAddress,
  startEventChain,
  transferEmitter,
} from "../../support/event-chain.ts";
import { type FaultyNode, honest, type RpcCall, startFaultyNode } from "../../support/faulty-node.ts";
import { localNetwork } from "../../support/local-network.ts";
import type { Random } from "../../support/random.ts";
import { migratedDatabase } from "../../support/server.ts";
import { chainId, sealSecret } from "../../support/webhook-world.ts";

export { chainId };

export const window = 8;
export const patient = { timeout: 60_000, interval: 20 };

export type ListenOptions = Partial<Pick<NewListener, "projectId" | "delivery" | "confirmations">>;

/** What is stored for a listener. `at` is the block and the value of the event, which is unique. */
export interface Told {
  readonly type: "BLOCK_ADDED" | "BLOCK_REMOVED";
  readonly blockNumber: number;
  readonly at: string;
  readonly state: string;
}

export interface PastWorld {
  readonly database: Database;
  readonly chain: EventChain;
  /** A proxy that records the calls to the chain. */
  readonly node: FaultyNode;
  readonly calls: RpcCall[];
  readonly failures: readonly unknown[];
  /** The listeners whose past was read. */
  readonly ended: readonly number[];
  /** For each contract, whether the network's row was locked when its type was first asked for. */
  readonly locked: ReadonlyMap<Hex, boolean>;
  /** Follows the chain and reads the past of listeners, with `readers` readers. */
  readonly follow: (settings?: object, readers?: number) => void;
  readonly stop: () => Promise<void>;
  /** Adds a listener of transfers, in a new project unless one is given. */
  readonly listen: (fromBlock: number | undefined, options?: ListenOptions) => Promise<number>;
  /** Mines blocks, about 60 % of which have events. */
  readonly grow: (blocks: number, random: Random) => Promise<void>;
  readonly untilFollowed: () => Promise<void>;
  /** Waits until no listener has a past. */
  readonly untilRead: () => Promise<void>;
  /** What is stored for a listener, in the order of `sequence`. */
  readonly told: (listenerId: number) => Promise<readonly Told[]>;
  /** The events of the chain from a block on. */
  readonly onChain: (fromBlock: number) => Promise<readonly string[]>;
}

/** A world of its own for each test of a file. */
export function usePastWorld(): PastWorld {
  let server: Awaited<ReturnType<typeof migratedDatabase>>;
  let database: Database;
  let chain: EventChain;
  let node: FaultyNode;
  let followers: Followers | undefined;
  let [calls, failures, ended]: [RpcCall[], unknown[], number[]] = [[], [], []];
  let locked = new Map<Hex, boolean>();

  beforeEach(async () => {
    server = await migratedDatabase();
    database = openDatabase(
      { connectionString: server.url },
      { connections: 12, statementTimeoutMs: 10_000, namedStatements: true },
    );
    chain = await startEventChain(chainId, transferEmitter);
    node = await startFaultyNode(chain.rpcUrl);
    node.fault = (exchange) => {
      calls.push(...exchange.calls);
      return honest(exchange);
    };
    [calls, failures, ended] = [[], [], []];
    locked = new Map();
  });
  afterEach(async () => {
    await stop();
    await database[Symbol.asyncDispose]();
    await node[Symbol.asyncDispose]();
    await chain[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  async function stop(): Promise<void> {
    await followers?.[Symbol.asyncDispose]();
    followers = undefined;
  }

  async function isNetworkLocked(): Promise<boolean> {
    const lock = "select 1 from webhook_network for update nowait";
    return database
      .transaction((tx) => tx.query(lock))
      .then(
        () => false,
        () => true,
      );
  }

  async function newProject(): Promise<number> {
    const [row] = await database.query<{ id: string }>(
      "insert into project (name) values ('Test') returning id",
    );
    return Number(row?.id);
  }

  return {
    get database() {
      return database;
    },
    get chain() {
      return chain;
    },
    get node() {
      return node;
    },
    get calls() {
      return calls;
    },
    get failures() {
      return failures;
    },
    get ended() {
      return ended;
    },
    get locked() {
      return locked;
    },
    stop,
    follow(settings = {}, readers = 1) {
      const quiet = (): void => {};
      const network = localNetwork(node.rpcUrl, {
        follow: { start: 0, window, pollMs: 20, rangeBlocks: 10, ...settings },
      });
      const contractTypeOf = async (_: object, address: Hex): Promise<string> => {
        if (!locked.has(address)) locked.set(address, await isNetworkLocked());
        return "ERC20";
      };
      const ports = { database, contractTypeOf, wake: quiet };
      const past = {
        ...ports,
        onEnd: (_: string, id: number) => void ended.push(id),
        onFailure: (_: string, cause: unknown) => void failures.push(cause),
      };
      followers = openFollowers({
        database,
        hasSessions: true,
        networks: [network],
        derivers: [createWebhookDeriver(ports)],
        tasks: Array.from(
          { length: readers },
          () => (followed: FollowedChain) => readPastBlocks(past, followed),
        ),
        events: {
          followStarted: quiet,
          followEnded: quiet,
          headSeen: quiet,
          advanced: quiet,
          reorganized: quiet,
          skipped: quiet,
          nodeDemoted: quiet,
          rewound: quiet,
          failed: (_, cause) => void failures.push(cause),
          stopped: (_, reason) => void failures.push(reason),
        },
      });
    },
    async listen(fromBlock, { projectId, delivery = "head", confirmations } = {}) {
      const scope = { projectId: projectId ?? (await newProject()), chainId };
      const { id } = await database.transaction((tx) =>
        addListener(tx, {
          ...scope,
          url: "http://127.0.0.1:9/",
          filters: {
            contractAddresses: [emitterAddress],
            events: ["Transfer(address indexed from,address indexed to,uint256 value)"],
          },
          format: "object",
          delivery,
          confirmations,
          name: undefined,
          fromBlock,
          seal: (listenerId) => sealSecret("", listenerId),
        }),
      );
      return id;
    },
    async grow(blocks, random) {
      for (let block = 0; block < blocks; block++) {
        if (random.chance(60)) await chain.emit(1 + random.below(4));
        await chain.mine();
      }
    },
    async untilFollowed() {
      const head = (await chain.request("eth_getBlockByNumber", "latest", false)) as { readonly hash: Hex };
      await expect.poll(async () => (await readCheckpoint(database, chainId))?.hash, patient).toBe(head.hash);
    },
    untilRead: () =>
      expect.poll(() => database.query("select listener_id from webhook_past"), patient).toEqual([]),
    told: (listenerId) => readNotifications(database, listenerId),
    onChain: (fromBlock) => readEvents(chain, fromBlock),
  };
}

async function readNotifications(database: Database, listenerId: number): Promise<readonly Told[]> {
  const rows = await database.query<{ bodies: Buffer; position: number; state: string }>(
    `select bodies, (event - first_event)::int as position, n.state
     from webhook_notification n
     join webhook_batch b on b.chain_id = n.chain_id and n.sequence between b.first_sequence and b.last_sequence
     where listener_id = $1 order by sequence`,
    [listenerId],
  );
  return rows.map(({ bodies, position, state }) => {
    const { type, blockNumber, blockHash, txnHash, txnLogIndex } = JSON.parse(
      unpackBodies(bodies)[position] ?? "",
    );
    return { type, blockNumber, at: `${blockHash} ${txnHash} ${txnLogIndex}`, state };
  });
}

async function readEvents(chain: EventChain, fromBlock: number): Promise<readonly string[]> {
  const logs = (await chain.request("eth_getLogs", {
    fromBlock: `0x${fromBlock.toString(16)}`,
    toBlock: "latest",
    address: emitterAddress,
  })) as readonly Readonly<Record<"blockHash" | "transactionHash", string>>[];
  const counts = new Map<string, number>();
  return logs.map(({ blockHash, transactionHash }) => {
    const index = counts.get(transactionHash) ?? 0;
    counts.set(transactionHash, index + 1);
    return `${blockHash} ${transactionHash} ${index}`;
  });
}

/** The events that a receiver knows, without those that were removed. Each is added and removed in turn, or this throws. */
export function known(rows: readonly Told[]): readonly string[] {
  const events = new Set<string>();
  for (const { type, at } of rows) {
    if (events.has(at) === (type === "BLOCK_ADDED")) throw new Error(`${type} twice: ${at}`);
    if (type === "BLOCK_ADDED") events.add(at);
    else events.delete(at);
  }
  return [...events];
}
