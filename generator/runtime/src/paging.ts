import type { CallOptions, Client, Failing, Method, MethodInfo } from "./client.ts";
import { RpcError } from "./errors.ts";
import { onAbort } from "./time.ts";

/* Methods whose responses are pages of a list. */

/** A method with `@paging`. `pages` and `items` read its list. */
export interface PagedMethod<Req, Res, Err extends RpcError, Item> extends Method<Req, Res, Err> {
  readonly paging: Paging<Req, Res, Item>;
}

export interface Paging<Req, Res, Item> {
  /** Returns the request of the page after `page`, which is the response to `req`. Undefined after the last page. */
  readonly next: (page: Res, req: Req) => Req | undefined;
  readonly items: (page: Res) => readonly Item[];
}

/** Adds paging to a new method. Generated code calls this at module level, so it must have no side effects. */
export function paged<Req, Res, Err extends RpcError, Item>(
  method: Method<Req, Res, Err>,
  paging: Paging<Req, Res, Item>,
): PagedMethod<Req, Res, Err, Item> {
  return Object.assign(method, { paging });
}

/* Notices lists that would not end. */

/** Whether the request of the next page is the one that was sent. */
export function isRepeated({ print = JSON.stringify }: MethodInfo, next: unknown, sent: unknown): boolean {
  return print(next) === print(sent);
}

export function repeatedPage({ schema }: MethodInfo): RpcError {
  const cause = "the response has the cursor of its own request, so the list would not end";
  return new RpcError({ ...schema.failures[-5], status: 200, cause });
}

/* Reads lists page by page. */

/** Options of every call, and of the list. */
export interface PageOptions extends CallOptions {
  /**
   * Pages to request before they are needed, 0 to 10. Default 0. The calls run one after another, because each needs the response
   * of the one before. One page ahead therefore saves most of the time; more even out slow responses, and take memory.
   */
  readonly ahead?: number;
}

/** What a list consists of: `for await (const page of pages(listPets, client, {}))`. Each loop starts at the first page. */
export interface Pages<Value, Failure extends RpcError> extends AsyncIterable<Value>, Failing<Failure> {
  [Symbol.asyncIterator](): AsyncIterator<Value, undefined, undefined>;
}

/**
 * Returns the pages of a list, starting with the response to `req`. Leaving the loop aborts a running call.
 *
 * @throws RangeError if `ahead` is invalid.
 */
export function pages<Req, Res, Err extends RpcError>(
  method: PagedMethod<Req, Res, Err, unknown>,
  client: Client,
  req: NoInfer<Req>,
  options: PageOptions = {},
): Pages<Res, Err> {
  const { ahead = 0 } = options;
  if (!Number.isInteger(ahead) || ahead < 0 || ahead > aheadMax)
    throw new RangeError(`ahead must be a whole number from 0 to ${aheadMax}, found ${ahead}`);
  return { [Symbol.asyncIterator]: () => load(method, client, req, options) };
}

/** Like `pages`, but returns the items of all pages: `for await (const pet of items(listPets, client, {}))`. */
export function items<Req, Res, Err extends RpcError, Item>(
  method: PagedMethod<Req, Res, Err, Item>,
  client: Client,
  req: NoInfer<Req>,
  options?: PageOptions,
): Pages<Item, Err> {
  const list = pages(method, client, req, options);
  return {
    async *[Symbol.asyncIterator]() {
      for await (const page of list) yield* method.paging.items(page);
      return undefined;
    },
  };
}

/** Most pages that may be requested before they are needed. */
const aheadMax = 10;

/** A response, its request, and the request of the next page. */
interface Loaded<Req, Res> {
  readonly page: Res;
  readonly req: Req;
  readonly next: Req | undefined;
}

async function* load<Req, Res>(
  method: PagedMethod<Req, Res, RpcError, unknown>,
  client: Client,
  first: Req,
  { ahead = 0, signal, ...options }: PageOptions,
): AsyncGenerator<Res, undefined, undefined> {
  const { info, paging } = method;
  const controller = new AbortController();
  const call = method as unknown as (client: Client, req: Req, options: CallOptions) => Promise<Res>;
  async function loadPage(req: Req): Promise<Loaded<Req, Res>> {
    const page = await call(client, req, { ...options, signal: controller.signal });
    return { page, req, next: paging.next(page, req) };
  }
  async function loadAfter({ req, next }: Loaded<Req, Res>): Promise<Loaded<Req, Res> | undefined> {
    if (next === undefined) return undefined;
    if (isRepeated(info, next, req)) throw repeatedPage(info);
    return loadPage(next);
  }
  const waiting: Promise<Loaded<Req, Res> | undefined>[] = [];
  let last: Promise<Loaded<Req, Res> | undefined> | undefined;
  function request(): void {
    last = last === undefined ? loadPage(first) : last.then((loaded) => loaded && loadAfter(loaded));
    // The reader gets a failure when it reaches the page.
    last.catch(() => {});
    waiting.push(last);
  }
  const forget = onAbort(signal, () => controller.abort(signal?.reason));
  try {
    for (;;) {
      if (waiting.length === 0) request();
      const loaded = await waiting.shift();
      if (loaded === undefined) return undefined;
      while (waiting.length < ahead) request();
      yield loaded.page;
    }
  } finally {
    forget();
    controller.abort("left");
  }
}
