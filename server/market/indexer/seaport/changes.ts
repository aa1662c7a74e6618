import type { BlockRef, ChainBlock, ChainTransaction } from "../../../chain/follower/derive/deriver.ts";
import type { SeaportChange } from "./change.ts";

/** What was told where, kept as long as its block is part of the chain. */
export interface PlacedChange {
  readonly block: ChainBlock;
  readonly logIndex: number;
  readonly change: SeaportChange;
}

/** Those that are there already stay as they are. */
export async function storeChanges(
  { query, chainId }: ChainTransaction,
  changes: readonly PlacedChange[],
): Promise<void> {
  await query(storeSql, [
    chainId,
    changes.map(({ block }) => Buffer.from(block.hash.slice(2), "hex")),
    changes.map(({ logIndex }) => logIndex),
    changes.map(({ block }) => block.number),
    changes.map(({ block }) => block.timestamp),
    changes.map(({ change }) => change.kind),
    changes.map(({ change }) =>
      change.kind === "counter" ? null : Buffer.from(change.orderHash.slice(2), "hex"),
    ),
    changes.map(({ change }) => change.offerer),
    changes.map(({ change }) => (change.kind === "filled" ? (change.quantity?.toString() ?? null) : null)),
    changes.map(({ change }) => (change.kind === "counter" ? change.counter.toString() : null)),
  ]);
}

const storeSql = {
  name: "seaport-changes-store",
  text: `
    insert into seaport_change (chain_id, block_hash, log_index, block_number, at, kind, order_hash, offerer, quantity, counter)
    select $1, block_hash, log_index, block_number, to_timestamp(seconds), kind, order_hash, offerer, quantity, counter
    from unnest($2::bytea[], $3::int[], $4::bigint[], $5::float8[], $6::seaport_change_kind[], $7::bytea[], $8::text[], $9::numeric[],
      $10::numeric[])
      as told (block_hash, log_index, block_number, seconds, kind, order_hash, offerer, quantity, counter)
    on conflict do nothing`,
};

/** The orders that changes are about: by their hashes, and all of an offerer. */
export interface Touched {
  readonly hashes: readonly Buffer[];
  readonly offerers: readonly string[];
}

export function touchedBy(changes: readonly PlacedChange[]): Touched {
  const hashes = new Set<string>();
  const offerers = new Set<string>();
  for (const { change } of changes) {
    if (change.kind === "counter") offerers.add(change.offerer);
    else hashes.add(change.orderHash);
  }
  return { hashes: [...hashes].map((hash) => Buffer.from(hash.slice(2), "hex")), offerers: [...offerers] };
}

/** Of blocks that have left the chain. */
export async function takeChangesBack(
  { query, chainId }: ChainTransaction,
  blocks: readonly BlockRef[],
): Promise<Touched> {
  const hashes = blocks.map(({ hash }) => Buffer.from(hash.slice(2), "hex"));
  const rows = await query<{ readonly order_hash: Buffer | null; readonly offerer: string }>(takeBackSql, [
    chainId,
    hashes,
  ]);
  return {
    hashes: rows.flatMap(({ order_hash }) => order_hash ?? []),
    offerers: rows.flatMap(({ order_hash, offerer }) => (order_hash === null ? offerer : [])),
  };
}

const takeBackSql = {
  name: "seaport-changes-take-back",
  text: "delete from seaport_change where chain_id = $1 and block_hash = any($2) returning order_hash, offerer",
};
