import { describe, expect, test } from "vitest";
import type { Around } from "../../../generator/runtime/src/around.ts";
import { type ApiDefinition, withAround } from "../../../generator/runtime/src/definition.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import type { CallLog, ServerOptions } from "../../../generator/runtime/src/options.ts";
import {
  createServer as createFeeds,
  type Handlers as FeedHandlers,
} from "../../fixtures/feeds/generated/server.ts";
import {
  createServer as createDepot,
  type DepotHandlers,
} from "../../fixtures/files/generated-in-memory/server.ts";
import {
  createServer,
  type Handlers,
  rpcError,
  type SchemaErrorName,
} from "../../fixtures/shop/generated/server.ts";
import { shop as keyedShop } from "./keys/shop.ts";
import { shopHandlers, shopWith } from "./shop.ts";

type Options = ServerOptions<unknown, SchemaErrorName, unknown, Handlers>;

const internal = { error: "WebrpcInternalError", code: -7, msg: "internal error", status: 500 };

describe("functions of around", () => {
  test("run in their order, inside of the other hooks", async () => {
    const seen: string[] = [];
    const around = (name: string): Around => {
      return async (ctx, req, next) => {
        seen.push(`${name} ${ctx.method.name} ${JSON.stringify(req)}`);
        const reply = await next();
        seen.push(`after ${name} ${JSON.stringify(reply)}`);
        return reply;
      };
    };
    const handler = (_ctx: unknown, { id }: { id: number }) => {
      seen.push("handler");
      return { item: { id, name: "pen" } };
    };
    const { status } = await call(shopWith(handler), {
      guards: [() => void seen.push("guard")],
      context: () => void seen.push("context"),
      checkRequest: () => void seen.push("checkRequest"),
      around: [around("one"), around("two")],
      onResponse: () => seen.push("onResponse"),
    });
    expect(status).toBe(200);
    expect(seen).toEqual([
      ...["guard", "context", "checkRequest", 'one GetItem {"id":1}', 'two GetItem {"id":1}', "handler"],
      'after two {"item":{"id":1,"name":"pen"}}',
      'after one {"item":{"id":1,"name":"pen"}}',
      "onResponse",
    ]);
  });

  test("are chosen by service, method and annotation", async () => {
    const seen: string[] = [];
    const log =
      (name: string): Around =>
      (_ctx, _req, next) => {
        seen.push(name);
        return next();
      };
    const around: Options["around"] = [
      { "@auth": log("@auth"), "@deprecated": log("@deprecated"), Shop: log("Shop") },
      { Shop: { GetItem: log("GetItem"), Ping: log("Ping") } },
      { "v1/Back Office": log("Back Office") },
      log("all"),
    ];
    await call(shopHandlers, { around });
    expect(seen.splice(0)).toEqual(["@auth", "Shop", "GetItem", "all"]);
    await call(shopHandlers, { around }, "/v2/rpc/Shop/Ping");
    expect(seen.splice(0)).toEqual(["Shop", "Ping", "all"]);
    await call(shopHandlers, { around }, "/v2/rpc/v1/Back%20Office/constructor");
    expect(seen).toEqual(["Back Office", "all"]);
  });

  test("of a method know its types, and may respond instead", async () => {
    const cache = new Map<number, { readonly id: number; readonly name: string }>();
    let runs = 0;
    const handlers = shopWith((_ctx: unknown, { id }: { id: number }) => {
      runs++;
      return { item: { id, name: "pen" } };
    });
    const around: Options["around"] = [
      {
        Shop: {
          GetItem: async (_ctx, { id }, next) => {
            const item = cache.get(id) ?? (await next()).item;
            cache.set(id, item);
            return { item };
          },
        },
      },
    ];
    const server = fetchHandler(createServer(handlers, { around }));
    for (const _ of [1, 2]) expect((await send(server)).body).toEqual({ item: { id: 1, name: "pen" } });
    expect(runs).toBe(1);
  });

  test("may give the handler another host", async () => {
    interface Host {
      readonly db: string;
    }
    const inTransaction: Around<Host> = (ctx, _req, next) =>
      next({ ...ctx.context, db: `${ctx.context.db} in transaction` });
    const handlers: Handlers<Host> = {
      ...shopHandlers,
      Shop: {
        ...shopHandlers.Shop,
        Echo: (ctx) => {
          ctx.setHeader("X-Id", ctx.requestId);
          return { value: [ctx.context.db, ctx.method.name, ctx.signal.aborted] };
        },
      },
    };
    const server = createServer(handlers, { context: () => ({ db: "db" }), around: [inTransaction] });
    const { body, headers } = await send(fetchHandler(server), "/v2/rpc/Shop/Echo", { value: 1 });
    expect(body).toEqual({ value: ["db in transaction", "Echo", false] });
    expect(headers.get("x-id")).not.toBeNull();
  });

  test("of a server without handlers for a service, or for a method", () => {
    const around: Options["around"] = [(_ctx, _req, next) => next()];
    expect(() => createServer({ ...shopHandlers, Shop: {} as never }, { around })).toThrow(
      "no handler for Shop.GetItem, Shop.Order, Shop.Buy, Shop.Ping, Shop.Echo",
    );
  });
});

describe("errors", () => {
  const boom = new Error("boom");

  test.each([
    ["returns an error of the method", () => rpcError.NotFound(), "NotFound", 404],
    ["throws an error of the method", () => Promise.reject(rpcError.NotFound()), "NotFound", 404],
    ["throws another error", () => Promise.reject(boom), "Error", 500],
    ["returns another error", () => boom, "Error", 500],
  ])("next() rejects if the handler %s", async (_what, getItem, name, status) => {
    const seen: string[] = [];
    const around: Around = async (_ctx, _req, next) => {
      try {
        return await next();
      } catch (thrown) {
        seen.push((thrown as Error).name);
        throw thrown;
      }
    };
    expect(await call(shopWith(getItem), { around: [around] })).toMatchObject({ status });
    expect(seen).toEqual([name]);
  });

  test("that around throws are those of the method", async () => {
    const throwing = (thrown: unknown): Around => {
      return () => {
        throw thrown;
      };
    };
    expect(await call(shopHandlers, { around: [throwing(rpcError.NotFound())] })).toMatchObject({
      status: 404,
    });
    expect(await call(shopHandlers, { around: [throwing(boom)] })).toMatchObject({ body: internal });
    expect(await call(shopHandlers, { around: [throwing(rpcError.SoldOut())] })).toMatchObject({
      body: internal,
    });
  });

  test("next() fails the second time, and the log names the method", async () => {
    const logs: CallLog[] = [];
    let runs = 0;
    const twice: Around = async (_ctx, _req, next) => {
      await next();
      return next();
    };
    const handlers = shopWith((_ctx: unknown, { id }: { id: number }) => ({
      item: { id, name: `${++runs}` },
    }));
    const { body } = await call(handlers, { around: [twice], onResponse: (log) => logs.push(log) });
    expect({ body, runs }).toEqual({ body: internal, runs: 1 });
    expect(String(logs[0]?.cause)).toBe('Error: "around" of Shop.GetItem called next() twice');
  });

  test("end no process if the function does something else before it awaits next()", async () => {
    const slow: Around = async (_ctx, _req, next) => {
      const reply = next();
      await new Promise((resolve) => setTimeout(resolve, 5));
      return reply;
    };
    const { status } = await call(
      shopWith(() => Promise.reject(rpcError.NotFound())),
      { around: [slow] },
    );
    expect(status).toBe(404);
  });

  test("a function that returns nothing is a bad response", async () => {
    const forgetful = (async (_ctx: unknown, _req: unknown, next: () => Promise<unknown>) => {
      await next();
    }) as Around;
    expect((await call(shopHandlers, { around: [forgetful] })).body).toMatchObject({ code: -5 });
  });
});

test("next() of a stream resolves to its items", async () => {
  const texts: string[] = [];
  const handlers: FeedHandlers = {
    Feeds: {
      Watch: async function* () {
        yield { id: "1", text: "one" };
        yield { id: "2", text: "two" };
      },
      Count: async function* () {},
      Beat: async function* () {},
    },
  };
  const server = createFeeds(handlers, {
    around: [
      {
        Feeds: {
          Watch: async (_ctx, { feed }, next) => {
            const items = await next();
            return (async function* () {
              for await (const { id, text } of items) {
                texts.push(text);
                yield { id, text: `${feed} ${text}` };
              }
            })();
          },
        },
      },
    ],
  });
  const { text } = await send(fetchHandler(server), "/rpc/Feeds/Watch", { feed: "a" });
  expect(text.trim().split("\n")).toEqual(['{"id":"1","text":"a one"}', '{"id":"2","text":"a two"}']);
  expect(texts).toEqual(["one", "two"]);
});

test("next() of a stream rejects with an error that its generator returns", async () => {
  let isClosed = false;
  const handlers: FeedHandlers = {
    Feeds: {
      Watch: async function* (ctx) {
        try {
          yield { id: "1", text: "one" };
          return ctx.errors.FeedGap();
        } finally {
          isClosed = true;
        }
      },
      Count: async function* () {},
      Beat: async function* () {},
    },
  };
  const copied: Around = async (_ctx, _req, next) => {
    const items = (await next()) as AsyncIterable<unknown>;
    return (async function* () {
      for await (const item of items) yield item;
    })() as Awaited<ReturnType<typeof next>>;
  };
  const server = createFeeds(handlers, { around: [copied, copied] });
  const { text } = await send(fetchHandler(server), "/rpc/Feeds/Watch", { feed: "a" });
  expect(text).toMatch(/"text":"one".*\n.*"error":"FeedGap"/);
  expect(isClosed).toBe(true);
});

test("around sees uploaded files", async () => {
  const sizes: unknown[] = [];
  const none = () => {
    throw new Error("not called");
  };
  const depot: DepotHandlers = {
    Store: none,
    StoreMany: none,
    Submit: none,
    Attach: none,
    Fetch: none,
    Export: none,
    Read: none,
    Turn: (_ctx, { source }) => source,
  };
  const server = createDepot(
    { Depot: depot },
    {
      around: [
        {
          Depot: {
            Turn: async (_ctx, { source }, next) => {
              sizes.push(source.size);
              return next();
            },
          },
        },
      ],
    },
  );
  const form = new FormData();
  form.set("source", new Blob(["abc"]), "a.txt");
  const response = await fetchHandler(server)(
    new Request("http://memory/rpc/Depot/Turn", { method: "POST", body: form }),
  );
  expect([await response.text(), sizes]).toEqual(["abc", [3]]);
});

test("a repeated call with an idempotency key does not run around again", async () => {
  const hosts: string[] = [];
  const around: Around<string> = (ctx, _req, next) => {
    hosts.push(ctx.context);
    return next(`${ctx.context} again` as typeof ctx.context);
  };
  const { send: sendKeyed, runs } = keyedShop(
    (ctx, { item }) => ({ order: { id: 1, item: `${item} for ${ctx.context}` } }),
    {
      around: [around],
    },
  );
  for (const _ of [1, 2])
    expect((await sendKeyed({ key: '"k"' })).body).toEqual({ order: { id: 1, item: "pen for ada again" } });
  expect([hosts, runs()]).toEqual([["ada"], 1]);
});

test("servers without functions call their handlers directly", () => {
  const api = { services: [] } as unknown as ApiDefinition;
  const handlers = {};
  expect(withAround(api, handlers, undefined)).toBe(handlers);
});

function call(handlers: Handlers, options: Options, path?: string) {
  return send(fetchHandler(createServer(handlers, options)), path);
}

async function send(
  handle: (request: Request) => Promise<Response>,
  path = "/v2/rpc/Shop/GetItem",
  request: object = { id: 1 },
) {
  const response = await handle(
    new Request(`http://memory${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json";
  const body: unknown = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, body, text, headers: response.headers };
}
