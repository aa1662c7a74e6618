import type { DataTag, InfiniteData, SkipToken } from "@tanstack/query-core";
import {
  type CallOptions,
  type Client,
  type Failing,
  type Method,
  type MethodInfo,
  queryKey,
  retryAfterMs,
} from "./client.ts";
import { RpcError } from "./errors.ts";
import { isRepeated, repeatedPage } from "./paging.ts";
import { checkOption, longestMs } from "./time.ts";

/* Options for TanStack Query 5: plain objects that its hooks take in every framework. */

/** The options of a call that a query does not set itself. */
export type QueryCallOptions = Omit<CallOptions, "signal">;

/** The cache key of a call. */
export type CallKey = readonly [schema: string, service: string, method: string, ...req: unknown[]];

/** Adds the errors of a method to the type of an options object, so that hooks infer the type of `error`. */
interface Throwing<Err> {
  /** Not set. */
  readonly throwOnError?: (error: Err) => boolean;
}

/**
 * What a query function gets. Each framework's package has its own copy of TanStack Query, whose classes are different types,
 * so these types name only what is used.
 */
interface QueryContext {
  readonly signal: AbortSignal;
}

interface StreamContext extends QueryContext {
  readonly client: { setQueryData(key: readonly unknown[], data: unknown): unknown };
  readonly queryKey: readonly unknown[];
}

interface PageContext<Req> extends QueryContext {
  readonly pageParam: Req;
}

export interface CallQuery<Value, Err extends RpcError> extends Throwing<Err> {
  readonly queryKey: DataTag<CallKey, Value, Err>;
  readonly queryFn: (context: QueryContext) => Promise<Value>;
}

/** A query that may be switched off by `skipToken`. */
export interface SkippableQuery<Value, Err extends RpcError> extends Throwing<Err> {
  readonly queryKey: DataTag<CallKey, Value, Err>;
  readonly queryFn: SkipToken | ((context: QueryContext) => Promise<Value>);
}

type Arguments<Req, Options> = undefined extends Req
  ? [req?: Req, options?: Options]
  : [req: Req, options?: Options];

/**
 * Returns the options of a query: `useQuery(queryOptions(getOrder, client, { id }))`. The call is aborted when the query
 * is cancelled. With `skipToken` of TanStack Query as the request, the query does not run:
 * `queryOptions(getOrder, client, id === undefined ? skipToken : { id })`.
 */
export function queryOptions<Req, Res, Err extends RpcError>(
  method: Method<Req, Res, Err>,
  client: Client,
  ...rest: Arguments<NoInfer<Req>, QueryCallOptions>
): CallQuery<Res, Err>;
export function queryOptions<Req, Res, Err extends RpcError>(
  method: Method<Req, Res, Err>,
  client: Client,
  req: NoInfer<Req> | SkipToken,
  options?: QueryCallOptions,
): SkippableQuery<Res, Err>;
export function queryOptions(
  method: AnyMethod,
  client: Client,
  req?: unknown,
  options?: QueryCallOptions,
): unknown {
  // No call has this key, so data of other calls are not shown.
  if (typeof req === "symbol") return { queryKey: [...keyOf(method), null], queryFn: req };
  return {
    queryKey: keyOf(method, req),
    queryFn: ({ signal }: QueryContext) => method(client, req, { ...options, signal }),
  };
}

type AnyMethod = ((client: Client, req: unknown, options: CallOptions) => PromiseLike<unknown>) & {
  readonly info: MethodInfo;
};

type NextPage = (page: unknown, req: unknown) => unknown;

/** Requests of next pages that would be the same page. */
const repeated = /* @__PURE__ */ new WeakSet<object>();

export interface PagedQuery<Req, Res, Err extends RpcError> extends Throwing<Err> {
  readonly queryKey: DataTag<CallKey, InfiniteData<Res, Req>, Err>;
  readonly queryFn: (context: PageContext<Req>) => Promise<Res>;
  readonly initialPageParam: Req;
  readonly getNextPageParam: (last: Res, pages: readonly Res[], lastReq: Req) => Req | undefined;
}

/** A method with `@paging`. Clients of schemas without such methods do not have its type. */
type PagedCall<Req, Res, Err extends RpcError> = Method<Req, Res, Err> & {
  readonly paging: { readonly next: (page: Res, req: Req) => Req | undefined };
};

/**
 * Returns the options of an infinite query of a method without `@paging`: `infiniteQueryOptions(list, client, {}, (page,
 * req) => (page.more ? { ...req, page: page.number + 1 } : undefined))`. `next` returns the request of the page after `page`, or undefined if there is none.
 */
export function infiniteQueryOptions<Req, Res, Err extends RpcError>(
  method: Method<Req, Res, Err>,
  client: Client,
  req: NoInfer<Req>,
  next: (page: NoInfer<Res>, req: NoInfer<Req>) => NoInfer<Req> | undefined,
  options?: QueryCallOptions,
): PagedQuery<Req, Res, Err>;
/**
 * Returns the options of an infinite query, which loads a list with `@paging` page by page:
 * `useInfiniteQuery(infiniteQueryOptions(listPets, client, {}))`.
 */
export function infiniteQueryOptions<Req, Res, Err extends RpcError>(
  method: PagedCall<Req, Res, Err>,
  client: Client,
  req: NoInfer<Req>,
  options?: QueryCallOptions,
): PagedQuery<Req, Res, Err>;
export function infiniteQueryOptions(
  method: AnyMethod,
  client: Client,
  req: unknown,
  ...rest: readonly unknown[]
): unknown {
  const hasNext = typeof rest[0] === "function";
  const next = (
    hasNext ? rest[0] : (method as unknown as { paging: { next: NextPage } }).paging.next
  ) as NextPage;
  const options = rest[hasNext ? 1 : 0] as QueryCallOptions | undefined;
  return {
    // Its data have another form than those of a query with the same request.
    queryKey: [...keyOf(method, req), "pages"],
    queryFn: async ({ pageParam, signal }: PageContext<unknown>) => {
      if (repeated.has(pageParam as object)) throw repeatedPage(method.info);
      return method(client, pageParam, { ...options, signal });
    },
    initialPageParam: req,
    getNextPageParam: (last: unknown, _pages: unknown, lastReq: unknown) => {
      const nextReq = next(last, lastReq);
      // Not thrown here, because components call this function while they render.
      if (!hasNext && nextReq !== undefined && isRepeated(method.info, nextReq, lastReq))
        repeated.add(nextReq as object);
      return nextReq;
    },
  };
}

export interface CallMutation<Req, Res, Err extends RpcError> extends Throwing<Err> {
  readonly mutationKey: CallKey;
  readonly mutationFn: (req: Req) => Promise<Res>;
}

/**
 * Returns the options of a mutation: `useMutation(mutationOptions(buy, client))`, then `mutate({ id })`. Its errors have
 * the types of the method's errors.
 */
export function mutationOptions<Req, Res, Err extends RpcError>(
  method: Method<Req, Res, Err>,
  client: Client,
  options?: CallOptions,
): CallMutation<Req, Res, Err> {
  return {
    mutationKey: keyOf(method),
    mutationFn: (req) => (method as AnyMethod)(client, req, options ?? {}) as Promise<Res>,
  };
}

/** A method that streams. Clients of schemas without such methods do not have its type. */
interface StreamCall<Req, Item, Err extends RpcError, Options> {
  (client: Client, req: Req, options?: Options): AsyncIterable<Item> & Failing<Err>;
  readonly info: MethodInfo;
  readonly resumes?: true;
}

/** The options of a stream, without the signal, which the query sets. */
export type StreamedQueryOptions<Options> = Omit<NonNullable<Options>, "signal"> & {
  /** Keeps the newest items, at most this many, and at least one. Default 1,000. */
  readonly maxItems?: number;
};

export interface StreamedQuery<Item, Err extends RpcError> extends Throwing<Err> {
  readonly queryKey: DataTag<CallKey, readonly Item[], Err>;
  readonly queryFn: (context: StreamContext) => Promise<readonly Item[]>;
  readonly staleTime: (query: { readonly state: { readonly data: readonly Item[] | undefined } }) => number;
  readonly structuralSharing: false;
}

/** The lists of streams that have ended. */
const ended = /* @__PURE__ */ new WeakSet<object>();

/**
 * Returns the options of a query whose data are the items of a stream so far: `useQuery(streamOptions(watch, client,
 * { id }))`. The query is fetching until the stream ends, and each new item updates its data. The stream is closed when
 * its last observer leaves, and opened again for the next one. The list starts over when the stream is opened again,
 * except after a reconnect with `resume` or `@resume`. Items between the last observer and the next one are missed.
 *
 * @throws RangeError if `maxItems` is not a number from 0.
 */
export function streamOptions<Req, Item, Err extends RpcError, Options>(
  method: StreamCall<Req, Item, Err, Options>,
  client: Client,
  ...[req, options]: Arguments<NoInfer<Req>, StreamedQueryOptions<Options>>
): StreamedQuery<Item, Err> {
  const { maxItems = 1_000, ...settings }: StreamSettings = { ...(options as StreamSettings | undefined) };
  checkOption("maxItems", maxItems);
  const isResumed = settings.resume !== undefined || method.resumes === true;
  const open = method as unknown as (client: Client, req: unknown, options: object) => AsyncIterable<Item>;
  async function queryFn({ client: cache, queryKey: key, signal }: StreamContext): Promise<readonly Item[]> {
    let items: readonly Item[] = [];
    // Without `resume` or `@resume`, a connection sends all items from the start.
    const onState = (state: { readonly kind: string }): void => {
      if (state.kind === "connecting" && !isResumed) items = [];
      settings.onState?.(state);
    };
    for await (const item of open(client, req, { ...settings, signal, onState })) {
      items = [...items.slice(Math.max(0, items.length + 1 - maxItems)), item];
      cache.setQueryData(key, items);
    }
    ended.add(items);
    return items;
  }
  return {
    queryKey: keyOf(method, req),
    queryFn,
    // A stream that ended is complete. One that was closed before its end is opened again.
    staleTime: ({ state: { data } }) =>
      data !== undefined && ended.has(data) ? Number.POSITIVE_INFINITY : 0,
    // Comparing the whole list after each item would be slow.
    structuralSharing: false,
  };
}

interface StreamSettings {
  readonly maxItems?: number;
  readonly resume?: unknown;
  readonly onState?: (state: unknown) => void;
}

/**
 * For `defaultOptions.queries` of a `QueryClient`: retries a failed call up to three times if its failure may be
 * temporary, after the time in `Retry-After`, if any, and 1, 2 and 4 seconds. TanStack Query itself retries every error,
 * even a missing record. Do not combine it with the interceptor `retries()`.
 */
export const retryTemporary: {
  readonly retry: (failures: number, error: unknown) => boolean;
  readonly retryDelay: (failures: number, error: unknown) => number;
} = {
  retry: (failures, error) => failures < 3 && error instanceof RpcError && error.retryable,
  // TanStack Query passes the delay to `setTimeout`.
  retryDelay: (failures, error) =>
    Math.min(
      ((error instanceof RpcError ? retryAfterMs(error) : undefined) ?? 0) + 1_000 * 2 ** failures,
      longestMs,
    ),
};

function keyOf<Value, Err>(
  { info }: { readonly info: MethodInfo },
  req?: unknown,
): DataTag<CallKey, Value, Err> {
  return queryKey({ info } as Method<unknown, unknown, RpcError>, req) as DataTag<CallKey, Value, Err>;
}
