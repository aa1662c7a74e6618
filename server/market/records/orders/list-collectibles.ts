import type { Queries } from "../../../base/storage/database.ts";
import type { AssetRow, TokenRow } from "../collectibles/token-sql.ts";
import type { Currency } from "../currencies/currency.ts";
import { readRows } from "../json-row.ts";
import type { PageEnd } from "./collectible-sort.ts";
import type { CollectiblesAsk } from "./collectibles-ask.ts";
import { CollectiblesStatement, type Entry, entryJson } from "./collectibles-statement.ts";
import { type OrderRow, ownOrderJson } from "./order-columns.ts";
export interface CollectibleRow {
  readonly token: TokenRow;
  /** The cheapest listing, and the dearest offer, among those that count. */
  readonly listing: OrderRow | undefined;
  readonly offer: OrderRow | undefined;
}

export interface CollectiblesPage {
  readonly rows: readonly CollectibleRow[];
  readonly more: boolean;
  /** Undefined: nothing follows. */
  readonly end: PageEnd | undefined;
}

/** Tokens with their best orders, in one statement, so that all of a page is of one moment. */
export async function listCollectibles(queries: Queries, ask: CollectiblesAsk): Promise<CollectiblesPage> {
  const [found] = await queries.query<Found>(...new CollectiblesStatement(ask).done());
  const entries = readRows(entryJson, found?.entries);
  const orders = ordersOf(found, entries, ask);
  const order = (id: number | null): OrderRow | undefined => (id === null ? undefined : orders.get(id));
  const rows = entries.map(({ id, token, listing, offer }) => ({
    token: { ...token, assets: found?.assets?.[id] ?? null },
    listing: order(listing),
    offer: order(offer),
  }));
  return { rows, more: found?.end != null, end: found?.end ?? undefined };
}

interface Found {
  /** JSON. Null: none. */
  readonly orders: string | null;
  readonly entries: string | null;
  /** Those of the orders, if some may be in no lane. Null: none. */
  readonly currencies?: readonly Currency[] | null;
  /** By the ids of tokens. */
  readonly assets: Readonly<Record<number, readonly AssetRow[]>> | null;
  /** Null: nothing follows. */
  readonly end: PageEnd | null;
}

/** By their ids. What they share is known, or stands with the tokens. */
function ordersOf(
  found: Pick<Found, "orders" | "currencies"> | undefined,
  entries: readonly Entry[],
  { chainId, contractAddress, lanes }: CollectiblesAsk,
): ReadonlyMap<number, OrderRow> {
  const known = [...lanes.map(({ currency }) => currency), ...(found?.currencies ?? [])];
  const currencies = new Map(known.map((currency) => [currency.id, currency]));
  const tokenIds = new Map(entries.map(({ id, token }) => [id, token.tokenId]));
  return new Map(
    readRows(ownOrderJson, found?.orders).map((own) => {
      const currency = currencies.get(own.currencyId);
      if (currency === undefined) throw new Error(`the currency of order ${own.id} was not read`);
      const tokenId = own.collectibleId === null ? null : (tokenIds.get(own.collectibleId) ?? null);
      return [own.id, { own, chainId, contractAddress, tokenId, currency }];
    }),
  );
}
