/** What all reads of market data share: their network, their version, and their pages. */
import { createHash } from "node:crypto";
import type { NotModified, ReadContext } from "ridlkit-runtime/reads";
import type { Page, PageInputWithDefaults, PropertyFilterInput } from "../../../generated/types.ts";
import { RequestRejection } from "../../base/request-rejection.ts";
import { uint256Max } from "../../base/uint256.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { StateVersions } from "../../market/etags/market-versions.ts";
import { propertyLimitError } from "../../market/records/collectibles/token-sql.ts";
import {
  type PageCursor,
  PageCursorCache,
  type SortKey,
  sortColumns,
} from "../../market/records/orders/collectibles-query.ts";
import { readSort } from "../../market/records/project-page.ts";
import { type CallContext, networkOf, sameState } from "./call-context.ts";

export interface MarketCall extends Pick<ReadContext<unknown>, "notModified" | "method"> {
  readonly context: CallContext;
}

interface MarketRequest {
  readonly chainId?: string | undefined;
}

export interface PagedRequest extends MarketRequest {
  readonly page?: PageInputWithDefaults | undefined;
}

/** Where a page starts: after an entry, or after a number of entries. */
export interface PageStart extends MarketPage {
  readonly offset: number;
  readonly after: PageCursor | undefined;
}

interface ReadPage<Reply> {
  readonly reply: Reply;
  readonly more: boolean;
  /** Of the last entry. Undefined on the last page. */
  readonly cursor: PageCursor | undefined;
}

/** The keys of the data that a response shows. */
export type KeysOf = (chainId: number) => readonly string[];

export class MarketReads {
  readonly #networks: Networks;
  readonly #state: StateVersions;
  readonly #cursors = new PageCursorCache();
  /** Versions of responses that contain only stored data, by call. */
  readonly #stored = new Map<string, string>();

  constructor(networks: Networks, state: StateVersions) {
    this.#networks = networks;
    this.#state = state;
  }

  /** Runs `work`, unless the caller has the response of this state. */
  async read<Reply>(
    ctx: MarketCall,
    req: MarketRequest,
    keysOf: KeysOf,
    work: (chainId: number) => Promise<Reply>,
  ): Promise<Reply | NotModified> {
    const { chainId } = networkOf(this.#networks, req, ctx.context.pathNetwork);
    return sameState(ctx, this.#state.versionOf(keysOf(chainId))) ?? work(chainId);
  }

  /**
   * The same for a response that may contain facts of the chain, which can change at any time. It gets the tag of a state only if
   * `isStored`.
   */
  async readStored<Reply>(
    ctx: MarketCall,
    req: MarketRequest & { readonly contractAddress: string },
    keysOf: KeysOf,
    work: (chainId: number) => Promise<{ readonly reply: Reply; readonly isStored: boolean }>,
  ): Promise<Reply | NotModified> {
    const { chainId } = networkOf(this.#networks, req, ctx.context.pathNetwork);
    const version = this.#state.versionOf(keysOf(chainId));
    const call = `${ctx.method.path} ${chainId} ${req.contractAddress}`;
    const same = this.#stored.get(call) === version ? sameState(ctx, version) : undefined;
    if (same) return same;
    const { reply, isStored } = await work(chainId);
    if (version === undefined || !isStored) return reply;
    if (this.#stored.size >= maxStored) this.#stored.clear();
    this.#stored.set(call, version);
    return sameState(ctx, version) ?? reply;
  }

  /** The same for a page, which continues where its project has seen the page before end. */
  async readPage<Reply extends object>(
    ctx: MarketCall,
    req: PagedRequest,
    keysOf: KeysOf,
    work: (chainId: number, start: PageStart) => Promise<ReadPage<Reply>>,
  ): Promise<(Reply & { readonly page: Page }) | NotModified> {
    const page = readMarketPage(req.page);
    const { chainId } = networkOf(this.#networks, req, ctx.context.pathNetwork);
    const list = JSON.stringify([
      ctx.context.caller?.projectId,
      ctx.method.path,
      chainId,
      { ...req, page: undefined },
      page.pageSize,
      page.sort,
    ]);
    const after = this.#cursors.get(list, page.page - 1);
    const version = this.#state.versionOf(keysOf(chainId));
    const same = sameState(ctx, version && after ? `${version}.${digest(after)}` : version);
    if (same) return same;
    const offset = after === undefined ? (page.page - 1) * page.pageSize : 0;
    const { reply, more, cursor } = await work(chainId, { ...page, offset, after });
    this.#cursors.set(list, page.page, cursor);
    return { ...reply, page: servedPage(page, more) };
  }
}

/** About 5 MB. */
const maxStored = 20_000;

/** Where a page starts depends on the page before, as its project has last seen it. */
function digest(after: PageCursor): string {
  return createHash("sha256").update(JSON.stringify(after)).digest("base64url").slice(0, 16);
}

interface MarketPage {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: readonly SortKey[];
}

const pageSizeDefault = 30;
const pageSizeMax = 100;

/** Throws RequestRejection if the sort is invalid. */
export function readMarketPage(input: Partial<PageInputWithDefaults> | undefined): MarketPage {
  return {
    page: Math.max(Number(input?.page ?? 1), 1),
    pageSize: Math.min(Number(input?.pageSize ?? 0) || pageSizeDefault, pageSizeMax),
    sort: readSort(input?.sort ?? [], sortColumns),
  };
}

export function servedPage({ page, pageSize, sort }: MarketPage, more: boolean): Page {
  return { page, pageSize, more, sort: [...sort] };
}

/** Throws RequestRejection if a number exceeds 2^256 - 1. The schema limits only the number of digits. */
export function checkNumber(at: string, number: string | undefined): void {
  if (number !== undefined && BigInt(number) > uint256Max)
    throw new RequestRejection(`${at}: must be at most 2^256 - 1`);
}

/** Throws RequestRejection if the properties of a filter exceed a limit that the schema cannot express. */
export function checkProperties(properties: readonly PropertyFilterInput[] = []): void {
  const excess = propertyLimitError(properties);
  if (excess !== undefined) throw new RequestRejection(`/filter/properties: ${excess}`);
}
