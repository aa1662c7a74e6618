import type { BlockId, ChainBlock } from "../../../chain/follower/derive/blocks.ts";
import type { ChainTransaction } from "../../../chain/follower/derive/deriver.ts";
import type { SeaportEvent } from "./events.ts";

/** An event with its position, stored as long as its block is part of the chain. */
export interface LocatedEvent {
  readonly block: ChainBlock;
  readonly logIndex: number;
  readonly event: SeaportEvent;
}

/** Stores events. Existing ones stay unchanged. */
export async function storeEvents(
  { query, chainId }: ChainTransaction,
  events: readonly LocatedEvent[],
): Promise<void> {
  await query(storeSql, [
    chainId,
    events.map(({ block }) => Buffer.from(block.hash.slice(2), "hex")),
    events.map(({ logIndex }) => logIndex),
    events.map(({ block }) => block.number),
    events.map(({ block }) => block.timestamp),
    events.map(({ event }) => event.kind),
    events.map(({ event }) =>
      event.kind === "counter" ? null : Buffer.from(event.orderHash.slice(2), "hex"),
    ),
    events.map(({ event }) => event.offerer),
    events.map(({ event }) => (event.kind === "filled" ? (event.quantity?.toString() ?? null) : null)),
    events.map(({ event }) => (event.kind === "counter" ? event.counter.toString() : null)),
  ]);
}

const storeSql = {
  name: "seaport-changes-store",
  text: `
    insert into seaport_change (chain_id, block_hash, log_index, block_number, at, kind, order_hash, offerer, quantity, counter)
    select $1, block_hash, log_index, block_number, to_timestamp(seconds), kind, order_hash, offerer, quantity, counter
    from unnest($2::bytea[], $3::int[], $4::bigint[], $5::float8[], $6::seaport_change_kind[], $7::bytea[], $8::text[], $9::numeric[],
      $10::numeric[])
      as reported (block_hash, log_index, block_number, seconds, kind, order_hash, offerer, quantity, counter)
    on conflict do nothing`,
};

/** Orders that events affect: by order hash, and all orders of an offerer. */
export interface TouchedOrders {
  readonly hashes: readonly Buffer[];
  readonly offerers: readonly string[];
}

export function ordersTouchedBy(events: readonly LocatedEvent[]): TouchedOrders {
  const hashes = new Set<string>();
  const offerers = new Set<string>();
  for (const { event } of events) {
    if (event.kind === "counter") offerers.add(event.offerer);
    else hashes.add(event.orderHash);
  }
  return { hashes: [...hashes].map((hash) => Buffer.from(hash.slice(2), "hex")), offerers: [...offerers] };
}

/** Deletes the events of removed blocks, and returns the affected orders. */
export async function deleteEvents(
  { query, chainId }: ChainTransaction,
  blocks: readonly BlockId[],
): Promise<TouchedOrders> {
  const hashes = blocks.map(({ hash }) => Buffer.from(hash.slice(2), "hex"));
  const rows = await query<{ readonly order_hash: Buffer | null; readonly offerer: string }>(deleteSql, [
    chainId,
    hashes,
  ]);
  return {
    hashes: rows.flatMap(({ order_hash }) => order_hash ?? []),
    offerers: rows.flatMap(({ order_hash, offerer }) => (order_hash === null ? offerer : [])),
  };
}

const deleteSql = {
  name: "seaport-changes-take-back",
  text: "delete from seaport_change where chain_id = $1 and block_hash = any($2) returning order_hash, offerer",
};
