/** A reference implementation of the market's responses, in memory, one order at a time: slow, but simple enough to be trusted. */
import type { ListCollectiblesRequest, OrderFilter } from "../../../../generated/types.ts";
import { currencies, type OrderBook, type ReferenceOrder, type ReferenceToken } from "./order-book.ts";

type Filter = NonNullable<ListCollectiblesRequest["filter"]>;

export interface ReferenceEntry {
  readonly tokenId: string;
  readonly order: string | undefined;
  readonly listing: string | undefined;
  readonly offer: string | undefined;
}

/** Price in dollars × 10^30. Undefined without a rate. */
function dollars({ currency, price }: ReferenceOrder): bigint | undefined {
  const { usdRate, decimals } = currencies.find(({ address }) => address === currency) ?? { decimals: 0 };
  return usdRate === undefined
    ? undefined
    : price * BigInt(Math.round(Number(usdRate) * 1_000)) * 10n ** BigInt(27 - decimals);
}

export function isLive(order: ReferenceOrder): boolean {
  const now = new Date().toISOString();
  return (
    order.status === "active" &&
    !order.isDeleted &&
    order.available > 0n &&
    order.validFrom <= now &&
    order.validUntil > now
  );
}

function given<Item>(list: readonly Item[] | undefined): list is readonly Item[] {
  return list !== undefined && list.length > 0;
}

/** Whether orders without a price in USD compete with all others. */
function namesCurrencies({ inCurrencyAddresses, prices }: Filter): boolean {
  return given(inCurrencyAddresses) || given(prices);
}

function counts(order: ReferenceOrder, filter: Filter): boolean {
  const {
    marketplaces,
    ordersCreatedBy,
    ordersNotCreatedBy,
    inCurrencyAddresses,
    notInCurrencyAddresses,
    prices,
  } = filter;
  if (given(marketplaces) && !marketplaces.some((one) => one === order.marketplace)) return false;
  if (given(ordersCreatedBy) && !ordersCreatedBy.includes(order.createdBy)) return false;
  if (given(ordersNotCreatedBy) && ordersNotCreatedBy.includes(order.createdBy)) return false;
  if (given(inCurrencyAddresses) && !inCurrencyAddresses.includes(order.currency)) return false;
  if (given(notInCurrencyAddresses) && notInCurrencyAddresses.includes(order.currency)) return false;
  if (
    given(prices) &&
    !prices.some(
      ({ contractAddress, min, max }) =>
        contractAddress === order.currency &&
        (min === undefined || order.price >= BigInt(min)) &&
        (max === undefined || order.price <= BigInt(max)),
    )
  )
    return false;
  return true;
}

/** Compares two orders by price. Negative if the first comes first: with `sign` 1 the lower price. */
function compareOrders(a: ReferenceOrder, b: ReferenceOrder, sign = a.side === "listing" ? 1 : -1): number {
  const [x, y] = [dollars(a), dollars(b)];
  if (x === undefined || y === undefined) {
    if (x !== y) return x === undefined ? 1 : -1;
    // Currencies without a rate follow each other in the order of their ids.
    const place = (order: ReferenceOrder) =>
      currencies.findIndex(({ address }) => address === order.currency);
    return place(a) - place(b) || sign * compare(a.price, b.price) || compareAge(a, b);
  }
  return sign * compare(x, y) || compareAge(a, b);
}

function compareAge(a: ReferenceOrder, b: ReferenceOrder): number {
  return compare(a.madeAt, b.madeAt) || compare(a.orderId, b.orderId);
}

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function passes({ name, attributes, owners }: ReferenceToken, filter: Filter): boolean {
  const { searchText = "", properties = [], inAccounts = [], notInAccounts = [] } = filter;
  const wanted = searchText.split(" ").filter((word) => word !== "");
  if (!wanted.every((word) => name.toLowerCase().includes(word.toLowerCase()))) return false;
  if (inAccounts.length > 0 && !inAccounts.some((account) => owners.includes(account))) return false;
  if (notInAccounts.some((account) => owners.includes(account))) return false;
  return properties.every(({ name: asked, min, max, values = [] }) => {
    if (min === undefined && max === undefined && values.length === 0) return true;
    const value = attributes.find(({ trait_type }) => trait_type === asked)?.value;
    if (value === undefined) return false;
    if (values.length > 0 && !values.includes(String(value))) return false;
    if (min === undefined && max === undefined) return true;
    return typeof value === "number" && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  });
}

/** The order for a token with the lowest or the highest price, among those that compete. */
export function orderOfToken(
  { orders }: OrderBook,
  side: "listing" | "offer",
  price: "lowest" | "highest",
  tokenId: bigint,
  filter: OrderFilter,
): ReferenceOrder | undefined {
  const wide = wideFilter(filter);
  return orders
    .filter((order) => competes(order, wide) && isListed(order, { sides: [side], tokenId, filter: wide }))
    .sort((a, b) => compareOrders(a, b, price === "lowest" ? 1 : -1))[0];
}

export function wideFilter(filter: OrderFilter): Filter {
  return {
    ...(filter.createdBy === undefined ? {} : { ordersCreatedBy: filter.createdBy }),
    ...(filter.marketplace === undefined ? {} : { marketplaces: filter.marketplace }),
    ...(filter.currencies === undefined ? {} : { inCurrencyAddresses: filter.currencies }),
  };
}

function competes(order: ReferenceOrder, filter: Filter): boolean {
  return dollars(order) !== undefined || namesCurrencies(filter);
}

export interface OrderListRequest {
  readonly sides: readonly ("listing" | "offer")[];
  readonly tokenId?: bigint;
  readonly filter: Filter;
}

function isListed(order: ReferenceOrder, { sides, tokenId, filter }: OrderListRequest): boolean {
  const isForToken = tokenId === undefined || order.tokenId === undefined || order.tokenId === tokenId;
  return sides.includes(order.side) && isForToken && isLive(order) && counts(order, filter);
}

/** All live orders of a list, without pages. `idOf` breaks ties. */
export function listOrders(
  { orders }: OrderBook,
  request: OrderListRequest & { readonly sort: readonly SortKey[] },
  idOf: (order: ReferenceOrder) => number,
): readonly ReferenceOrder[] {
  const { sides, filter, sort } = request;
  const segment = (order: ReferenceOrder): number =>
    sides.indexOf(order.side) + (competes(order, filter) ? 0 : sides.length);
  return orders
    .filter((order) => isListed(order, request))
    .sort((a, b) => {
      if (sort.length === 0) return segment(a) - segment(b) || compareOrders(a, b);
      for (const { column, order } of sort) {
        const sign = order === "DESC" ? -1 : 1;
        const by =
          column === "tokenId"
            ? sign * compare(a.tokenId ?? -1n, b.tokenId ?? -1n)
            : compareColumn(a, b, column, sign);
        if (by !== 0) return by;
      }
      return idOf(a) - idOf(b);
    });
}

/** Whether the token of an order passes the filter. Orders for any token have none. */
export function hasPassingToken({ tokens }: OrderBook, order: ReferenceOrder, filter: Filter): boolean {
  const token = tokens.find(({ tokenId }) => tokenId === order.tokenId);
  return token !== undefined && passes(token, filter);
}

function bestOf(
  orders: readonly ReferenceOrder[],
  side: "listing" | "offer",
  tokenId: bigint,
  filter: Filter,
  kind: "competing" | "following",
): ReferenceOrder | undefined {
  return orders
    .filter((order) => competes(order, filter) === (kind === "competing"))
    .filter((order) => isListed(order, { sides: [side], tokenId, filter }))
    .sort((a, b) => compareOrders(a, b))[0];
}

/** The first entry by best price whose listing competes. */
export function floorOf(book: OrderBook, filter: Filter): ReferenceEntry | undefined {
  const listings = sortedEntries(book, { side: "listing", filter: { ...filter, includeEmpty: false } });
  return listings.filter(({ follows }) => !follows).map(entryOf)[0];
}

/** The whole list, without pages. */
export function listCollectibles(book: OrderBook, request: ListRequest): readonly ReferenceEntry[] {
  return sortedEntries(book, request).map(entryOf);
}

type ListRequest = Pick<ListCollectiblesRequest, "side" | "filter" | "page">;

interface Entry {
  readonly tokenId: bigint;
  readonly order: ReferenceOrder | undefined;
  readonly listing: ReferenceOrder | undefined;
  readonly offer: ReferenceOrder | undefined;
  /** Whether its order has no price in USD and no filter names the currency. */
  readonly follows: boolean;
}

function entryOf({ tokenId, order, listing, offer }: Entry): ReferenceEntry {
  return {
    tokenId: String(tokenId),
    order: order?.orderId,
    listing: listing?.orderId,
    offer: offer?.orderId,
  };
}

function sortedEntries(
  { tokens, orders }: OrderBook,
  { side, filter = {}, page }: ListRequest,
): readonly Entry[] {
  const entries: readonly Entry[] = tokens
    .filter((token) => passes(token, filter))
    .map((token) => {
      const { tokenId } = token;
      const best = (one: "listing" | "offer") => bestOf(orders, one, tokenId, filter, "competing");
      const found = { tokenId, listing: best("listing"), offer: best("offer") };
      const chosen = ({
        listing,
        offer,
      }: Pick<typeof found, "listing" | "offer">): ReferenceOrder | undefined =>
        side === "listing" ? listing : side === "offer" ? offer : (listing ?? offer);
      if (chosen(found) !== undefined) return { ...found, order: chosen(found), follows: false };
      // Without a priced order on the requested sides: the best unpriced one.
      const other = (one: "listing" | "offer") =>
        side === one || side === undefined || side === "unknown"
          ? bestOf(orders, one, tokenId, filter, "following")
          : found[one];
      const late = { tokenId, listing: other("listing"), offer: other("offer") };
      return { ...late, order: chosen(late), follows: true };
    })
    .filter(({ order }) => order !== undefined || filter.includeEmpty === true);
  const sort = page?.sort ?? [];
  const byBest = (a: Entry, b: Entry): number => {
    if (a.order === undefined || b.order === undefined) return 0;
    if (a.order.side !== b.order.side) return a.order.side === "listing" ? -1 : 1;
    if (a.order === b.order) return 0;
    return compareOrders(a.order, b.order);
  };
  const byColumn = (a: Entry, b: Entry, column: string, sign: number): number => {
    if (column === "tokenId") return sign * compare(a.tokenId, b.tokenId);
    if (a.order === undefined || b.order === undefined) return 0;
    return compareColumn(a.order, b.order, column, sign);
  };
  return entries.toSorted((a, b) => {
    if ((a.order === undefined) !== (b.order === undefined)) return a.order === undefined ? 1 : -1;
    if (sort.length === 0) {
      if (a.follows !== b.follows) return a.follows ? 1 : -1;
      // Tokens that share an offer for any token follow each other by token id.
      return byBest(a, b) || compare(a.tokenId, b.tokenId);
    }
    for (const { column, order } of sort) {
      const by = byColumn(a, b, column, order === "DESC" ? -1 : 1);
      if (by !== 0) return by;
    }
    return compare(a.tokenId, b.tokenId);
  });
}

type SortKey = { readonly column: string; readonly order?: "ASC" | "DESC" };

function compareColumn(a: ReferenceOrder, b: ReferenceOrder, column: string, sign: number): number {
  if (column === "priceUSD") {
    const [x, y] = [dollars(a), dollars(b)];
    if (x !== undefined && y !== undefined) return sign * compare(x, y);
    return x === y ? 0 : x === undefined ? 1 : -1;
  }
  const key = { createdAt: "madeAt", updatedAt: "updatedAt", validUntil: "validUntil" }[column] as
    | "madeAt"
    | "updatedAt"
    | "validUntil";
  return sign * compare(a[key], b[key]);
}
