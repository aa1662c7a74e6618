import type { BlockRef, ChainBlock, ChainTransaction } from "../../follower/derive/deriver.ts";
import type { SequenceKind } from "../../networks/markets.ts";
import type { Change } from "./change.ts";

/** What was told where, kept as long as its block is part of the chain. */
export interface PlacedChange {
  readonly block: ChainBlock;
  readonly logIndex: number;
  /** Its contract. */
  readonly market: string;
  readonly marketplace: SequenceKind;
  readonly change: Change;
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
    changes.map(({ marketplace }) => marketplace),
    changes.map(({ change }) => change.kind),
    changes.map(({ change }) => ("requestId" in change ? String(change.requestId) : null)),
    changes.map(({ change }) => ("maker" in change ? change.maker : null)),
    changes.map(({ change }) => ("collection" in change ? (change.collection ?? null) : null)),
    changes.map(({ change }) => ("remaining" in change ? String(change.remaining) : null)),
    changes.map(({ change }) => ("below" in change ? String(change.below) : null)),
  ]);
}

const storeSql = {
  name: "market-changes-store",
  text: `
    insert into market_change (chain_id, block_hash, log_index, block_number, at, marketplace, kind, request_id, maker, collection,
      remaining, below)
    select $1, block_hash, log_index, block_number, to_timestamp(seconds), marketplace, kind, request_id, maker, collection, remaining, below
    from unnest($2::bytea[], $3::int[], $4::bigint[], $5::float8[], $6::market_kind[], $7::market_change_kind[], $8::numeric[], $9::text[],
      $10::text[], $11::numeric[], $12::numeric[])
      as told (block_hash, log_index, block_number, seconds, marketplace, kind, request_id, maker, collection, remaining, below)
    on conflict do nothing`,
};

/** What is known of a change that was taken back: enough to find the orders that are not what they were. */
export interface TakenBack {
  readonly marketplace: SequenceKind;
  readonly kind: Change["kind"];
  /** Of all kinds but an invalidation. */
  readonly requestId: bigint | undefined;
  readonly maker: string | undefined;
  readonly collection: string | undefined;
  /** Of an invalidation. */
  readonly below: bigint | undefined;
}

/** Of blocks that have left the chain. */
export async function takeChangesBack(
  { query, chainId }: ChainTransaction,
  blocks: readonly BlockRef[],
): Promise<readonly TakenBack[]> {
  const hashes = blocks.map(({ hash }) => Buffer.from(hash.slice(2), "hex"));
  const rows = await query<Row>(takeBackSql, [chainId, hashes]);
  return rows.map(({ marketplace, kind, request_id, maker, collection, below }) => ({
    marketplace,
    kind,
    requestId: request_id === null ? undefined : BigInt(request_id),
    maker: maker ?? undefined,
    collection: collection ?? undefined,
    below: below === null ? undefined : BigInt(below),
  }));
}

interface Row {
  readonly marketplace: SequenceKind;
  readonly kind: Change["kind"];
  readonly request_id: string | null;
  readonly maker: string | null;
  readonly collection: string | null;
  readonly below: string | null;
}

const takeBackSql = {
  name: "market-changes-take-back",
  text: `delete from market_change where chain_id = $1 and block_hash = any($2)
         returning marketplace, kind, request_id::text, maker, collection, below::text`,
};
