import type { RpcFailure } from "ridlkit-runtime/handler";
import type { NotModified } from "ridlkit-runtime/reads";
import type { MarketplaceHandlers } from "../../../../generated/server.ts";
import type {
  CollectiblesFilter,
  ExecuteInputWithDefaults,
  GetCollectionDetailResponse,
  Order,
  OrderFilter,
  OrderSide,
  Page,
} from "../../../../generated/types.ts";
import { NotServed, RequestRejection } from "../../../base/request-rejection.ts";
import type { ContractTypes } from "../../../chain/contract-types/contract-types.ts";
import { type SeaportMarket, seaportOf } from "../../../chain/networks/markets.ts";
import { zeroAddress } from "../../../chain/networks/network.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { Chains } from "../../../chain/rpc/chains.ts";
import { collectionKeys, currencyKey, type MarketTable } from "../../../market/etags/market-versions.ts";
import type { SignedOrder } from "../../../market/indexer/seaport/order.ts";
import { readSignedOrder } from "../../../market/indexer/seaport/parse-signed-order.ts";
import { SubmitFailure, submitOrder } from "../../../market/indexer/seaport/submit.ts";
import { OrderRejection, termsOf } from "../../../market/indexer/seaport/terms.ts";
import { findCollection } from "../../../market/records/collectibles/collection.ts";
import type { TokenConditions, TokenRow } from "../../../market/records/collectibles/token-sql.ts";
import { tokensById } from "../../../market/records/collectibles/tokens.ts";
import type { CurrencyRates } from "../../../market/records/currencies/currency.ts";
import { listCurrencies } from "../../../market/records/currencies/currency-list.ts";
import { countCollectibles } from "../../../market/records/orders/count-collectibles.ts";
import { currenciesOfOrders } from "../../../market/records/orders/currencies-of-orders.ts";
import { listCollectibles } from "../../../market/records/orders/list-collectibles.ts";
import {
  countLiveOrders,
  type LiveOrdersQuery,
  listLiveOrders,
} from "../../../market/records/orders/live-orders.ts";
import { orderOfToken, type TokenOrderQuery } from "../../../market/records/orders/order-of-token.ts";
import type { Side } from "../../../market/records/orders/order-sql.ts";
import { ordersById } from "../../../market/records/orders/orders-by-id.ts";
import {
  findPriceBands,
  findUnpricedExclusions,
  type OrderConditions,
} from "../../../market/records/orders/price-bands.ts";
import { nativeCoin } from "../../../wallets/swaps/swap.ts";
import { type CallContext, networkOf } from "../call-context.ts";
import {
  checkNumber,
  checkProperties,
  type KeysOf,
  type MarketCall,
  type MarketReads,
  type PagedRequest,
  readMarketPage,
  servedPage,
} from "../market-reads.ts";
import {
  collectibleResponses,
  currencyResponse,
  metadataResponse,
  orderResponse,
  ratesOf,
} from "../market-responses.ts";

interface MarketplaceDependencies {
  readonly networks: Networks;
  readonly chains: Chains;
  readonly contractTypes: ContractTypes;
  readonly rates: CurrencyRates;
  readonly reads: MarketReads;
}

/** The methods of the service, except those that all services share. */
export function marketplaceHandlers({
  networks,
  chains,
  contractTypes,
  rates,
  reads,
}: MarketplaceDependencies): Omit<MarketplaceHandlers<CallContext>, "Ping" | "Version"> {
  /** The currencies with a rate, and how orders that meet the conditions compete. */
  async function competition({ database }: CallContext, chainId: number, orders: OrderConditions) {
    const priced = await rates.pricedOn(chainId);
    return {
      known: ratesOf(priced),
      competing: {
        orders,
        bands: await findPriceBands(database, chainId, orders, priced),
        unpricedExclusions: await findUnpricedExclusions(database, chainId, orders, priced),
      },
    };
  }

  function readOrderOfToken(
    ctx: MarketCall,
    req: TokenRequest,
    side: Side,
    price: TokenOrderQuery["price"],
  ): Promise<{ order: Order | null } | NotModified> {
    const { contractAddress, tokenId } = req;
    checkNumber("/tokenId", tokenId);
    return reads.read(ctx, req, orderKeys([contractAddress]), async (chainId) => {
      const { known, competing } = await competition(ctx.context, chainId, offerConditions(req.filter));
      const query = { chainId, contractAddress, tokenId, side, price, ...competing };
      const found = await orderOfToken(ctx.context.database, query);
      return { order: found === undefined ? null : orderResponse(found, known) };
    });
  }

  function readOrders<Reply extends object>(
    ctx: MarketCall,
    req: CollectionRequest & PagedRequest,
    { keys, withTokens, ...scope }: OrderScope,
    replyOf: (rows: readonly { order: Order; token: TokenRow | undefined }[]) => Reply,
  ): Promise<(Reply & { readonly page: Page }) | NotModified> {
    const { contractAddress } = req;
    return reads.readPage(ctx, req, keys, async (chainId, page) => {
      const { known, competing } = await competition(ctx.context, chainId, scope.orders);
      const query = { chainId, contractAddress, ...scope, ...competing, ...page, withTokens };
      const { rows, ...found } = await listLiveOrders(ctx.context.database, query);
      const reply = replyOf(rows.map(({ order, token }) => ({ order: orderResponse(order, known), token })));
      return { reply, ...found };
    });
  }

  function countOrders(
    ctx: MarketCall,
    req: CollectionRequest,
    { keys, ...scope }: OrderScope,
  ): Promise<{ count: number } | NotModified> {
    return reads.read(ctx, req, keys, async (chainId) => {
      const { competing } = await competition(ctx.context, chainId, scope.orders);
      const query = { chainId, contractAddress: req.contractAddress, ...scope, ...competing };
      return { count: await countLiveOrders(ctx.context.database, query) };
    });
  }

  function countTokens(
    ctx: MarketCall,
    req: CollectionRequest & { readonly side?: OrderSide; readonly filter?: CollectiblesFilter | undefined },
  ): Promise<{ count: number } | NotModified> {
    const { contractAddress, filter, side } = req;
    checkFilter(filter);
    return reads.read(ctx, req, listKeys(req), async (chainId) => {
      const { competing } = await competition(ctx.context, chainId, orderConditions(filter));
      const count = await countCollectibles(ctx.context.database, {
        chainId,
        contractAddress,
        side: sideOf(side),
        includeEmpty: filter?.includeEmpty ?? false,
        tokens: tokenConditions(filter),
        ...competing,
      });
      return { count };
    });
  }

  async function readCurrenciesOfOrders(ctx: MarketCall, req: CollectionRequest, side: Side) {
    const { contractAddress } = req;
    return reads.read(ctx, req, orderKeys([contractAddress]), async (chainId) => {
      const rows = await currenciesOfOrders(ctx.context.database, chainId, contractAddress, side);
      const known = ratesOf(await rates.pricedOn(chainId));
      return { currencies: rows.map((row) => currencyResponse(chainId, row, known)) };
    });
  }

  return {
    /** Pages follow the order of the request, so that they stay the same while orders change. No sort is applied. */
    GetOrders: (ctx, req) => {
      const page = readMarketPage(req.page ?? { page: 1, pageSize: requestedMax });
      const start = (page.page - 1) * page.pageSize;
      const names = req.input.slice(start, start + page.pageSize);
      const served = servedPage({ ...page, sort: [] }, start + page.pageSize < req.input.length);
      const addresses = names.map(({ contractAddress }) => contractAddress);
      return reads.read(ctx, req, orderKeys(addresses), async (chainId) => {
        if (names.length === 0) return { orders: [], page: served };
        const [rows, priced] = await Promise.all([
          ordersById(ctx.context.database, chainId, names),
          rates.pricedOn(chainId),
        ]);
        const known = ratesOf(priced);
        return { orders: rows.map((row) => orderResponse(row, known)), page: served };
      });
    },
    ListCollectibles: (ctx, req) => {
      const { contractAddress, filter } = req;
      checkFilter(filter);
      const side = sideOf(req.side);
      return reads.readPage(ctx, req, listKeys(req), async (chainId, page) => {
        const { known, competing } = await competition(ctx.context, chainId, orderConditions(filter));
        const { rows, ...found } = await listCollectibles(ctx.context.database, {
          chainId,
          contractAddress,
          side,
          includeEmpty: filter?.includeEmpty ?? false,
          tokens: tokenConditions(filter),
          ...competing,
          ...page,
        });
        return { reply: { collectibles: collectibleResponses(rows, side, known) }, ...found };
      });
    },
    Execute: (ctx, { params }) =>
      asRejection(async () => {
        const network = networkOf(networks, params, ctx.context.pathNetwork);
        const { chainId } = network;
        const market = seaportOf(network.markets);
        if (market === undefined) throw new NotServed(`this host has no Seaport market on ${network.name}`);
        const { callerName, database } = ctx.context;
        const chain = await chains.of(network, callerName);
        const submission = { database, chain, chainId, market, signal: ctx.signal };
        const { orderHash } = await submitOrder(submission, signedOrderOf(params, market));
        return { orderId: orderHash };
      }),
    /** Returns the first entry of a list of listings by best price. */
    GetFloorOrder: (ctx, req) => {
      const { contractAddress, filter } = req;
      checkFilter(filter);
      return reads.read(ctx, req, listKeys(req), async (chainId) => {
        const { known, competing } = await competition(ctx.context, chainId, orderConditions(filter));
        const { rows } = await listCollectibles(ctx.context.database, {
          chainId,
          contractAddress,
          side: "listing",
          includeEmpty: false,
          tokens: tokenConditions(filter),
          ...competing,
          unpricedExclusions: undefined,
          sort: [],
          pageSize: 1,
          offset: 0,
        });
        const [floor] = collectibleResponses(rows, "listing", known);
        return { collectible: floor ?? null };
      });
    },
    GetHighestPriceOfferForCollectible: (ctx, req) => readOrderOfToken(ctx, req, "offer", "highest"),
    GetLowestPriceOfferForCollectible: (ctx, req) => readOrderOfToken(ctx, req, "offer", "lowest"),
    GetHighestPriceListingForCollectible: (ctx, req) => readOrderOfToken(ctx, req, "listing", "highest"),
    GetLowestPriceListingForCollectible: (ctx, req) => readOrderOfToken(ctx, req, "listing", "lowest"),
    ListListingsForCollectible: (ctx, req) =>
      readOrders(ctx, req, tokenScope(req, "listing"), (rows) => ({ listings: ordersOf(rows) })),
    ListOffersForCollectible: (ctx, req) =>
      readOrders(ctx, req, tokenScope(req, "offer"), (rows) => ({ offers: ordersOf(rows) })),
    ListListings: (ctx, req) =>
      readOrders(ctx, req, collectionScope(req, "listing"), (rows) => ({ listings: ordersOf(rows) })),
    ListOffers: (ctx, req) =>
      readOrders(ctx, req, collectionScope(req, "offer"), (rows) => ({ offers: ordersOf(rows) })),
    ListOrdersWithCollectibles: (ctx, req) =>
      readOrders(ctx, req, filteredScope(req), (rows) => ({
        collectibles: rows.flatMap(({ order, token }) =>
          token === undefined ? [] : [{ metadata: metadataResponse(token), order }],
        ),
      })),
    GetCountOfListingsForCollectible: (ctx, req) => countOrders(ctx, req, tokenScope(req, "listing")),
    GetCountOfOffersForCollectible: (ctx, req) => countOrders(ctx, req, tokenScope(req, "offer")),
    GetCountOfAllOrders: (ctx, req) => countOrders(ctx, req, filteredScope(req)),
    GetCountOfFilteredOrders: (ctx, req) => countOrders(ctx, req, filteredScope(req)),
    GetCountOfAllCollectibles: (ctx, req) => countTokens(ctx, { ...req, filter: { includeEmpty: true } }),
    GetCountOfFilteredCollectibles: (ctx, req) => countTokens(ctx, req),
    GetCollectible: (ctx, req) => {
      const { contractAddress, tokenId } = req;
      checkNumber("/tokenId", tokenId);
      return reads.read(ctx, req, listKeys({ contractAddress }), async (chainId) => {
        const [token] = await tokensById(ctx.context.database, chainId, [{ contractAddress, tokenId }]);
        return token === undefined ? ctx.errors.NotFound() : { metadata: metadataResponse(token) };
      });
    },
    GetCollectionDetail: (ctx, req) => {
      const { contractAddress } = req;
      const keysOf: KeysOf = (chainId) => collectionKeys(chainId, [contractAddress], ["followed_collection"]);
      type Reply = GetCollectionDetailResponse | RpcFailure<"NotFound">;
      return reads.readStored<Reply>(ctx, req, keysOf, async (chainId) => {
        const { database, callerName, pathNetwork } = ctx.context;
        const found = await findCollection(database, chainId, contractAddress);
        if (found === undefined) return { reply: ctx.errors.NotFound(), isStored: false };
        const openChain = () => chains.of(networkOf(networks, req, pathNetwork), callerName);
        const contractType = await contractTypes.of(database, chainId, contractAddress as Hex, openChain);
        const collection: GetCollectionDetailResponse["collection"] = {
          status: found.isActive ? "active" : "inactive",
          chainId,
          contractAddress,
          contractType,
          createdAt: found.createdAt,
        };
        return { reply: { collection }, isStored: contractType !== "UNKNOWN" };
      });
    },
    ListCurrencies: (ctx, req) => {
      const { currencies } = networkOf(networks, req, ctx.context.pathNetwork);
      return reads.read(
        ctx,
        req,
        (chainId) => [currencyKey(chainId)],
        async (chainId) => {
          const priced = await rates.pricedOn(chainId);
          const rows = await listCurrencies(
            ctx.context.database,
            chainId,
            priced.map(({ id }) => id),
            currencies.map(({ address }) => address),
          );
          const known = ratesOf(priced);
          return { currencies: rows.map((row) => currencyResponse(chainId, row, known)) };
        },
      );
    },
    GetCollectionActiveListingsCurrencies: (ctx, req) => readCurrenciesOfOrders(ctx, req, "listing"),
    GetCollectionActiveOffersCurrencies: (ctx, req) => readCurrenciesOfOrders(ctx, req, "offer"),
  };
}

/** Throws RequestRejection or OrderRejection. */
function signedOrderOf(
  { executeType, body, signature }: ExecuteInputWithDefaults,
  { zones }: SeaportMarket,
): SignedOrder {
  const signed = readSignedOrder(body.parameters, signature, "/params/body/parameters", "/params/signature");
  const { side } = termsOf(signed.order, zones);
  if (executeType === "createTraitOffer")
    throw new RequestRejection("/params/executeType: offers for certain properties are not supported");
  const only: Partial<Record<typeof executeType, typeof side>> = {
    createListing: "listing",
    createItemOffer: "offer",
  };
  if ((only[executeType] ?? side) !== side)
    throw new RequestRejection(
      `/params/executeType: ${executeType} is not for this order, which is ${side === "offer" ? "an offer" : "a listing"}`,
    );
  return signed;
}

/** Rejections of an order become those of its request. */
async function asRejection<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (err) {
    if (err instanceof OrderRejection)
      throw new RequestRejection(err.message.startsWith("/") ? err.message : `/params/body: ${err.message}`);
    if (err instanceof RequestRejection && err.message.startsWith("/chainId"))
      throw new RequestRejection(`/params${err.message}`);
    if (err instanceof SubmitFailure) throw new NotServed(err.message);
    throw err;
  }
}

interface CollectionRequest {
  readonly chainId?: string | undefined;
  readonly contractAddress: string;
}

interface OffersRequest extends CollectionRequest {
  readonly filter?: OrderFilter | undefined;
}

interface TokenRequest extends OffersRequest {
  readonly tokenId: string;
}

/** Which orders a list or a count has. */
interface OrderScope
  extends Pick<LiveOrdersQuery, "tokenId" | "sides" | "countsOffersForAny" | "orders" | "tokens"> {
  readonly keys: KeysOf;
  readonly withTokens: boolean;
}

/** The orders of a collection, offers for any token included. */
function collectionScope({ contractAddress, filter }: OffersRequest, side: Side): OrderScope {
  return {
    keys: orderKeys([contractAddress]),
    sides: [side],
    countsOffersForAny: true,
    orders: offerConditions(filter),
    tokens: {},
    withTokens: false,
  };
}

function tokenScope(req: TokenRequest, side: Side): OrderScope {
  checkNumber("/tokenId", req.tokenId);
  return { ...collectionScope(req, side), tokenId: req.tokenId };
}

/** The orders for the tokens of a collection. */
function filteredScope(req: ListRequest & { readonly side: OrderSide }): OrderScope {
  const { filter } = req;
  checkFilter(filter);
  const side = sideOf(req.side);
  return {
    keys: listKeys(req),
    sides: side === undefined ? ["listing", "offer"] : [side],
    countsOffersForAny: false,
    orders: orderConditions(filter),
    tokens: tokenConditions(filter),
    withTokens: true,
  };
}

function sideOf(side: OrderSide | undefined): Side | undefined {
  return side === "unknown" ? undefined : side;
}

function ordersOf(rows: readonly { readonly order: Order }[]): Order[] {
  return rows.map(({ order }) => order);
}

/** The most orders that a request may name. */
const requestedMax = 100;

export function orderConditions(filter: CollectiblesFilter | undefined): OrderConditions {
  return {
    marketplaces: filter?.marketplaces,
    createdBy: filter?.ordersCreatedBy,
    notCreatedBy: filter?.ordersNotCreatedBy,
    currencies: filter?.inCurrencyAddresses?.map(storedCurrency),
    notCurrencies: filter?.notInCurrencyAddresses?.map(storedCurrency),
    prices: filter?.prices?.map((range) => ({
      ...range,
      contractAddress: storedCurrency(range.contractAddress),
    })),
  };
}

export function tokenConditions(filter: CollectiblesFilter | undefined): TokenConditions {
  return {
    searchText: filter?.searchText,
    properties: filter?.properties,
    owners: filter?.inAccounts,
    notOwners: filter?.notInAccounts,
  };
}

/** Throws a failure if a filter exceeds a limit that the schema cannot express. */
export function checkFilter(filter: CollectiblesFilter | undefined): void {
  checkProperties(filter?.properties);
  for (const [index, { min, max }] of (filter?.prices ?? []).entries()) {
    checkNumber(`/filter/prices/${index}/min`, min);
    checkNumber(`/filter/prices/${index}/max`, max);
  }
}

export function offerConditions(filter: OrderFilter | undefined): OrderConditions {
  const currencies = filter?.currencies?.map(storedCurrency);
  return { marketplaces: filter?.marketplace, createdBy: filter?.createdBy, currencies };
}

/** Orders store the zero address for a chain's native coin. Callers may also use the address that swaps use. */
function storedCurrency(address: string): string {
  return address === nativeCoin ? zeroAddress : address;
}

interface ListRequest {
  readonly contractAddress: string;
  readonly filter?: CollectiblesFilter | undefined;
}

/** The keys of the data that a list of a collection's tokens shows. Owners only select tokens. */
export function listKeys({ contractAddress, filter }: ListRequest): KeysOf {
  const namesOwners = (filter?.inAccounts?.length ?? 0) + (filter?.notInAccounts?.length ?? 0) > 0;
  const tables: readonly MarketTable[] = namesOwners ? [...shown, "collectible_owner"] : shown;
  return (chainId) => [currencyKey(chainId), ...collectionKeys(chainId, [contractAddress], tables)];
}

const shown: readonly MarketTable[] = ["market_order", "collectible", "asset"];

function orderKeys(addresses: readonly string[]): KeysOf {
  return (chainId) => [currencyKey(chainId), ...collectionKeys(chainId, addresses, ["market_order"])];
}
