/** Reads of who owns which tokens. */
import type { ErrorMakers, RpcFailure } from "ridlkit-runtime/handler";
import type { NotModified } from "ridlkit-runtime/reads";
import type { IndexerHandlers } from "../../../../generated/server.ts";
import type {
  ContractInfo,
  ContractType,
  TokenMetadata,
  TokenPage,
  TokenPageInputWithDefaults,
} from "../../../../generated/types.ts";
import { RequestRejection } from "../../../base/request-rejection.ts";
import type { ContractTypes } from "../../../chain/contract-types/contract-types.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import type { Chains } from "../../../chain/rpc/chains.ts";
import {
  allCollectionsKeys,
  collectionKeys,
  type MarketTable,
} from "../../../market/etags/market-versions.ts";
import {
  listBalances,
  listSupplies,
  listTokenRanges,
  typeOfOwnedCollection,
} from "../../../market/records/collectibles/holdings.ts";
import { type TokenReference, tokensById } from "../../../market/records/collectibles/tokens.ts";
import { type CallContext, networkOf } from "../call-context.ts";
import { contractInfosOf } from "../contract-infos.ts";
import {
  checkNumber,
  type KeysOf,
  type MarketCall,
  type MarketReads,
  readMarketPage,
} from "../market-reads.ts";
import { metadataResponse, unknownToken } from "../market-responses.ts";

export interface OwnerDependencies {
  readonly networks: Networks;
  readonly chains: Chains;
  readonly contractTypes: ContractTypes;
  readonly reads: MarketReads;
}

interface OwnersCall extends MarketCall {
  readonly signal: AbortSignal;
  readonly errors: ErrorMakers<"NotFound">;
}

interface OwnersRequest {
  readonly chainId?: string | undefined;
  readonly includeMetadata?: boolean;
}

const owned: readonly MarketTable[] = ["collectible_owner", "followed_collection"];

/** As many as the official service returns. */
const maxRanges = 15_000;

export function ownerReads({
  networks,
  chains,
  contractTypes,
  reads,
}: OwnerDependencies): Pick<
  IndexerHandlers<CallContext>,
  "GetTokenBalances" | "GetTokenSupplies" | "GetTokenIDRanges"
> {
  const contractInfos = contractInfosOf({ chains, contractTypes });

  /** What contracts report is not stored, and may change at any time: with metadata, the tag of the response is a hash. */
  async function read<Reply>(
    ctx: OwnersCall,
    req: OwnersRequest,
    keysOf: KeysOf,
    work: (chainId: number) => Promise<Reply>,
  ): Promise<Reply | NotModified> {
    return req.includeMetadata
      ? work(networkOf(networks, req, ctx.context.pathNetwork).chainId)
      : reads.read(ctx, req, keysOf, work);
  }

  /** Reads a collection whose owners are known. */
  function readCollection<Reply>(
    ctx: OwnersCall,
    req: OwnersRequest & { readonly contractAddress: string },
    work: (chainId: number, contractType: ContractType) => Promise<Reply>,
  ): Promise<Reply | NotModified | RpcFailure<"NotFound">> {
    const { contractAddress } = req;
    return read(
      ctx,
      req,
      (chainId) => collectionKeys(chainId, [contractAddress], owned),
      async (chainId) => {
        const type = await typeOfOwnedCollection(ctx.context.database, chainId, contractAddress);
        return type === undefined ? notFollowed(ctx, contractAddress) : work(chainId, type as ContractType);
      },
    );
  }

  /** Returns the metadata of each reference. Without a token id: of the contract alone. */
  async function metadataOf(
    ctx: OwnersCall,
    req: OwnersRequest,
    references: readonly { readonly contractAddress: string; readonly tokenId: string | null }[],
  ): Promise<readonly { readonly contractInfo?: ContractInfo; readonly tokenMetadata?: TokenMetadata }[]> {
    if (!req.includeMetadata) return references.map(() => ({}));
    const network = networkOf(networks, req, ctx.context.pathNetwork);
    const addresses = [...new Set(references.map(({ contractAddress }) => contractAddress))];
    const infos = await contractInfos(ctx, network, addresses);
    const ofTokens = references.filter(
      (reference): reference is TokenReference => reference.tokenId !== null,
    );
    const tokens = await tokensById(ctx.context.database, network.chainId, ofTokens);
    const metadata = new Map(
      ofTokens.map((reference, index) => {
        const token = tokens[index];
        return [reference, token === undefined ? unknownToken(reference.tokenId) : metadataResponse(token)];
      }),
    );
    return references.map((reference) => {
      const tokenMetadata = metadata.get(reference as TokenReference);
      return {
        contractInfo: infos[addresses.indexOf(reference.contractAddress)] as ContractInfo,
        ...(tokenMetadata === undefined ? {} : { tokenMetadata }),
      };
    });
  }

  return {
    GetTokenBalances: (ctx, req) => {
      const { accountAddress, contractAddress, tokenID, metadataOptions } = req;
      checkNumber("/tokenID", tokenID);
      const { page, pageSize, limit, offset, after } = readPage(req.page, /^[1-9][0-9]{0,15}-[0-9]{1,78}$/);
      const [collectionId, lastTokenId] = after?.split("-") ?? [];
      const isSummary = !(
        req.includeCollectionTokens ||
        contractAddress !== undefined ||
        tokenID !== undefined
      );
      const listed =
        metadataOptions?.unverifiedOnly && !metadataOptions.verifiedOnly
          ? (metadataOptions.includeContracts ?? [])
          : undefined;
      const keysOf: KeysOf = (chainId) =>
        contractAddress === undefined
          ? allCollectionsKeys(chainId, owned)
          : collectionKeys(chainId, [contractAddress], owned);
      return read(ctx, req, keysOf, async (chainId) => {
        const { database } = ctx.context;
        if (
          contractAddress !== undefined &&
          (await typeOfOwnedCollection(database, chainId, contractAddress)) === undefined
        )
          return notFollowed(ctx, contractAddress);
        const found = await listBalances(database, {
          chainId,
          account: accountAddress,
          collections:
            contractAddress === undefined
              ? listed
              : [contractAddress].filter((address) => listed?.includes(address) ?? true),
          tokenId: tokenID,
          isSummary,
          after:
            collectionId === undefined || lastTokenId === undefined ? undefined : [collectionId, lastTokenId],
          limit,
          offset,
        });
        const rows = found.slice(0, pageSize);
        const metadata = await metadataOf(ctx, req, rows);
        const last = rows.at(-1);
        return {
          page: servedPage(
            page,
            pageSize,
            found.length > pageSize && last && `${last.collectionId}-${last.tokenId ?? 0}`,
          ),
          balances: rows.map((row, index) => ({
            contractType: row.contractType,
            contractAddress: row.contractAddress,
            accountAddress,
            ...(row.tokenId === null ? {} : { tokenID: row.tokenId }),
            balance: row.balance,
            balanceUSD: "0",
            priceUSD: "0",
            blockHash: row.blockHash,
            blockNumber: row.blockNumber,
            chainId,
            uniqueCollectibles: String(row.tokens),
            isSummary,
            ...metadata[index],
          })),
        };
      });
    },
    GetTokenSupplies: (ctx, req) => {
      const { contractAddress } = req;
      const { page, pageSize, limit, offset, after } = readPage(req.page, /^[0-9]{1,78}$/);
      return readCollection(ctx, req, async (chainId, contractType) => {
        const query = { chainId, contractAddress, after, limit, offset };
        const found = await listSupplies(ctx.context.database, query);
        const rows = found.slice(0, pageSize);
        const references = rows.map(({ tokenId }) => ({ contractAddress, tokenId }));
        const metadata = await metadataOf(ctx, req, references);
        return {
          page: servedPage(page, pageSize, found.length > pageSize && rows.at(-1)?.tokenId),
          contractType,
          tokenIDs: rows.map(({ tokenId, supply }, index) => ({
            tokenID: tokenId,
            supply,
            chainId,
            ...metadata[index],
          })),
        };
      });
    },
    GetTokenIDRanges: (ctx, req) => {
      const { contractAddress, lastTokenID } = req;
      checkNumber("/lastTokenID", lastTokenID);
      return readCollection(ctx, req, async (chainId, contractType) => {
        const { database } = ctx.context;
        const ranges = await listTokenRanges(database, chainId, contractAddress, lastTokenID, maxRanges + 1);
        return {
          contractType,
          tokenIDRanges: ranges.slice(0, maxRanges),
          moreRanges: ranges.length > maxRanges,
        };
      });
    },
  };
}

function notFollowed({ errors }: OwnersCall, contractAddress: string): RpcFailure<"NotFound"> {
  return errors.NotFound({
    cause: `this host does not follow ${contractAddress} from its beginning, or still reads its history`,
    expose: true,
  });
}

/** Throws RequestRejection if `after` has another form. */
function readPage(input: TokenPageInputWithDefaults | undefined, form: RegExp) {
  const { page, pageSize } = readMarketPage(input);
  const after = input?.after || undefined;
  if (after !== undefined && !form.test(after))
    throw new RequestRejection("/page/after: use the value of a response");
  // One more row than the page has shows whether another page follows.
  return {
    page,
    pageSize,
    limit: pageSize + 1,
    offset: after === undefined ? (page - 1) * pageSize : 0,
    after,
  };
}

function servedPage(page: number, pageSize: number, after: string | false | undefined): TokenPage {
  return after ? { page, pageSize, after, more: true } : { page, pageSize, more: false };
}
