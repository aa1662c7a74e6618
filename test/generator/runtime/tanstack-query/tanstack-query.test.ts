/** The options for TanStack Query, used by its own client and observers, against a server in memory. */
import {
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
  skipToken,
} from "@tanstack/query-core";
import { afterEach, describe, expect, test } from "vitest";
import type { Client } from "../../../../generator/runtime/src/client.ts";
import { queryKey } from "../../../../generator/runtime/src/client.ts";
import type { StreamState } from "../../../../generator/runtime/src/client-streams.ts";
import { fetchHandler } from "../../../../generator/runtime/src/fetch.ts";
import {
  infiniteQueryOptions,
  mutationOptions,
  queryOptions,
  retryTemporary,
  streamOptions,
} from "../../../../generator/runtime/src/tanstack-query.ts";
import { memoryTransport } from "../../../../generator/runtime/src/transport.ts";
import { watch as watchNews } from "../../../fixtures/feeds/generated/client.ts";
import { getOrders, ping, transfer } from "../../../fixtures/market/generated/client.ts";
import { search, titles } from "../../../fixtures/pages/generated/client.ts";
import { beat, echoText, watch as watchFeed } from "../../../fixtures/wire/generated/client.ts";
import { BrokenError, NoSuchFeedError } from "../../../fixtures/wire/generated/errors.ts";
import { createServer } from "../../../fixtures/wire/generated/server.ts";
import type { Query, Tick } from "../../../fixtures/wire/generated/types.ts";
import { watched, wireHandlers } from "../../../support/feed.ts";

const caches: QueryClient[] = [];
afterEach(() => {
  for (const cache of caches.splice(0)) cache.clear();
});

function cacheOf(): QueryClient {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  cache.mount();
  caches.push(cache);
  return cache;
}

function serve(): { readonly client: Client; readonly watch: ReturnType<typeof watched> } {
  const watch = watched();
  const handle = fetchHandler(createServer(wireHandlers(watch)));
  return { client: { url: "http://memory", transport: memoryTransport(handle) }, watch };
}

describe("a query", () => {
  test("returns the response, caches it by the request, and passes the options of the call", async () => {
    const cache = cacheOf();
    const { client } = serve();
    const names: unknown[] = [];
    const logged: Client = {
      ...client,
      interceptor: (call, next) => {
        names.push([call.method.name, call.req, call.timeoutMs]);
        return next(call);
      },
    };
    const options = queryOptions(echoText, logged, { text: "a" }, { timeoutMs: 61_234 });
    expect(options.queryKey).toEqual(["wire", "Wire", "EchoText", { text: "a" }]);
    expect(await cache.fetchQuery(options)).toEqual({ text: "a" });
    expect(await cache.ensureQueryData(options)).toEqual({ text: "a" });
    expect(cache.getQueryData(options.queryKey)?.text).toBe("a");
    expect(await cache.fetchQuery(queryOptions(echoText, logged, { text: "b" }))).toEqual({ text: "b" });
    expect(names).toEqual([
      ["EchoText", { text: "a" }, 61_234],
      ["EchoText", { text: "b" }, 30_000],
    ]);
  });

  test("fails with the error of the method", async () => {
    const client: Client = {
      url: "http://memory",
      transport: async () =>
        new Response('{"webrpc":true,"error":"NotFound","code":3000,"msg":"none"}', { status: 400 }),
    };
    const failed = cacheOf().fetchQuery(queryOptions(getOrders, client, { ids: [] }));
    await expect(failed).rejects.toMatchObject({ name: "NotFound", code: 3000 });
  });

  test("aborts its call when it is cancelled", async () => {
    const cache = cacheOf();
    let signal: AbortSignal | undefined;
    const client: Client = {
      url: "http://memory",
      interceptor: (call) => {
        signal = call.signal;
        return new Promise(() => {});
      },
    };
    const { queryKey: key, queryFn } = queryOptions(ping, client);
    void cache.prefetchQuery({ queryKey: key, queryFn });
    await expect.poll(() => signal).toBeDefined();
    await cache.cancelQueries({ queryKey: key });
    expect(signal?.aborted).toBe(true);
  });

  test("does not run with skipToken, and does not show the data of a call without a request", async () => {
    const { client } = serve();
    const cache = cacheOf();
    cache.setQueryData(queryKey(echoText), { text: "of another call" });
    const observer = new QueryObserver(cache, queryOptions(echoText, client, skipToken));
    const unsubscribe = observer.subscribe(() => {});
    expect(observer.getCurrentResult()).toMatchObject({ status: "pending", fetchStatus: "idle" });
    unsubscribe();
  });
});

test("an infinite query loads page after page, apart from the query of the same request", async () => {
  const { client } = serve();
  const cache = cacheOf();
  const options = infiniteQueryOptions(echoText, client, { text: "1" }, ({ text }, req) =>
    text === "3" ? undefined : { ...req, text: `${Number(text) + 1}` },
  );
  const observer = new InfiniteQueryObserver(cache, options);
  const unsubscribe = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true);
  while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
  expect(observer.getCurrentResult().data?.pages).toEqual([{ text: "1" }, { text: "2" }, { text: "3" }]);
  unsubscribe();
  expect(await cache.fetchQuery(queryOptions(echoText, client, { text: "1" }))).toEqual({ text: "1" });
  await cache.invalidateQueries({ queryKey: queryKey(echoText) });
  expect(cache.getQueryState(options.queryKey)?.isInvalidated).toBe(true);
});

test("an infinite query of a paged method fails instead of loading the same page for ever", async () => {
  const sent: unknown[] = [];
  const client: Client = {
    url: "http://memory",
    interceptor: async ({ req }) => {
      sent.push(req);
      return { found: { entries: [], next: "a" } };
    },
  };
  const options = infiniteQueryOptions(search, client, {});
  const observer = new InfiniteQueryObserver(cacheOf(), options);
  const unsubscribe = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true);
  await observer.fetchNextPage();
  const { status, error, data } = await observer.fetchNextPage();
  expect([status, error?.name, error?.side, error?.cause]).toEqual([
    "error",
    "WebrpcBadResponse",
    "response",
    "the response has the cursor of its own request, so the list would not end",
  ]);
  expect(data?.pages).toHaveLength(2);
  expect(sent).toHaveLength(2);
  unsubscribe();
});

test("the function of an infinite query may repeat a request", async () => {
  const { client } = serve();
  const options = infiniteQueryOptions(echoText, client, { text: "1" }, (_page, req) => req);
  const observer = new InfiniteQueryObserver(cacheOf(), options);
  const unsubscribe = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true);
  await observer.fetchNextPage();
  expect(observer.getCurrentResult().data?.pages).toHaveLength(2);
  unsubscribe();
});

test("an infinite query of a paged method needs no function", async () => {
  const received: unknown[] = [];
  const client: Client = {
    url: "http://memory",
    interceptor: async ({ req, headers }) => {
      received.push(headers);
      const { page = 0 } = req as { readonly page?: number };
      return { titles: page < 2 ? [`title ${page}`] : [] };
    },
  };
  const cache = cacheOf();
  const options = infiniteQueryOptions(titles, client, { limit: 1 }, { headers: { a: "b" } });
  const observer = new InfiniteQueryObserver(cache, options);
  const unsubscribe = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true);
  while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
  expect(observer.getCurrentResult().data?.pages.map((page) => page.titles)).toEqual([
    ["title 0"],
    ["title 1"],
    [],
  ]);
  expect(observer.getCurrentResult().data?.pageParams.at(-1)).toEqual({ limit: 1, page: 2 });
  expect(received).toEqual(Array(3).fill({ a: "b" }));
  unsubscribe();
  const own = infiniteQueryOptions(titles, client, {}, () => undefined);
  expect(own.getNextPageParam({ titles: ["a"] }, [], {})).toBeUndefined();
  // @ts-expect-error a method without @paging needs a function
  expect(() => infiniteQueryOptions(echoText, client, { text: "1" })).toThrow(TypeError);
});

describe("a key", () => {
  test("without a request is the start of the keys of all calls of the method", async () => {
    const cache = cacheOf();
    const { client } = serve();
    for (const text of ["a", "b"]) await cache.fetchQuery(queryOptions(echoText, client, { text }));
    await cache.invalidateQueries({ queryKey: queryKey(echoText) });
    const states = cache.getQueryCache().findAll({ queryKey: ["wire", "Wire", "EchoText"] });
    expect(states.map(({ state }) => state.isInvalidated)).toEqual([true, true]);
  });

  test("has bigints as texts, and no absent fields", () => {
    expect(queryKey(transfer, { to: "a", amount: 2n ** 64n })).toEqual([
      "Market",
      "Bank",
      "Transfer",
      { to: "a", amount: "18446744073709551616" },
    ]);
    expect(queryKey(echoText, { text: "a", note: undefined } as never)[3]).toStrictEqual({ text: "a" });
    expect(queryKey(ping, {})).toEqual(queryKey(ping));
  });
});

test("a mutation calls the method with its variables, and reports its errors", async () => {
  const { client } = serve();
  const cache = cacheOf();
  const observer = new MutationObserver(cache, mutationOptions(echoText, client));
  expect(await observer.mutate({ text: "a" })).toEqual({ text: "a" });
  expect(cache.getMutationCache().find({ mutationKey: ["wire", "Wire", "EchoText"] })).toBeDefined();
  const failing = new MutationObserver(
    cache,
    mutationOptions(echoText, { ...client, url: "http://memory/wrong" }),
  );
  await expect(failing.mutate({ text: "a" })).rejects.toMatchObject({ name: "WebrpcBadRoute" });
});

/** The body up to the item of this number, and then an error. */
function brokenAfter(body: ReadableStream<Uint8Array> | null, items: number): ReadableStream<Uint8Array> {
  let seen = 0;
  const breaking = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (seen >= items) return controller.error(new Error("lost"));
      controller.enqueue(chunk);
      seen += new TextDecoder()
        .decode(chunk)
        .split("\n")
        .filter((line) => line.includes("{")).length;
    },
  });
  return (body ?? new ReadableStream()).pipeThrough(breaking);
}

describe("a streamed query", () => {
  const sequences = (data: readonly { readonly sequence: number }[] | undefined) =>
    data?.map(({ sequence }) => sequence);

  test("has the items so far as its data while it is fetching, and is complete at the end", async () => {
    const cache = cacheOf();
    const { client } = serve();
    const options = streamOptions(watchFeed, client, { feed: "paced", from: 1, count: 5 });
    const observer = new QueryObserver(cache, options);
    const seen: string[] = [];
    const unsubscribe = observer.subscribe(({ data, fetchStatus }) => {
      seen.push(`${fetchStatus} ${sequences(data)?.join() ?? ""}`);
    });
    await expect.poll(() => observer.getCurrentResult().fetchStatus).toBe("idle");
    unsubscribe();
    expect(sequences(observer.getCurrentResult().data)).toEqual([1, 2, 3, 4, 5]);
    expect(seen).toContain("fetching 1,2");
    expect(observer.getCurrentResult().isStale).toBe(false);
  });

  test.each([
    [1, [9]],
    [3, [7, 8, 9]],
    [9, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [10, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ])("keeps the newest %d items", async (maxItems, kept) => {
    const { client } = serve();
    const options = streamOptions(watchFeed, client, { feed: "plain", from: 1, count: 9 }, { maxItems });
    expect(sequences(await cacheOf().fetchQuery(options))).toEqual(kept);
  });

  test("keeps 1,000 items by default", async () => {
    const { client } = serve();
    const options = streamOptions(watchFeed, client, { feed: "plain", from: 1, count: 1_001 });
    const data = await cacheOf().fetchQuery(options);
    expect([data.length, data[0]?.sequence, data.at(-1)?.sequence]).toEqual([1_000, 2, 1_001]);
  });

  test("closes the stream when its last observer leaves", async () => {
    const { client, watch } = serve();
    const options = streamOptions(watchFeed, client, { feed: "pausing", from: 1, count: 0 });
    const observer = new QueryObserver(cacheOf(), options);
    const unsubscribe = observer.subscribe(() => {});
    await expect.poll(() => sequences(observer.getCurrentResult().data)).toEqual([1, 2, 3, 4]);
    unsubscribe();
    await expect.poll(() => watch.events).toContain("freed");
  });

  test("opens the stream again for the next observer, if it had not ended", async () => {
    const cache = cacheOf();
    const { client, watch } = serve();
    const options = streamOptions(watchFeed, client, { feed: "pausing", from: 1, count: 0 });
    const observer = new QueryObserver(cache, options);
    observer.subscribe(() => {})();
    const unsubscribe = observer.subscribe(() => {});
    await expect.poll(() => sequences(observer.getCurrentResult().data)).toEqual([1, 2, 3, 4]);
    unsubscribe();
    await expect.poll(() => watch.freed).toBe(watch.begun);
    const begun = watch.begun;
    const leave = observer.subscribe(() => {});
    await expect.poll(() => watch.begun).toBe(begun + 1);
    leave();
  });

  test("does not open a stream again that has ended, and keeps its items", async () => {
    const cache = cacheOf();
    const { client, watch } = serve();
    const options = streamOptions(watchFeed, client, { feed: "plain", from: 1, count: 3 }, { maxItems: 2 });
    const first = await cache.fetchQuery(options);
    const second = await cache.fetchQuery(
      streamOptions(watchFeed, client, { feed: "plain", from: 1, count: 3 }),
    );
    expect(second).toBe(first);
    expect(watch.begun).toBe(1);
  });

  test.each([
    [undefined, [1, 2, 3]],
    [
      (req: Query, last: Tick | undefined) => ({ ...req, from: (last?.sequence ?? 0) + 1, count: 1 }),
      [1, 2, 3],
    ],
  ])("has no item twice after a reconnect, with or without resume", async (resume, expected) => {
    const { client } = serve();
    let connections = 0;
    const breaking: Client = {
      ...client,
      transport: async (url, init) => {
        const response = await (client.transport as typeof fetch)(url, init as RequestInit);
        return ++connections > 1 ? response : new Response(brokenAfter(response.body, 2), response);
      },
    };
    const states: string[] = [];
    const settings = {
      reconnect: { firstMs: 1 },
      onState: ({ kind }: StreamState) => void states.push(kind),
      ...(resume && { resume }),
    };
    const options = streamOptions(watchFeed, breaking, { feed: "paced", from: 1, count: 3 }, settings);
    expect(sequences(await cacheOf().fetchQuery(options))).toEqual(expected);
    expect(connections).toBe(2);
    expect(states).toEqual(["connecting", "open", "waiting", "connecting", "open", "closed"]);
  });

  test("keeps the items of a method with @resume after a reconnect", async () => {
    const requests: unknown[] = [];
    const client: Client = {
      url: "http://feeds.example",
      transport: async (_, { body }) => {
        requests.push(JSON.parse(String(body)));
        const lines = requests.length === 1 ? ["a", "b", "c"] : ["c"];
        const chunks = lines.map((id) => new TextEncoder().encode(`${JSON.stringify({ id, text: id })}\n`));
        const lineByLine = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            const chunk = chunks.shift();
            if (chunk === undefined) controller.close();
            else controller.enqueue(chunk);
          },
        });
        return new Response(requests.length === 1 ? brokenAfter(lineByLine, 2) : lineByLine);
      },
    };
    const options = streamOptions(watchNews, client, { feed: "x" }, { reconnect: { firstMs: 1 } });
    const items = await cacheOf().fetchQuery(options);
    expect(items.map(({ id }) => id).join("")).toBe("abc");
    expect(requests).toEqual([{ feed: "x" }, { feed: "x", after: "b" }]);
  });

  test("has a key that its method's key matches", async () => {
    const cache = cacheOf();
    const { client } = serve();
    const options = streamOptions(watchFeed, client, { feed: "plain", from: 1, count: 1 });
    await cache.fetchQuery(options);
    await cache.invalidateQueries({ queryKey: queryKey(watchFeed) });
    expect(cache.getQueryState(options.queryKey)?.isInvalidated).toBe(true);
    // @ts-expect-error the request has a field `from`
    expect(queryKey(watchFeed, { feed: "plain" })).toEqual(["wire", "Wire", "Watch", { feed: "plain" }]);
    // @ts-expect-error the request is needed
    expect(() => streamOptions(watchFeed, client)).not.toThrow();
  });

  test("fails with the errors of the stream, with the items that had arrived", async () => {
    const { client } = serve();
    const none = streamOptions(watchFeed, client, { feed: "none", from: 1, count: 1 });
    await expect(cacheOf().fetchQuery(none)).rejects.toBeInstanceOf(NoSuchFeedError);
    const broken = streamOptions(watchFeed, client, { feed: "broken", from: 1, count: 9 });
    const cache = cacheOf();
    await expect(cache.fetchQuery(broken)).rejects.toBeInstanceOf(BrokenError);
    expect(sequences(cache.getQueryData(broken.queryKey))).toEqual([1, 2]);
  });

  test("of a method without fields", async () => {
    const { client } = serve();
    expect(await cacheOf().fetchQuery(streamOptions(beat, client))).toEqual([{}, {}]);
  });
});

describe("retryTemporary", () => {
  test.each([
    [0, new NoSuchFeedError(), false],
    [0, new BrokenError(), true],
    [2, new BrokenError(), true],
    [3, new BrokenError(), false],
    [0, new Error("of an interceptor"), false],
  ])("after %d failures, %o is retried: %s", (failures, error, isRetried) => {
    expect(retryTemporary.retry(failures, error)).toBe(isRetried);
  });

  test.each([
    [0, undefined, 1_000],
    [2, undefined, 4_000],
    [0, "30", 31_000],
    [1, "later", 2_000],
  ])("after %d failures with Retry-After %s, it waits %d ms", (failures, retryAfter, ms) => {
    const error = Object.assign(new BrokenError(), { retryAfter });
    expect(retryTemporary.retryDelay(failures, error)).toBe(ms);
  });
});
