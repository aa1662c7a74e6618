/** The markets that the configuration names or has named, as the database keeps them. */

import type { Queries } from "../../../base/storage/database.ts";
import type { Market } from "../../../chain/networks/markets.ts";

export interface KnownMarket {
  readonly kind: Market["kind"];
  readonly address: string;
  /** The last block of which its events are derived; undefined: it is named. */
  readonly leftBlock: number | undefined;
}

interface MarketRow {
  readonly kind: Market["kind"];
  readonly address: string;
  readonly left_block: string | null;
}

export async function readMarkets(queries: Queries, chainId: number): Promise<readonly KnownMarket[]> {
  const rows = await queries.query<MarketRow>(readSql, [chainId]);
  return rows.map(({ kind, address, left_block }) => ({
    kind,
    address,
    leftBlock: left_block === null ? undefined : Number(left_block),
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

type Name = Pick<Market, "kind" | "address">;

/** It was named until the block where the follower is. */
export async function leaveMarket(tx: Queries, chainId: number, { kind, address }: Name): Promise<void> {
  await tx.query(
    `update named_market set left_block = (select block_number from follower_cursor where chain_id = $1)
     where chain_id = $1 and kind = $2 and address = $3 and left_block is null`,
    [chainId, kind, address],
  );
}

/** What comes in the place of blocks above this one is not derived. */
export async function lowerLeft(tx: Queries, chainId: number, block: number): Promise<void> {
  await tx.query(lowerSql, [chainId, block]);
}

const lowerSql = {
  name: "named-markets-lower",
  text: "update named_market set left_block = $2 where chain_id = $1 and left_block > $2",
};

/** It is named again, and its events are derived from where it left. */
export async function returnTo(tx: Queries, chainId: number, { kind, address }: Name): Promise<void> {
  await tx.query(
    "update named_market set left_block = null where chain_id = $1 and kind = $2 and address = $3",
    [chainId, kind, address],
  );
}
