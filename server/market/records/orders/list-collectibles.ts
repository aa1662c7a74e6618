import type { Queries } from "../../../base/storage/database.ts";
import type { AssetRow, TokenRow } from "../collectibles/token-sql.ts";
import type { Currency } from "../currencies/currency.ts";
import { readRows } from "../json-row.ts";
import type { CollectiblesQuery, PageCursor } from "./collectibles-query.ts";
import { CollectiblesStatement, type Entry, entryJson } from "./collectibles-statement.ts";
import { type OrderRow, ownOrderJson } from "./order-sql.ts";

export interface CollectibleRow {
  readonly token: TokenRow;
  /** The cheapest listing and the highest offer that pass the filter. */
  readonly listing: OrderRow | undefined;
  readonly offer: OrderRow | undefined;
}

export interface CollectiblesPage {
  readonly rows: readonly CollectibleRow[];
  readonly more: boolean;
  readonly cursor: PageCursor | undefined;
}

/** Lists tokens with their best orders. One statement reads them all, so that a page is a consistent snapshot. */
export async function listCollectibles(
  queries: Queries,
  query: CollectiblesQuery,
): Promise<CollectiblesPage> {
  const [found] = await queries.query<PageRow>(...new CollectiblesStatement(query).build());
  const entries = readRows(entryJson, found?.entries);
  const orders = ordersOf(found, entries, query);
  const order = (id: number | null): OrderRow | undefined => (id === null ? undefined : orders.get(id));
  const rows = entries.map(({ id, token, listing, offer }) => ({
    token: { ...token, assets: found?.assets?.[id] ?? null },
    listing: order(listing),
    offer: order(offer),
  }));
  return { rows, more: found?.end != null, cursor: found?.end ?? undefined };
}

/** The single row of the statement. */
interface PageRow {
  /** JSON. Null if empty. */
  readonly orders: string | null;
  readonly entries: string | null;
  /** Currencies of the orders, selected if some orders may be in no band. Null if none. */
  readonly currencies?: readonly Currency[] | null;
  /** By token id. */
  readonly assets: Readonly<Record<number, readonly AssetRow[]>> | null;
  readonly end: PageCursor | null;
}

/** Orders by id. Shared values come from the query or from the tokens, so that the database sends them once. */
function ordersOf(
  found: Pick<PageRow, "orders" | "currencies"> | undefined,
  entries: readonly Entry[],
  { chainId, contractAddress, bands }: CollectiblesQuery,
): ReadonlyMap<number, OrderRow> {
  const known = [...bands.map(({ currency }) => currency), ...(found?.currencies ?? [])];
  const currencies = new Map(known.map((currency) => [currency.id, currency]));
  const tokenIds = new Map(entries.map(({ id, token }) => [id, token.tokenId]));
  return new Map(
    readRows(ownOrderJson, found?.orders).map((columns) => {
      const currency = currencies.get(columns.currencyId);
      if (currency === undefined) throw new Error(`the currency of order ${columns.id} was not read`);
      const tokenId = columns.collectibleId === null ? null : (tokenIds.get(columns.collectibleId) ?? null);
      return [columns.id, { own: columns, chainId, contractAddress, tokenId, currency }];
    }),
  );
}
