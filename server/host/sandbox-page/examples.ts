import type { Queries } from "../../base/storage/database.ts";
import type { LocalChain } from "../../chain/sandbox/local-network.ts";

/**
 * Example requests that succeed with the sandbox's records, by method: `Marketplace/GetOrders`. Omits methods without a matching
 * record.
 */
export type Examples = Readonly<Record<string, unknown>>;

export interface ExampleSources {
  readonly database: Queries;
  readonly projectId: number;
  readonly defaultChainId: number;
  readonly receiverUrl: string;
  readonly localChain: LocalChain | undefined;
}

/** The call that the terminal and the page recommend first: one that succeeds with the records of the sandbox. */
export function firstCall(localChain: LocalChain | undefined): string {
  return localChain === undefined ? "Builder/GetAudience" : "Marketplace/GetFloorOrder";
}

export async function readExamples(sources: ExampleSources): Promise<Examples> {
  const { database, projectId, defaultChainId } = sources;
  const [order] = await database.query<OrderExample>(orderSql, [defaultChainId]);
  const [offer] = await database.query<OrderExample>(offerSql, [defaultChainId]);
  const [audience] = await database.query<{ id: number }>(audienceSql, [projectId]);
  const [listener] = await database.query<{ id: number }>(listenerSql, [projectId, defaultChainId]);
  const filter = {
    contractAddresses: [order?.address ?? sources.localChain?.tokens.USD ?? `0x${"0".repeat(40)}`],
    events: [order === undefined ? erc20Transfer : erc721Transfer],
  };
  return {
    "API/IsValidTypedDataSignature": signedGreeting(String(defaultChainId)),
    "API/IsValidMessageSignature": { chainId: String(defaultChainId), ...signedText },
    ...swapExamples(sources),
    ...(order === undefined ? {} : marketExamples(order, offer ?? order)),
    ...(audience === undefined ? {} : { "Builder/GetAudience": { audienceId: audience.id } }),
    ...(listener === undefined ? {} : listenerExamples(listener.id, projectId)),
    "Indexer/AddWebhookListener": { url: sources.receiverUrl, filters: filter },
    "Indexer/SubscribeEvents": { filter },
  };
}

interface OrderExample {
  readonly address: string;
  readonly chainId: number;
  readonly orderId: string;
  readonly tokenId: string;
}

const orderColumns = `
select collection.address::text as address, collection.chain_id::float8 as "chainId", o.order_id as "orderId",
       token.token_id::text as "tokenId"
from (select * from market_order order by id desc limit 1000) o
join collection on collection.id = o.collection_id join collectible token on token.id = o.collectible_id
where collection.chain_id = $1`;
const orderSql = `${orderColumns} order by o.status = 'active' desc, o.side = 'listing' desc, o.id limit 1`;
const offerSql = `${orderColumns} and o.side = 'offer' order by o.status = 'active' desc, o.id limit 1`;
const audienceSql =
  "select id::float8 as id from audience where project_id = $1 and deleted_at is null order by id limit 1";
const listenerSql =
  "select id::float8 as id from webhook_listener where project_id = $1 and chain_id = $2 order by created_at limit 1";

function marketExamples(order: OrderExample, offer: OrderExample): Examples {
  const { address: contractAddress, chainId, orderId, tokenId } = order;
  const ofNetwork = { chainId: String(chainId), contractAddress };
  const listed = { contractAddress, tokenId };
  const offered = { contractAddress: offer.address, tokenId: offer.tokenId };
  return {
    "Marketplace/GetOrders": { input: [{ contractAddress, orderId }] },
    ...examplesOf("Marketplace", { side: "listing", contractAddress }, [
      "ListCollectibles",
      "ListOrdersWithCollectibles",
      "GetCountOfAllOrders",
      "GetCountOfFilteredOrders",
      "GetCountOfFilteredCollectibles",
    ]),
    ...examplesOf("Marketplace", { contractAddress }, [
      "GetFloorOrder",
      "ListListings",
      "GetCountOfAllCollectibles",
      "GetCollectionDetail",
      "GetCollectionActiveListingsCurrencies",
    ]),
    ...examplesOf("Marketplace", { contractAddress: offer.address }, [
      "ListOffers",
      "GetCollectionActiveOffersCurrencies",
    ]),
    ...examplesOf("Marketplace", listed, [
      "GetCollectible",
      "GetLowestPriceListingForCollectible",
      "GetHighestPriceListingForCollectible",
      "ListListingsForCollectible",
      "GetCountOfListingsForCollectible",
    ]),
    ...examplesOf("Marketplace", offered, [
      "GetHighestPriceOfferForCollectible",
      "GetLowestPriceOfferForCollectible",
      "ListOffersForCollectible",
      "GetCountOfOffersForCollectible",
    ]),
    ...examplesOf("Metadata", ofNetwork, [
      "TokenCollectionFilters",
      "GetTokenMetadataPropertyFilters",
      "SearchTokenMetadata",
      "GetContractInfo",
    ]),
    ...examplesOf("Indexer", { contractAddress }, ["GetTokenSupplies", "GetTokenIDRanges"]),
    "Indexer/GetTokenBalances": { accountAddress: firstAccount },
    "Metadata/GetTokenMetadata": { ...ofNetwork, tokenIDs: [tokenId] },
    "Metadata/GetTokenMetadataBatch": {
      chainId: ofNetwork.chainId,
      contractTokenMap: { [contractAddress]: [tokenId] },
    },
    "Metadata/GetContractInfoBatch": {
      chainId: ofNetwork.chainId,
      contractAddresses: [contractAddress],
    },
  };
}

function examplesOf(service: string, request: object, methods: readonly string[]): Examples {
  return Object.fromEntries(methods.map((method) => [`${service}/${method}`, request]));
}

function swapExamples({ localChain, defaultChainId }: ExampleSources): Examples {
  if (localChain === undefined) return {};
  const swap = {
    sellCurrencyAddress: localChain.tokens.USD,
    buyCurrencyAddress: localChain.tokens.GEM,
    buyAmount: "1000000000000000000",
    chainId: String(defaultChainId),
  };
  return {
    "API/GetSwapPrice": swap,
    "API/GetSwapQuote": { userAddress: firstAccount, ...swap, includeApprove: true },
  };
}

function listenerExamples(id: number, projectId: number): Examples {
  const methods = ["ToggleWebhookListener", "GetWebhookListener", "RotateWebhookSecret"];
  return {
    ...Object.fromEntries(methods.map((method) => [`Indexer/${method}`, { id }])),
    "Indexer/RemoveWebhookListener": { id, projectId },
    "Indexer/UpdateWebhookListener": { id, name: "renamed" },
  };
}

/** An account of the local chain that has coins and every token. */
const firstAccount = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

const erc20Transfer = "Transfer(address indexed from, address indexed to, uint256 value)";
const erc721Transfer = "Transfer(address indexed from, address indexed to, uint256 indexed tokenId)";

/** A signed text: the response is `{"isValid":true}` on every network. */
const signedText = {
  walletAddress: "0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a",
  message: "Sign in to example.com",
  signature:
    "0x21626af98124fa734ba32a91a15f3ed819e0f56413dc53921ae10257965e5a6833dec72fb9ed13618c979373fc4a508fe72f3e0af4bde6b52945c9931ac84cea1c",
};

/** Signed data: the response is `{"isValid":true}` on every network. */
export function signedGreeting(chainId: string | undefined): unknown {
  return {
    chainId,
    walletAddress: "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826",
    typedData: {
      types: { Greeting: [{ name: "text", type: "string" }] },
      domain: { name: "Try" },
      message: { text: "hello" },
    },
    signature:
      "0xdea54cfcd7557ae73c223a85889dd6bb202be403d66cc9ce436e9d8ac31fd00d0f6fb0aa525999e782ae2284a253ba2444e9f3a30e757f9e782e8595d9cbac6b1b",
  };
}
