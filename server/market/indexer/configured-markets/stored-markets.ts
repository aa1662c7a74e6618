/** The markets that are or were configured, as the database stores them. */

import type { Queries } from "../../../base/storage/database.ts";
import type { Market } from "../../../chain/networks/markets.ts";

export interface StoredMarket {
  readonly kind: Market["kind"];
  readonly address: string;
  /** The last derived block of a removed market. Undefined while the market is configured. */
  readonly lastBlock: number | undefined;
}

interface MarketRow {
  readonly kind: Market["kind"];
  readonly address: string;
  readonly left_block: string | null;
}

export async function readMarkets(queries: Queries, chainId: number): Promise<readonly StoredMarket[]> {
  const rows = await queries.query<MarketRow>(readSql, [chainId]);
  return rows.map(({ kind, address, left_block }) => ({
    kind,
    address,
    lastBlock: left_block === null ? undefined : Number(left_block),
  }));
}

const readSql = {
  name: "named-markets",
  text: "select kind, address, left_block from named_market where chain_id = $1",
};

export async function addMarkets(
  queries: Queries,
  chainId: number,
  markets: readonly Pick<Market, "kind" | "address">[],
): Promise<void> {
  await queries.query(
    `insert into named_market (chain_id, kind, address)
     select $1, kind, address from unnest($2::text[], $3::text[]) as named (kind, address) on conflict do nothing`,
    [chainId, markets.map(({ kind }) => kind), markets.map(({ address }) => address)],
  );
}

type MarketKey = Pick<Market, "kind" | "address">;

/** Records that the market was removed at the follower's current block. */
export async function markRemoved(tx: Queries, chainId: number, { kind, address }: MarketKey): Promise<void> {
  await tx.query(
    `update named_market set left_block = (select block_number from follower_cursor where chain_id = $1)
     where chain_id = $1 and kind = $2 and address = $3 and left_block is null`,
    [chainId, kind, address],
  );
}

/**
 * After a reorganisation, lowers the last derived block of removed markets to `block`. The blocks that replace the later ones are not
 * derived for them.
 */
export async function lowerLastBlock(tx: Queries, chainId: number, block: number): Promise<void> {
  await tx.query(lowerSql, [chainId, block]);
}

const lowerSql = {
  name: "named-markets-lower",
  text: "update named_market set left_block = $2 where chain_id = $1 and left_block > $2",
};

/** Records that the market is configured again. */
export async function markRestored(
  tx: Queries,
  chainId: number,
  { kind, address }: MarketKey,
): Promise<void> {
  await tx.query(
    "update named_market set left_block = null where chain_id = $1 and kind = $2 and address = $3",
    [chainId, kind, address],
  );
}
