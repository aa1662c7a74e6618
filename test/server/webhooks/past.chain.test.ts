/** Follows a local chain and reads the past of listeners, through a proxy that counts and delays requests. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../server/base/storage/database.ts";
import { readCheckpoint, requestRewind } from "../../../server/chain/follower/checkpoint.ts";
import { type Followers, openFollowers } from "../../../server/chain/follower/followers.ts";
import type { Lead } from "../../../server/chain/follower/lead.ts";
import type { Hex } from "../../../server/chain/rpc/chain.ts";
import { addListener, getListener } from "../../../server/webhooks/listeners.ts";
import { unpackBodies } from "../../../server/webhooks/notify/batch-bodies.ts";
import { createWebhookDeriver } from "../../../server/webhooks/notify/deriver.ts";
import { readPasts } from "../../../server/webhooks/past/reader.ts";
import {
  type EventChain,
  emitterAddress,
  reorganise,
  startEventChain,
  transferEmitter,
} from "../../support/event-chain.ts";
import { type FaultyNode, honest, type RpcCall, startFaultyNode } from "../../support/faulty-node.ts";
import { localNetwork } from "../../support/local-network.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";
import { migratedDatabase } from "../../support/server.ts";
import { chainId, sealSecret } from "../../support/webhook-world.ts";

const window = 8;
const patient = { timeout: 60_000, interval: 20 };

let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;
let chain: EventChain;
let node: FaultyNode;
let followers: Followers | undefined;
let calls: RpcCall[] = [];
let failures: unknown[] = [];
let ended: number[] = [];
/** For each contract, whether the network's row was locked when its type was first asked for. */
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

function follow(settings: object = {}, readers = 1): void {
  const quiet = (): void => {};
  const network = localNetwork(node.rpcUrl, {
    follow: { start: 0, window, pollMs: 20, rangeBlocks: 10, ...settings },
  });
  const contractTypeOf = async (_: object, address: Hex): Promise<string> => {
    if (!locked.has(address)) locked.set(address, await isNetworkLocked());
    return "ERC20";
  };
  const ports = { database, contractTypeOf, wake: quiet, onNearMiss: quiet };
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
    tasks: Array.from({ length: readers }, () => (lead: Lead) => readPasts(past, lead)),
    events: {
      leadTaken: quiet,
      leadLost: quiet,
      headSeen: quiet,
      catchingUp: quiet,
      advanced: quiet,
      reorganised: quiet,
      parked: quiet,
      nodeDemoted: quiet,
      rewound: quiet,
      archiveDamaged: quiet,
      failed: (_, cause) => void failures.push(cause),
      stopped: (_, reason) => void failures.push(reason),
    },
  });
}

function isNetworkLocked(): Promise<boolean> {
  const lock = "select 1 from webhook_network for update nowait";
  return database
    .transaction((tx) => tx.query(lock))
    .then(
      () => false,
      () => true,
    );
}

async function stop(): Promise<void> {
  await followers?.[Symbol.asyncDispose]();
  followers = undefined;
}

async function project(): Promise<number> {
  const [row] = await database.query<{ id: string }>(
    "insert into project (name) values ('Test') returning id",
  );
  return Number(row?.id);
}

interface ListenerOptions {
  readonly projectId?: number;
  readonly delivery?: "head" | "safe" | "finalized";
}

async function listen(
  fromBlock: number | undefined,
  { projectId, delivery = "head" }: ListenerOptions = {},
): Promise<number> {
  const scope = { projectId: projectId ?? (await project()), chainId };
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
      name: undefined,
      fromBlock,
      seal: (listenerId) => sealSecret("", listenerId),
    }),
  );
  return id;
}

async function grow(blocks: number, random: Random): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    if (random.chance(60)) await chain.emit(1 + random.below(4));
    await chain.mine();
  }
}

async function untilFollowed(): Promise<void> {
  const head = (await chain.request("eth_getBlockByNumber", "latest", false)) as { readonly hash: Hex };
  await expect.poll(async () => (await readCheckpoint(database, chainId))?.hash, patient).toBe(head.hash);
}

/** Waits until no listener has a past. */
async function untilRead(): Promise<void> {
  await expect.poll(() => database.query("select listener_id from webhook_past"), patient).toEqual([]);
}

interface Told {
  readonly type: "BLOCK_ADDED" | "BLOCK_REMOVED";
  readonly blockNumber: number;
  readonly at: string;
  readonly state: string;
}

/** What is stored for a listener, in the order of `sequence`. `at` is the block and the value of the event, which is unique. */
async function told(listenerId: number): Promise<readonly Told[]> {
  const rows = await database.query<{ bodies: Buffer; position: number; state: string }>(
    `select bodies, (event - first_event)::int as position, state
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

/** The events of the chain from a block on. */
async function onChain(fromBlock: number): Promise<readonly string[]> {
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
function known(rows: readonly Told[]): readonly string[] {
  const events = new Set<string>();
  for (const { type, at } of rows) {
    if (events.has(at) === (type === "BLOCK_ADDED")) throw new Error(`${type} twice: ${at}`);
    if (type === "BLOCK_ADDED") events.add(at);
    else events.delete(at);
  }
  return [...events];
}

describe.skipIf(noSandbox)("a listener with fromBlock", () => {
  test("gets every event from that block on, in the order of the chain, once, and then new ones", async () => {
    const random = seededRandom(1);
    await grow(60, random);
    follow();
    await untilFollowed();
    const live = await listen(undefined);
    const ids = new Map<number, number>();
    for (const from of [0, 1, 7, 40, 51, 52, 53, 59, 60]) ids.set(from, await listen(from));
    await grow(20, random);
    await untilRead();
    expect(ended.toSorted()).toEqual([...ids.values()].toSorted());
    await grow(5, random);
    await untilFollowed();
    for (const [from, id] of ids) {
      const rows = await told(id);
      expect(rows.map(({ at }) => at)).toEqual(await onChain(from));
      expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["waiting"]));
    }
    expect((await told(live)).map(({ at }) => at)).toEqual(await onChain(61));
    expect(failures).toEqual([]);
  }, 240_000);

  test("of final blocks gets each event when its block is final", async () => {
    await grow(90, seededRandom(2));
    follow();
    await untilFollowed();
    const id = await listen(10, { delivery: "finalized" });
    await untilRead();
    const isFinal = ({ blockNumber }: Told): boolean => blockNumber <= 90 - 64;
    await expect
      .poll(async () => (await told(id)).filter(({ state }) => state === "waiting").length, patient)
      .toBe((await told(id)).filter(isFinal).length);
    const rows = await told(id);
    expect(rows.map(({ at }) => at)).toEqual(await onChain(10));
    for (const row of rows) expect(row.state).toBe(isFinal(row) ? "waiting" : "held");
  }, 240_000);

  test("is notified once, even if a replica that lost its lead still reads", async () => {
    await grow(80, seededRandom(10));
    follow({}, 2);
    await untilFollowed();
    const ids: number[] = [];
    for (let count = 0; count < 4; count++) ids.push(await listen(0));
    await untilRead();
    const expected = await onChain(0);
    for (const id of ids) expect((await told(id)).map(({ at }) => at)).toEqual(expected);
    expect(failures).toEqual([]);
  }, 240_000);

  test("detects the types of contracts while the follower can commit", async () => {
    await grow(20, seededRandom(9));
    follow();
    await untilFollowed();
    await listen(0);
    await untilRead();
    expect(locked).toEqual(new Map([[emitterAddress, false]]));
  }, 240_000);

  test("is read from the archive, without a request for a block or its logs", async () => {
    await grow(60, seededRandom(3));
    follow({ archive: { logs: "all" } });
    await untilFollowed();
    calls = [];
    const id = await listen(5);
    await untilRead();
    expect((await told(id)).map(({ at }) => at)).toEqual(await onChain(5));
    const isAboutOldBlock = ({ method, params: [block] }: RpcCall): boolean =>
      method === "eth_getLogs" || (/^eth_getBlock/.test(method) && /^0x/.test(String(block)));
    expect(calls.filter(isAboutOldBlock)).toEqual([]);
  }, 240_000);

  test.each([
    ["in the window", 4],
    ["of the whole window", window],
    ["below the window", window + 9],
  ])(
    "is consistent after a reorganisation %s while its past is read",
    async (_, depth) => {
      const random = seededRandom(depth);
      await grow(60, random);
      follow();
      await untilFollowed();
      let release = (): void => {};
      const released = new Promise<void>((done) => {
        release = done;
      });
      let [held, isHolding] = [0, true];
      // Until the reorganisation, only the past is read in ranges.
      node.fault = async (exchange) => {
        const isRange = exchange.calls.some(
          ({ method, params }) => method === "eth_getLogs" && "fromBlock" in (params[0] as object),
        );
        if (!isRange || !isHolding) return honest(exchange);
        const answers = await exchange.forward();
        held++;
        await released;
        exchange.send(answers);
      };
      const id = await listen(30);
      await expect.poll(() => held, patient).toBeGreaterThan(0);
      isHolding = false;
      await reorganise(chain, depth);
      await grow(2, random);
      await untilFollowed();
      release();
      await untilRead();
      await grow(3, random);
      await untilFollowed();
      expect(known(await told(id))).toEqual(await onChain(30));
    },
    120_000,
  );

  test("misses and repeats nothing while the chain is reorganised and the host restarts", async () => {
    const random = seededRandom(5);
    await grow(40, random);
    follow({ archive: true });
    const listeners = new Map<number, number>();
    for (let round = 0; round < 14; round++) {
      await grow(1 + random.below(6), random);
      await untilFollowed();
      const from = random.below((await chain.head()) + 1);
      listeners.set(await listen(from), from);
      await sleep(random.below(300));
      if (random.chance(50)) await reorganise(chain, 1 + random.below(window + 4));
      if (random.chance(30)) {
        await stop();
        follow({ archive: true });
      }
      if (random.chance(20)) await requestRewind(database, chainId, random.below(30));
    }
    await grow(2, random);
    await untilFollowed();
    await untilRead();
    await grow(2, random);
    await untilFollowed();
    for (const [id, from] of listeners)
      expect(known(await told(id)).toSorted()).toEqual((await onChain(from)).toSorted());
  }, 240_000);

  const fill = (id: number, count: number) =>
    database.query(
      `insert into webhook_notification (chain_id, sequence, listener_id, event, state)
       select $1, -number, $2, 0, case when number % 2 = 0 then 'waiting' else 'held' end from generate_series(1, $3::int) as number`,
      [chainId, id, count],
    );

  test.each([
    [9_999, true],
    [10_000, false],
    [10_001, false],
  ])(
    "with %i undelivered notifications is read further: %s",
    async (count, isRead) => {
      await grow(20, seededRandom(6));
      follow();
      await untilFollowed();
      await stop();
      const full = await listen(1);
      await fill(full, count);
      const other = await listen(1);
      follow();
      // Another project's listener is not affected.
      await expect.poll(() => ended.includes(other), patient).toBe(true);
      if (isRead) await expect.poll(async () => (await getPast(full))?.nextBlock, patient).toBeGreaterThan(1);
      else {
        await sleep(1_500);
        expect((await getPast(full))?.nextBlock).toBe(1);
      }
      await database.query("update webhook_notification set state = 'accepted' where listener_id = $1", [
        full,
      ]);
      await untilRead();
      expect((await told(full)).map(({ at }) => at)).toEqual(await onChain(1));
    },
    120_000,
  );

  test("that its owner pauses waits, and continues where it was", async () => {
    await grow(20, seededRandom(7));
    follow();
    await untilFollowed();
    await stop();
    const id = await listen(3);
    await database.query("update webhook_listener set pause_reason = 'owner'");
    follow();
    await grow(10, seededRandom(8));
    await untilFollowed();
    await sleep(1_500);
    expect(await getPast(id)).toEqual({ fromBlock: 3, nextBlock: 3, toBlock: 30 });
    expect(await told(id)).toEqual([]);
    await database.query("update webhook_listener set pause_reason = null");
    await untilRead();
    expect((await told(id)).map(({ at }) => at)).toEqual(await onChain(3));
  }, 240_000);

  async function getPast(id: number) {
    const [row] = await database.query<{ project_id: string }>(
      "select project_id from webhook_listener where id = $1",
      [id],
    );
    return (await getListener(database, { projectId: Number(row?.project_id), chainId }, id))?.past;
  }
});
