import { describe, expect, onTestFinished, test, vi } from "vitest";
import { fetchHandler } from "../../../../../generator/codegen/runtime/v1/fetch.ts";
import type { ServerOptions } from "../../../../../generator/codegen/runtime/v1/hooks.ts";
import type { IdempotencyOptions } from "../../../../../generator/codegen/runtime/v1/idempotency.ts";
import type { WriteContext } from "../../../../../generator/codegen/runtime/v1/read-handler.ts";
import type { SchemaErrorName } from "../../../../fixtures/keys/generated/server/errors.ts";
import {
  createPartialServer,
  createServer,
  type Handlers,
  keysInMemory,
  rpcError,
} from "../../../../fixtures/keys/generated/server/index.ts";
import type { ShopHandlers } from "../../../../fixtures/keys/generated/server/shop.ts";

/** The name of the caller. */
type Host = string;

type AddOrder = ShopHandlers<Host>["AddOrder"];

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly key?: string;
  readonly caller?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Received {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** Serves handlers that count their runs. `addOrder` replaces the handler of AddOrder. */
function shop(
  addOrder?: AddOrder,
  more: Partial<ServerOptions<Host, SchemaErrorName, Request>> = {},
  idempotency: Partial<IdempotencyOptions<Host>> = {},
) {
  let runs = 0;
  const order: AddOrder = (_ctx, { item }) => ({ order: { id: runs, item } });
  const counted =
    (handle: AddOrder): AddOrder =>
    (ctx, req) => {
      runs++;
      return handle(ctx, req);
    };
  const handlers: Handlers<Host> = {
    Shop: {
      AddOrder: counted(addOrder ?? order),
      AddNote: (_ctx, { item }) => ({ order: { id: ++runs, item } }),
      Clear: () => {
        runs++;
      },
      Plain: (_ctx, { item }) => ({ order: { id: ++runs, item } }),
      List: () => ({ orders: [] }),
    },
    Desk: {
      Put: (ctx, req) => {
        runs++;
        ctx.requireMatch("v1");
        return { id: req.id, item: `${ctx.host} ${req.item}` } as never;
      },
    },
  };
  const serve = fetchHandler(
    createServer<Host, Request>(handlers, {
      context: (call) => call.header("x-caller") ?? "",
      ...more,
      idempotency: { store: keysInMemory(), scope: (host) => host, ...idempotency },
    }),
  );
  async function send({
    method = "AddOrder",
    path,
    key,
    caller = "ada",
    body,
    headers,
  }: Sent): Promise<Received> {
    const response = await serve(
      new Request(`http://a${path ?? `/rpc/Shop/${method}`}`, {
        method: path === undefined ? "POST" : "PATCH",
        headers: {
          "Content-Type": "application/json",
          "X-Caller": caller,
          ...(key === undefined ? {} : { "Idempotency-Key": key }),
          ...headers,
        },
        body: body ?? '{"item":"pen"}',
      }),
    );
    return { status: response.status, body: await response.json(), headers: response.headers };
  }
  return { send, runs: () => runs };
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const bodyOf = (status: number, cause: string) => ({
  error: "WebrpcBadRequest",
  code: -4,
  msg: "bad request",
  cause,
  status,
});

describe("a key that was used", () => {
  test("gets the response again, and the handler does not run", async () => {
    const { send, runs } = shop();
    const first = await send({ key: '"k1"' });
    expect([first.status, first.body]).toEqual([200, { order: { id: 1, item: "pen" } }]);
    const second = await send({ key: '"k1"' });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect((await send({ key: '"k2"' })).body).toEqual({ order: { id: 2, item: "pen" } });
    expect(runs()).toBe(2);
  });

  test("gets the headers of the first response again", async () => {
    const { send } = shop((ctx, { item }) => {
      ctx.setHeader("Location", "/orders/7");
      ctx.setHeader("Set-Cookie", ["a=1", "b=2"]);
      return item === "pen" ? { order: { id: 7, item } } : ctx.errors.SoldOut();
    });
    for (const [key, item, status] of [
      ['"k"', "pen", 200],
      ['"l"', "ink", 409],
    ] as const)
      for (const attempt of ["first", "second"]) {
        const { headers, ...response } = await send({ key, body: JSON.stringify({ item }) });
        expect([attempt, response.status]).toEqual([attempt, status]);
        expect([headers.get("location"), headers.getSetCookie()]).toEqual(["/orders/7", ["a=1", "b=2"]]);
      }
  });

  test.each([
    ["another request", { body: '{"item":"ink"}' }],
    ["another value within", { body: '{"item":"pen","tags":{"a":"1"}}' }],
    ["another method", { method: "AddNote" }],
  ])("gets HTTP 422 for %s", async (_about, other) => {
    const { send, runs } = shop();
    await send({ key: '"k"' });
    const { status, body, headers } = await send({ key: '"k"', ...other });
    expect(status).toBe(422);
    expect(body).toEqual(bodyOf(422, "this Idempotency-Key was used for another request"));
    expect(headers.get("retry-after")).toBeNull();
    expect(runs()).toBe(1);
  });

  test("may come with its fields in another order, and other white space", async () => {
    const { send, runs } = shop();
    await send({ key: '"k"', body: '{"item":"pen","tags":{"a":"1","b":"2"}}' });
    const second = await send({ key: '"k"', body: '{ "tags": {"b":"2", "a":"1"}, "item": "pen" }' });
    expect([second.status, runs()]).toEqual([200, 1]);
  });

  test("of another caller is new, and never shows the first caller's response", async () => {
    const { send, runs } = shop();
    const first = await send({ key: '"k"', caller: "ada" });
    const other = await send({ key: '"k"', caller: "bob" });
    expect(other.body).not.toEqual(first.body);
    expect(runs()).toBe(2);
    expect((await send({ key: '"k"', caller: "bob", body: '{"item":"ink"}' })).status).toBe(422);
  });

  test("has no effect on a method without the annotation", async () => {
    const { send, runs } = shop();
    for (let count = 0; count < 2; count++) await send({ method: "Plain", key: '"k"' });
    await send({ method: "Plain", key: "" });
    expect(runs()).toBe(3);
  });

  test("works without request fields and with routes, whose path belongs to the request", async () => {
    const { send, runs } = shop();
    for (const body of ["", "{}", "null"])
      expect((await send({ method: "Clear", key: '"c"', body })).body).toEqual({});
    expect(runs()).toBe(1);
    const first = await send({ path: "/rpc/desk/1", key: '"r"' });
    expect([first.status, runs()]).toEqual([200, 2]);
    expect((await send({ path: "/rpc/desk/1", key: '"r"' })).body).toEqual(first.body);
    expect((await send({ path: "/rpc/desk/2", key: '"r"' })).status).toBe(422);
  });
});

describe("the header", () => {
  const missing = bodyOf(400, "the header Idempotency-Key is missing");
  const malformed = bodyOf(
    400,
    "invalid header Idempotency-Key: expected 1 to 255 printable ASCII characters in double quotes",
  );
  const long = (length: number) => `"${"k".repeat(length)}"`;

  test.each([
    ["one character", '"k"', 200],
    ["254 characters", long(254), 200],
    ["255 characters", long(255), 200],
    ["256 characters", long(256), 400],
    ["255 characters without quotes", "k".repeat(255), 200],
    ["256 characters without quotes", "k".repeat(256), 400],
    ["255 escaped characters", `"${'\\"'.repeat(255)}"`, 200],
    ["nothing", "", 400],
    ["an empty string", '""', 400],
    ["a string without its end", '"k', 400],
    ["two keys", '"a", "b"', 400],
    ["two keys without quotes", "a, b", 400],
    ["a character outside of ASCII", '"\u00e9"', 400],
    ["a control character", '"a\tb"', 400],
    ["an unknown escape", '"a\\b"', 400],
    ["spaces around", '  "k"  ', 200],
    ["a parameter", '"k";a=1', 400],
  ])("with %s gets the right status", async (_about, key, status) => {
    const { send, runs } = shop();
    const { status: found, body } = await send({ key });
    expect(found).toBe(status);
    if (status === 400) expect(body).toEqual(malformed);
    expect(runs()).toBe(status === 200 ? 1 : 0);
  });

  test("may have no quotes, and escapes do not change the key", async () => {
    const { send, runs } = shop();
    await send({ key: '"k-1"' });
    await send({ key: "k-1" });
    expect(runs()).toBe(1);
    await send({ key: '"a\\\\b"' });
    await send({ key: "a\\b" });
    expect(runs()).toBe(2);
  });

  test("may be missing, unless it is required", async () => {
    const optional = shop();
    for (let count = 0; count < 2; count++) await optional.send({});
    expect(optional.runs()).toBe(2);
    const required = shop(undefined, {}, { isRequired: true });
    expect((await required.send({})).body).toEqual(missing);
    expect((await required.send({ key: '"k"' })).status).toBe(200);
    expect((await required.send({ method: "Plain" })).status).toBe(200);
  });
});

describe("while the first call runs", () => {
  test("the second gets HTTP 409 with Retry-After, and the response afterwards", async () => {
    const end = deferred<void>();
    const { send, runs } = shop(async (_ctx, { item }) => {
      await end.promise;
      return { order: { id: 7, item } };
    });
    const first = send({ key: '"k"' });
    await expect.poll(runs).toBe(1);
    const second = await send({ key: '"k"' });
    expect([second.status, second.headers.get("retry-after")]).toEqual([409, "1"]);
    expect(second.body).toEqual(bodyOf(409, "the first call with this Idempotency-Key has not ended"));
    const other = send({ key: '"k"', caller: "bob" });
    await expect.poll(runs).toBe(2);
    end.resolve();
    expect((await other).status).toBe(200);
    expect((await send({ key: '"k"' })).body).toEqual((await first).body);
    expect(runs()).toBe(2);
  });

  test("a deadline that passes does not end it", async () => {
    const end = deferred<void>();
    const { send, runs } = shop(
      async (_ctx, { item }) => {
        await end.promise;
        return { order: { id: 7, item } };
      },
      { deadline: { ms: 5, error: (errors) => errors.Busy() } },
    );
    expect((await send({ key: '"k"' })).status).toBe(503);
    expect((await send({ key: '"k"' })).status).toBe(409);
    end.resolve();
    await expect.poll(async () => (await send({ key: '"k"' })).status).toBe(200);
    expect(runs()).toBe(1);
  });
});

describe("errors", () => {
  const kept: readonly (readonly [string, AddOrder])[] = [
    [
      "returned",
      (ctx) => ctx.errors.SoldOut({ cause: "none left", expose: true, headers: { "X-Left": "0" } }),
    ],
    [
      "thrown",
      (ctx) => {
        throw ctx.errors.SoldOut({ cause: "none left", expose: true, headers: { "X-Left": "0" } });
      },
    ],
  ];

  test.each(kept)("that the handler declares are kept: %s", async (_about, handle) => {
    const logged: unknown[] = [];
    const { send, runs } = shop(handle, {
      onDone: ({ status, error }) => logged.push([status, error?.name]),
    });
    const answers = [await send({ key: '"k"' }), await send({ key: '"k"' })];
    expect(runs()).toBe(1);
    for (const { status, body, headers } of answers) {
      expect(status).toBe(409);
      expect(body).toEqual({ error: "SoldOut", code: 100, msg: "sold out", cause: "none left", status: 409 });
      expect(headers.get("x-left")).toBe("0");
      expect(headers.get("x-request-id")).not.toBeNull();
    }
    expect(logged).toEqual([
      [409, "SoldOut"],
      [409, "SoldOut"],
    ]);
  });

  const released: readonly (readonly [string, number, AddOrder])[] = [
    [
      "an unexpected error",
      500,
      () => {
        throw new Error("bug");
      },
    ],
    ["a rejected promise", 500, () => Promise.reject(new Error("bug"))],
    ["a declared error with HTTP 503", 503, (ctx) => ctx.errors.Busy()],
    ["a declared error with HTTP 429", 429, (ctx) => ctx.errors.Slow()],
    [
      "a declared error with Retry-After",
      409,
      (ctx) => ctx.errors.SoldOut({ headers: { "retry-after": "1" } }),
    ],
    ["an error of another method", 500, () => rpcError.Changed() as never],
    ["a built-in error", 500, () => rpcError.builtin(-7) as never],
    ["an invalid response", 500, () => "text" as never],
  ];

  test.each(released)("release the key: %s", async (_about, status, handle) => {
    let isFirst = true;
    const { send, runs } = shop((ctx, req) => {
      if (!isFirst) return { order: { id: 1, item: req.item } };
      isFirst = false;
      return handle(ctx, req);
    });
    expect((await send({ key: '"k"' })).status).toBe(status);
    expect((await send({ key: '"k"' })).status).toBe(200);
    expect((await send({ key: '"k"' })).status).toBe(200);
    expect(runs()).toBe(2);
  });

  test("that failureOf makes of an unexpected error release the key, even if the method declares them", async () => {
    const { send, runs } = shop(
      () => {
        throw new Error("the database is away");
      },
      { failureOf: () => rpcError.SoldOut() },
    );
    for (let count = 0; count < 2; count++) expect((await send({ key: '"k"' })).status).toBe(409);
    expect(runs()).toBe(2);
  });

  test("of the store are errors of the call", async () => {
    const store = { run: () => Promise.reject(new Error("no connection")) };
    const { send, runs } = shop(undefined, { failureOf: () => rpcError.Busy() }, { store });
    expect([(await send({ key: '"k"' })).status, runs()]).toEqual([503, 0]);
  });

  test("before the handler use up no key", async () => {
    const refused = vi.fn(() => rpcError.Slow());
    const { send, runs } = shop(undefined, {
      checkRequest: (_call, request) => ((request as { item: string }).item === "no" ? refused() : undefined),
    });
    expect((await send({ key: '"k"', body: '{"item":"no"}' })).status).toBe(429);
    expect((await send({ key: '"k"', body: "{}" })).status).toBe(400);
    expect([(await send({ key: '"k"' })).status, runs()]).toEqual([200, 1]);
    // What a caller may no longer do, a key does not show.
    expect((await send({ key: '"k"', body: '{"item":"no"}' })).status).toBe(429);
  });
});

describe("a large response", () => {
  const text = JSON.stringify({ order: { id: 1, item: "\u00e9".repeat(50) } });
  const bytes = Buffer.byteLength(text);

  test.each([
    ["below the limit", bytes + 1, 200],
    ["at the limit", bytes, 200],
    ["above the limit", bytes - 1, 409],
  ])("%s", async (_about, responseMaxBytes, status) => {
    const { send, runs } = shop(
      () => ({ order: { id: 1, item: "\u00e9".repeat(50) } }),
      {},
      { responseMaxBytes },
    );
    expect((await send({ key: '"k"' })).status).toBe(200);
    const second = await send({ key: '"k"' });
    expect([second.status, runs()]).toEqual([status, 1]);
    if (status === 409) {
      const cause = "the first call with this Idempotency-Key has ended, but its response was not kept";
      expect(second.body).toEqual(bodyOf(409, cause));
      expect(second.headers.get("retry-after")).toBeNull();
      expect((await send({ key: '"k"', body: '{"item":"ink"}' })).status).toBe(422);
    }
  });

  test.each([
    [64 * 1024, 200],
    [64 * 1024 + 1, 409],
  ])("of %i bytes, with the default limit, gets %i", async (size, status) => {
    const item = "x".repeat(size - '{"order":{"id":1,"item":""}}'.length);
    const { send } = shop(() => ({ order: { id: 1, item } }));
    await send({ key: '"k"' });
    expect((await send({ key: '"k"' })).status).toBe(status);
  });
});

describe("a store", () => {
  test("can give the handler another host", async () => {
    const hosts: string[] = [];
    const contexts: WriteContext<Host>[] = [];
    const { send } = shop(
      (ctx, { item }) => {
        hosts.push(ctx.host);
        expect([ctx.method.name, ctx.signal.aborted, ctx.requestId]).toEqual([
          "AddOrder",
          false,
          expect.any(String),
        ]);
        contexts.push(ctx as WriteContext<Host>);
        return { order: { id: 1, item } };
      },
      {},
      {
        store: {
          async run({ scope, key }, host, handle) {
            await handle(`${host} in ${scope}/${key}`);
            return "ran";
          },
        },
      },
    );
    expect((await send({ key: '"k"' })).status).toBe(200);
    expect(hosts).toEqual(["ada in ada/k"]);
    const put = await send({ path: "/rpc/desk/1", key: '"k"' });
    expect(put.body).toMatchObject({ item: "ada in ada/k pen" });
    const changed = await send({ path: "/rpc/desk/1", key: '"k"', headers: { "If-Match": '"v2"' } });
    expect(changed.status).toBe(412);
  });

  test("is required if a served method takes keys", () => {
    const handlers = { Shop: {}, Desk: { Put: () => ({}) } } as unknown as Handlers;
    expect(() => createPartialServer({ Desk: handlers.Desk }, {} as never)).toThrow(
      'no store for the idempotency keys of Desk.Put: pass the option "idempotency" to createServer',
    );
    expect(() => createPartialServer({}, {} as never)).not.toThrow();
  });
});

describe("keys in memory", () => {
  const run = async (store: ReturnType<typeof keysInMemory>, key: string, scope = "s") => {
    const outcome = await store.run({ scope, key }, undefined, async () => ({
      fingerprint: "f",
      status: 200,
    }));
    return outcome === "ran";
  };

  test("are kept for 24 hours", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const store = keysInMemory();
    const day = 24 * 60 * 60 * 1_000;
    expect(await run(store, "k")).toBe(true);
    vi.setSystemTime(day - 1);
    expect(await run(store, "k")).toBe(false);
    vi.setSystemTime(day);
    expect(await run(store, "k")).toBe(true);
    expect(await run(store, "k")).toBe(false);
  });

  test("are limited for each scope, and the oldest is dropped first", async () => {
    const store = keysInMemory({ maxPerScope: 2 });
    expect(await run(store, "other", "t")).toBe(true);
    for (const key of ["a", "b"]) expect(await run(store, key)).toBe(true);
    for (const key of ["a", "b"]) expect(await run(store, key)).toBe(false);
    expect(await run(store, "c")).toBe(true);
    for (const key of ["b", "c"]) expect(await run(store, key)).toBe(false);
    expect(await run(store, "a")).toBe(true);
    expect(await run(store, "other", "t")).toBe(false);
  });

  test("are 1,000 for each scope by default", async () => {
    const store = keysInMemory();
    for (let count = 0; count < 1_000; count++) await run(store, `${count}`);
    expect(await run(store, "0")).toBe(false);
    await run(store, "1000");
    expect(await run(store, "1")).toBe(false);
    expect(await run(store, "0")).toBe(true);
  });

  test("do not mix scopes and keys", async () => {
    const store = keysInMemory();
    const end = deferred<undefined>();
    const first = store.run({ scope: "a b", key: "c" }, undefined, () => end.promise);
    expect(await store.run({ scope: "a", key: "b c" }, undefined, async () => undefined)).toBe("ran");
    expect(await store.run({ scope: "a b", key: "c" }, undefined, async () => undefined)).toBe("running");
    end.resolve(undefined);
    expect(await first).toBe("ran");
    expect(await run(store, "c", "a b")).toBe(true);
  });
});
