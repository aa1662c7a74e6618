/** The set-up of the tests that pass blocks to the deriver and look at the notifications that it stores. */
import { AbiCoder, id as keccakOf } from "ethers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { BlockId, ChainBlock } from "../../../server/chain/follower/derive/blocks.ts";
import type { ChainTransaction, Deriver } from "../../../server/chain/follower/derive/deriver.ts";
import type { Hex } from "../../../server/chain/rpc/chain.ts";
import {
  type NotificationState,
  type StoredEvent,
  unpackBodies,
  withUid,
} from "../../../server/webhooks/notifications.ts";
import { createWebhookDeriver } from "../../../server/webhooks/notify/webhook-deriver.ts";
import { chainId, openWebhookWorld, type WebhookWorld } from "../../support/webhook-world.ts";

export { chainId };

export const contract: Hex = `0x${"c0".repeat(20)}`;
export const transfer = "Transfer(address indexed from,address indexed to,uint256 value)";
export const alice: Hex = `0x${"aa".repeat(20)}`;
export const bob: Hex = `0x${"bb".repeat(20)}`;
export const word = (address: Hex): Hex => `0x${"0".repeat(24)}${address.slice(2)}`;
export const hashOf = (name: string): Hex => keccakOf(name) as Hex;

/** A block with this many transfers. Its hash is derived from its name. */
export function block(number: number, name: string, transfers: number, parent = `${number - 1}`): ChainBlock {
  return {
    number,
    hash: hashOf(name),
    parentHash: hashOf(parent),
    timestamp: 1_700_000_000 + number,
    logs: Array.from({ length: transfers }, (_, logIndex) => ({
      address: contract,
      topics: [hashOf("Transfer(address,address,uint256)"), word(alice), word(bob)],
      data: AbiCoder.defaultAbiCoder().encode(["uint256"], [logIndex]) as Hex,
      transactionHash: hashOf(`transaction of ${name}`),
      transactionIndex: 2,
      logIndex: logIndex + 5,
      indexInTransaction: logIndex,
    })),
  };
}

export interface Row {
  readonly listener: number;
  readonly sequence: number;
  readonly id: string;
  readonly body: Record<string, unknown> & { readonly type: string; readonly blockHash: string };
  readonly state: string;
  readonly waits: boolean;
}

export interface NotifyWorld {
  readonly world: WebhookWorld;
  readonly deriver: Deriver;
  /** The hosts of each wake-up. */
  readonly woken: readonly (readonly string[])[];
  /** Adds the blocks as the newest ones. */
  readonly add: (...blocks: readonly ChainBlock[]) => Promise<void>;
  readonly remove: (...blocks: readonly BlockId[]) => Promise<void>;
  /** Reports the highest safe and the highest final block. */
  readonly settled: (safe: number, finalized: number) => Promise<void>;
  /** Runs a step of the follower in a transaction. */
  readonly step: (
    work: (tx: ChainTransaction, deriver: Deriver) => ReturnType<Deriver["added"]>,
  ) => Promise<void>;
  /** Adds a listener of transfers. */
  readonly listener: (url?: string, filters?: object) => Promise<number>;
  readonly listenerOfEachDelivery: () => Promise<Readonly<Record<"head" | "safe" | "finalized", number>>>;
  /** The stored notifications, of one listener or of all. */
  readonly told: (listenerId?: number) => Promise<readonly Row[]>;
  /** Sets the state of all notifications. */
  readonly settle: (state: NotificationState) => Promise<unknown>;
}

/** A world for all tests of a file, which find it empty. */
export function useNotifyWorld(): NotifyWorld {
  let world: WebhookWorld;
  let deriver: Deriver;
  let woken: (readonly string[])[] = [];
  beforeAll(async () => {
    world = await openWebhookWorld();
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await world.database.query(
      "truncate webhook_notification, webhook_batch, webhook_network, webhook_listener, webhook_past, event_stream cascade",
    );
    woken = [];
    deriver = createWebhookDeriver({
      database: world.database,
      contractTypeOf: async () => "ERC20",
      wake: (hosts) => woken.push(hosts),
    });
  });

  const step: NotifyWorld["step"] = async (work) => {
    await deriver.logFilter(chainId);
    const after = await world.database.transaction((tx) => work({ ...tx, chainId, isRecent: true }, deriver));
    after?.();
  };

  const listener: NotifyWorld["listener"] = async (url = "http://127.0.0.1:9/", more = {}) => {
    const { listener: made } = await world.add(url);
    const filters = { contractAddresses: [contract], events: [transfer], ...more };
    await world.database.query("update webhook_listener set filters = $2 where id = $1", [made.id, filters]);
    return made.id;
  };

  return {
    get world() {
      return world;
    },
    get deriver() {
      return deriver;
    },
    get woken() {
      return woken;
    },
    add: (...blocks) => step((tx) => deriver.added(tx, blocks, blocks.at(-1)?.number ?? 0)),
    remove: (...blocks) => step((tx) => deriver.removed(tx, blocks)),
    settled: (safe, finalized) => step(async (tx) => deriver.settled?.(tx, { safe, finalized })),
    step,
    listener,
    async listenerOfEachDelivery() {
      const ids = { head: await listener(), safe: await listener(), finalized: await listener() };
      for (const [delivery, id] of Object.entries(ids))
        await world.database.query("update webhook_listener set delivery = $2 where id = $1", [id, delivery]);
      return ids;
    },
    told: (listenerId) => readNotifications(world, listenerId),
    settle: (state) => world.database.query("update webhook_notification set state = $1", [state]),
  };
}

async function readNotifications(
  { database }: WebhookWorld,
  listenerId: number | undefined,
): Promise<readonly Row[]> {
  const rows = await database.query<
    Omit<Row, "body" | "id"> & {
      readonly occurrence: number;
      readonly event: Omit<StoredEvent, "blockHash" | "body">;
      readonly bodies: Buffer;
      readonly blockHash: Buffer;
      readonly position: number;
    }
  >(
    `select listener_id::float8 as listener, sequence::float8 as sequence, occurrence, bodies, block_hash as "blockHash",
            json_build_object('chainId', b.chain_id, 'logIndex', log_indexes[event - first_event + 1], 'isRemoval', is_removal) as event,
            (event - first_event)::int as position, n.state, due_at = 'infinity' as waits
     from webhook_notification n
     join webhook_batch b on b.chain_id = n.chain_id and n.sequence between b.first_sequence and b.last_sequence
     where $1::bigint is null or listener_id = $1 order by sequence`,
    [listenerId ?? null],
  );
  return rows.map(({ event, blockHash, bodies, position, occurrence, ...row }) => {
    const { uid, body } = withUid({ ...event, blockHash, body: unpackBodies(bodies)[position] ?? "" });
    return { ...row, id: `${uid}-${occurrence}`, body: JSON.parse(body) as Row["body"] };
  });
}
