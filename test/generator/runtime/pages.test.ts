/** Lists that generated clients read page by page, from generated servers in memory. */
import { describe, expect, expectTypeOf, test } from "vitest";
import type { Call, Client } from "../../../generator/runtime/src/client.ts";
import { byGet } from "../../../generator/runtime/src/client.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import { items, type Pages, pages } from "../../../generator/runtime/src/paging.ts";
import { memoryTransport } from "../../../generator/runtime/src/transport.ts";
import * as library from "../../fixtures/pages/generated/client.ts";
import { libraryItems } from "../../fixtures/pages/generated/client.ts";
import { ClosedError } from "../../fixtures/pages/generated/errors.ts";
import { createServer, type Handlers } from "../../fixtures/pages/generated/server.ts";
import type { Book } from "../../fixtures/pages/generated/types.ts";
import * as wide from "../../fixtures/pages/generated-bigint/client.ts";
import { createServer as createWideServer } from "../../fixtures/pages/generated-bigint/server.ts";

const titles = ["a", "b", "c", "d", "e"];
const books: readonly Book[] = titles.map((title, index) => ({ id: index + 1, title }));

/** Two entries from a position, and the position of the next page. */
function cut<Entry>(all: readonly Entry[], start: number) {
  return { cut: all.slice(start, start + 2), next: start + 2, more: start + 2 < all.length };
}

function handlersWith(listBooks?: (number: number) => Error | undefined): Handlers {
  return {
    Library: {
      ListBooks: (_, { page }) => {
        const number = page?.number || 1;
        const failure = listBooks?.(number);
        if (failure) throw failure;
        const found = cut(books, (number - 1) * 2);
        return { books: found.cut, others: ["x"], page: { number, more: found.more } };
      },
      Titles: (_, { page = 0 }) => {
        const found = cut(titles, page * 2).cut;
        return found.length === 0 ? {} : { titles: found };
      },
      Search: (_, { cursor = "0" }) => {
        const found = cut(titles, Number(cursor));
        const entries = found.cut.map((novel) => ({ novel }));
        return { found: { entries, next: found.more ? `${found.next}` : null } };
      },
      Scan: (_, { class: start }) => {
        const found = cut(books, start);
        return { list: found.cut.map(({ id }) => id), class: found.more ? found.next : 0 };
      },
      Items: (_, { page }) => {
        const found = cut(["novel", "poem", "novel"] as const, page * 2);
        return { result: { delete: [...found.cut], hasMore: found.more } };
      },
    },
  };
}

/** A client, and the calls that it has made. */
function clientOf(handlers = handlersWith(), intercept?: (call: Call) => Promise<unknown> | undefined) {
  const calls: Call[] = [];
  const client: Client = {
    url: "http://memory",
    transport: memoryTransport(fetchHandler(createServer(handlers, { checkResponses: true }))),
    interceptor: (call, next) => {
      calls.push(call);
      return intercept?.(call) ?? next(call);
    },
  };
  return { client, calls };
}

async function all<Value>(list: AsyncIterable<Value>): Promise<Value[]> {
  const found: Value[] = [];
  for await (const value of list) found.push(value);
  return found;
}

/** Lets everything run that does not wait for the reader. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((done) => setImmediate(done));
}

describe("the items of a list", () => {
  const ids = [1, 2, 3, 4, 5];

  test.each(["post", "get"])("of every kind, by %s", async (form) => {
    const { client, calls } = clientOf();
    const reads = form === "get" ? { ...client, reads: byGet } : client;
    expect(await all(items(library.listBooks, reads, {}))).toEqual(books);
    expect(await all(items(library.titles, reads, {}))).toEqual(titles);
    expect(await all(items(library.search, reads, {}))).toEqual(titles.map((novel) => ({ novel })));
    expect(await all(items(library.scan, reads, { class: 0 }))).toEqual(ids);
    expect(await all(items(libraryItems, reads, { page: 0 }))).toEqual(["novel", "poem", "novel"]);
    const requests = calls.map(({ method, req }) => `${method.name} ${JSON.stringify(req)}`);
    expect(requests).toEqual([
      "ListBooks {}",
      'ListBooks {"page":{"number":2}}',
      'ListBooks {"page":{"number":3}}',
      // Without a field that tells, an empty page is the last one.
      ...["{}", '{"page":1}', '{"page":2}', '{"page":3}'].map((req) => `Titles ${req}`),
      ...["{}", '{"cursor":"2"}', '{"cursor":"4"}'].map((req) => `Search ${req}`),
      ...["0", "2", "4"].map((start) => `Scan {"class":${start}}`),
      ...["0", "1"].map((page) => `Items {"page":${page}}`),
    ]);
  });

  test("with 64-bit integers as bigints", async () => {
    const big = books.map(({ id, title }) => ({ id: BigInt(id), title }));
    const server = createWideServer({
      Library: {
        ...handlersWith().Library,
        ListBooks: (_, { page }) => {
          const found = cut(big, ((page?.number ?? 1) - 1) * 2);
          return { books: found.cut, others: [], page: { number: 1, more: found.more } };
        },
        Titles: (_, { page = 0n }) => ({ titles: cut(titles, Number(page) * 2).cut }),
        Scan: (_, { class: start }) => {
          const found = cut(big, Number(start));
          return { list: found.cut.map(({ id }) => id), class: found.more ? BigInt(found.next) : 0n };
        },
      },
    });
    const client: Client = { url: "http://memory", transport: memoryTransport(fetchHandler(server)) };
    expect(await all(items(wide.listBooks, client, {}))).toEqual(big);
    expect(await all(items(wide.titles, client, {}))).toEqual(titles);
    expect(await all(items(wide.scan, client, { class: 0n }))).toEqual(big.map(({ id }) => id));
  });

  test("keep the other fields of the request, and the options of the call", async () => {
    const { client, calls } = clientOf();
    const req = { genre: "novel" as const, page: { number: 2, size: 2 } };
    const options = { timeoutMs: 61_234, headers: { a: "b" } };
    expect(await all(items(library.listBooks, client, req, options))).toEqual(books.slice(2));
    expect(calls.map((call) => call.req)).toEqual([req, { genre: "novel", page: { number: 3, size: 2 } }]);
    for (const call of calls) expect(call).toMatchObject(options);
  });

  test("start again with each loop", async () => {
    const list = items(library.titles, clientOf().client, {});
    expect([await all(list), await all(list)]).toEqual([titles, titles]);
  });

  test("have the types of the method", () => {
    const { client } = clientOf();
    expectTypeOf(items(library.listBooks, client, {})).toEqualTypeOf<Pages<Book, library.ListBooksError>>();
    // @ts-expect-error the request has no such field
    items(library.listBooks, client, { pages: 1 });
    // @ts-expect-error the request has a required field
    items(library.scan, client, {});
    const unpaged = library.titles as Omit<typeof library.titles, "paging">;
    // @ts-expect-error the method is not paged
    expect(() => items(unpaged, client, {})).toThrow;
  });
});

describe("ahead", () => {
  test.each([-1, 11, 0.5, Number.NaN])("%d is rejected at once", (ahead) => {
    const { client } = clientOf();
    const message = `ahead must be a whole number from 0 to 10, found ${ahead}`;
    expect(() => pages(library.titles, client, {}, { ahead })).toThrow(new RangeError(message));
    expect(() => items(library.titles, client, {}, { ahead })).toThrow(new RangeError(message));
  });

  test.each([
    [undefined, 1],
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    // The list has four pages.
    [10, 4],
  ])("%d: %d calls while the reader is at the first page", async (ahead, expected) => {
    const { client, calls } = clientOf();
    const seen: unknown[] = [];
    for await (const page of pages(library.titles, client, {}, { ...(ahead !== undefined && { ahead }) })) {
      if (seen.length === 0) {
        await expect.poll(() => calls.length).toBe(expected);
        await settle();
        expect(calls.length).toBe(expected);
      }
      seen.push(page);
    }
    expect(seen).toEqual([{ titles: ["a", "b"] }, { titles: ["c", "d"] }, { titles: ["e"] }, {}]);
    expect(calls.length).toBe(4);
  });
});

describe("a loop that is left", () => {
  test.each(["break", "throw"])("by %s aborts the call that runs", async (way) => {
    let signal: AbortSignal | undefined;
    const { client } = clientOf(undefined, ({ req, signal: own }) => {
      if ((req as { page?: number }).page !== 1) return undefined;
      signal = own;
      return new Promise((_, reject) => own?.addEventListener("abort", () => reject(own.reason)));
    });
    const read = async (): Promise<void> => {
      for await (const title of items(library.titles, client, {}, { ahead: 1 })) {
        await expect.poll(() => signal).toBeDefined();
        expect([title, signal?.aborted]).toEqual(["a", false]);
        if (way === "throw") throw new Error("of the reader");
        break;
      }
    };
    if (way === "throw") await expect(read()).rejects.toThrow("of the reader");
    else await read();
    expect(signal?.aborted).toBe(true);
  });
});

describe("a failure", () => {
  test("of a page that was requested ahead is thrown when the reader reaches it", async () => {
    const { client, calls } = clientOf(undefined, ({ req }) =>
      (req as { page?: { number?: number } }).page?.number === 2
        ? Promise.reject(new ClosedError())
        : undefined,
    );
    const seen: string[] = [];
    let error: unknown;
    try {
      for await (const { title } of items(library.listBooks, client, {}, { ahead: 3 })) {
        // An unhandled rejection would fail the test run.
        await settle();
        seen.push(title);
      }
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ClosedError);
    expect([seen, calls.length]).toEqual([["a", "b"], 2]);
  });

  test.each([
    [library.search, { found: { entries: [], next: "same" } }, {}],
    [library.scan, { list: [], class: 7 }, { class: 1 }],
  ] as const)("ends a list whose cursor does not change", async (method, response, req) => {
    const { client, calls } = clientOf(undefined, () => Promise.resolve(response));
    const list = pages(method as typeof library.search, client, req as object);
    const seen: unknown[] = [];
    const read = async () => {
      for await (const page of list) seen.push(page);
    };
    await expect(read()).rejects.toMatchObject({
      name: "WebrpcBadResponse",
      side: "response",
      cause: expect.stringContaining("cursor of its own request"),
    });
    expect([seen, calls.length]).toEqual([[response, response], 2]);
  });

  test("is an abort by the signal of the caller, before and during the list", async () => {
    const { client, calls } = clientOf();
    const controller = new AbortController();
    const list = items(library.titles, client, {}, { signal: controller.signal });
    const seen: string[] = [];
    const read = async () => {
      for await (const title of list) {
        seen.push(title);
        if (title === "c") controller.abort("enough");
      }
    };
    await expect(read()).rejects.toMatchObject({ code: -8, side: "client" });
    expect([seen, calls.length]).toEqual([["a", "b", "c", "d"], 3]);
    await expect(all(list)).rejects.toMatchObject({ cause: "enough" });
  });
});
