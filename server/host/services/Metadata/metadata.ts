import type { MetadataHandlers } from "../../../../generated/server.ts";
import type { ContractInfo, TokenMetadata } from "../../../../generated/types.ts";
import { RequestRejection } from "../../../base/request-rejection.ts";
import type { ContractTypes } from "../../../chain/contract-types/contract-types.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import type { Chains } from "../../../chain/rpc/chains.ts";
import { collectionKeys, currencyKey, type MarketTable } from "../../../market/etags/market-versions.ts";
import {
  searchTokens,
  type TokenReference,
  tokensById,
} from "../../../market/records/collectibles/tokens.ts";
import { collectionFilters } from "../../../market/records/properties/collection-filters.ts";
import { type CallContext, networkOf } from "../call-context.ts";
import { contractInfosOf } from "../contract-infos.ts";
import { checkNumber, checkProperties, type MarketCall, type MarketReads } from "../market-reads.ts";
import { metadataResponse, unknownToken } from "../market-responses.ts";

interface MetadataDependencies {
  readonly networks: Networks;
  readonly chains: Chains;
  readonly contractTypes: ContractTypes;
  readonly reads: MarketReads;
}

/** The methods of the service, except those that all services share. */
export function metadataHandlers({
  networks,
  chains,
  contractTypes,
  reads,
}: MetadataDependencies): Omit<MetadataHandlers<CallContext>, "Ping" | "Version"> {
  const filtersOf = collectionFilters();
  const contractInfos = contractInfosOf({ chains, contractTypes });

  /** Returns the metadata of each token in the order of the request. */
  async function metadataOf(
    ctx: MarketCall,
    chainId: number,
    references: readonly TokenReference[],
  ): Promise<TokenMetadata[]> {
    const tokens = await tokensById(ctx.context.database, chainId, references);
    return references.map(({ tokenId }, index) => {
      const token = tokens[index];
      return token === undefined ? unknownToken(tokenId) : metadataResponse(token);
    });
  }

  return {
    TokenCollectionFilters: (ctx, req) =>
      reads.read(ctx, req, propertyKeys(req), async (chainId) => ({
        filters: [...(await filtersOf(ctx.context.database, chainId, req.contractAddress))],
      })),
    GetTokenMetadataPropertyFilters: (ctx, req) =>
      reads.read(ctx, req, propertyKeys(req), async (chainId) => {
        const excluded = new Set(req.excludeProperties);
        const filters = await filtersOf(ctx.context.database, chainId, req.contractAddress);
        return {
          filters: filters
            .filter(({ name }) => !excluded.has(name))
            .map((filter) => (req.excludePropertyValues ? { ...filter, values: [] } : filter)),
        };
      }),
    GetTokenMetadata: (ctx, req) => {
      const { contractAddress, tokenIDs } = req;
      for (const [index, tokenId] of tokenIDs.entries()) checkNumber(`/tokenIDs/${index}`, tokenId);
      return reads.read(ctx, req, tokenKeys([contractAddress]), async (chainId) => ({
        tokenMetadata: await metadataOf(
          ctx,
          chainId,
          tokenIDs.map((tokenId) => ({ contractAddress, tokenId })),
        ),
      }));
    },
    GetTokenMetadataBatch: (ctx, req) => {
      const references = Object.entries(req.contractTokenMap).flatMap(([key, tokenIds]) => {
        const contractAddress = readAddressKey(key);
        return tokenIds.map((tokenId, index) => {
          checkNumber(`/contractTokenMap/${key}/${index}`, tokenId);
          return { contractAddress, tokenId };
        });
      });
      const addresses = [...new Set(Object.keys(req.contractTokenMap).map(readAddressKey))];
      return reads.read(ctx, req, tokenKeys(addresses), async (chainId) => {
        const metadata = await metadataOf(ctx, chainId, references);
        const lists = addresses.map((address): [string, TokenMetadata[]] => [
          address,
          metadata.filter((_, index) => references[index]?.contractAddress === address),
        ]);
        return { contractTokenMetadata: Object.fromEntries(lists) };
      });
    },
    SearchTokenMetadata: (ctx, req) => {
      const { contractAddress, filter } = req;
      checkProperties(filter?.properties);
      const unsorted = { ...req, page: req.page && { ...req.page, sort: [] } };
      return reads.readPage(ctx, unsorted, tokenKeys([contractAddress]), async (chainId, page) => {
        const conditions = { searchText: filter?.text, properties: filter?.properties };
        const { rows, more } = await searchTokens(ctx.context.database, {
          chainId,
          contractAddress,
          conditions,
          pageSize: page.pageSize,
          offset: page.offset,
          after: page.after?.[0],
        });
        const last = rows.at(-1);
        return {
          reply: { tokenMetadata: rows.map(metadataResponse) },
          more,
          cursor: more && last !== undefined ? [last.tokenId] : undefined,
        };
      });
    },
    GetContractInfo: (ctx, req) =>
      reads.readStored(
        ctx,
        req,
        (chainId) => [currencyKey(chainId)],
        async () => {
          const [info] = await contractInfos(ctx, networkOf(networks, req), [req.contractAddress]);
          const contractInfo = info as ContractInfo;
          return {
            reply: { contractInfo },
            isStored: contractInfo.source === "host" && contractInfo.type !== "UNKNOWN",
          };
        },
      ),
    GetContractInfoBatch: async (ctx, req) => {
      const infos = await contractInfos(ctx, networkOf(networks, req), [...new Set(req.contractAddresses)]);
      return { contractInfoMap: Object.fromEntries(infos.map((info) => [info.address, info])) };
    },
  };
}

function propertyKeys({ contractAddress }: { readonly contractAddress: string }) {
  return (chainId: number) => collectionKeys(chainId, [contractAddress], ["collectible"]);
}

/** An order may show a token that is hidden otherwise. */
const shownTables: readonly MarketTable[] = ["collectible", "asset", "market_order"];

function tokenKeys(addresses: readonly string[]) {
  return (chainId: number) => collectionKeys(chainId, addresses, shownTables);
}

/** Throws RequestRejection. Keys of maps have no pattern in the schema. */
function readAddressKey(key: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(key))
    throw new RequestRejection(`/contractTokenMap: "${key}" is not an address`);
  return key.toLowerCase();
}
