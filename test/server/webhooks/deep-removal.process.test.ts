import { id as keccakOf } from "ethers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BlockId } from "../../../server/chain/follower/derive/blocks.ts";
import type { ChainTransaction } from "../../../server/chain/follower/derive/deriver.ts";
import type { Hex } from "../../../server/chain/rpc/chain.ts";
import {
  lockNetwork,
  type NetworkRow,
  type NewEvent,
  storeNotifications,
} from "../../../server/webhooks/notifications.ts";
import { storeRemovals } from "../../../server/webhooks/notify/removal.ts";
import { chainId, openWebhookWorld, type WebhookWorld } from "../../support/webhook-world.ts";

const listeners = 20;
const blocks: readonly BlockId[] = Array.from({ length: 300 }, (_, index) => ({
  number: index + 1,
  hash: keccakOf(`${index}`) as Hex,
}));

let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
  // As after many inserts: the planner has no statistics yet.
  await world.database.query("alter table webhook_notification set (autovacuum_enabled = false)");
  await world.database.query("alter table webhook_batch set (autovacuum_enabled = false)");
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

async function inTransaction(
  work: (tx: ChainTransaction, network: NetworkRow) => Promise<unknown>,
): Promise<void> {
  await world.database.transaction(async (queries) => {
    const tx = { ...queries, chainId, isRecent: true };
    const network = await lockNetwork(tx);
    if (network === undefined) throw new Error("the network has no listener");
    await work(tx, network);
  });
}

/** Rows of notifications that the transaction has read so far. */
async function readRows(tx: ChainTransaction): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables where relname = 'webhook_notification'`,
  );
  return row?.count ?? 0;
}

const removedSequences = async (): Promise<readonly number[]> => {
  const rows = await world.database.query<{ after: number }>(
    "select after::float8 as after from webhook_notification where after is not null order by sequence",
  );
  return rows.map(({ after }) => after);
};

test("removals read only the notifications of the removed blocks, even without statistics, and the last one first", async () => {
  const recipients: { readonly listenerId: number; readonly hold: undefined }[] = [];
  for (let index = 0; index < listeners; index++) {
    const { listener } = await world.add("http://127.0.0.1:9/");
    recipients.push({ listenerId: listener.id, hold: undefined });
  }
  const events = blocks.map((block): NewEvent => {
    const body = () => JSON.stringify({ block: block.number });
    return { block, logIndex: 0, occurrence: 1, body, recipients };
  });
  await inTransaction((tx, network) =>
    storeNotifications(tx, network, { events, lastBlock: blocks.length, head: blocks.length }),
  );
  const [highest, others] = [blocks.slice(-30), blocks.slice(0, -30)];
  await inTransaction(async (tx, network) => {
    await storeRemovals(tx, network, highest.toReversed());
    // A join of ranges compares all notifications of the network with each batch.
    expect(await readRows(tx)).toBeLessThanOrEqual(2 * highest.length * listeners);
  });
  // More notifications than a group has.
  await inTransaction((tx, network) => storeRemovals(tx, network, others.toReversed()));
  const count = blocks.length * listeners;
  expect(await removedSequences()).toEqual(Array.from({ length: count }, (_, index) => count - index));
  const [network] = await world.database.query<{ last: number; events: number }>(
    "select last_sequence::int as last, last_event::int as events from webhook_network",
  );
  expect(network).toEqual({ last: 2 * count, events: 2 * blocks.length });
});
