import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { Around } from "../../../generator/runtime/src/around.ts";
import type { HandlerContext } from "../../../generator/runtime/src/handler.ts";
import type { Call, CallLog, ServerOptions } from "../../../generator/runtime/src/options.ts";
import type { RpcServer } from "../../../generator/runtime/src/server.ts";
import {
  createPartialServer,
  createServer,
  type Handlers,
  rpcError,
  type SchemaErrorName,
} from "../../fixtures/shop/generated/server.ts";
import { requests } from "../../fixtures/shop/generated/validators.ts";
import { serveWith } from "../../support/adapters.ts";
import { type RawRequest, rawRequest } from "../../support/raw-http.ts";
import { shopHandlers, shopWith } from "./shop.ts";

type Options = ServerOptions<unknown, SchemaErrorName, unknown>;

describe("hooks", () => {
  test("guards run in order, before the body is read, and may raise any error of the schema", async () => {
    const asked: string[] = [];
    const guards: Options["guards"] = [
      ({ method }) => {
        asked.push(`first ${method.service}.${method.name} ${JSON.stringify(method.annotations)}`);
      },
      async (call) => (call.header("x-key") === "k" ? undefined : call.errors.Unauthorized()),
      () => {
        asked.push("third");
      },
    ];
    const server = createServer(shopHandlers, { guards });
    const refused = await once(server, { body: "no JSON at all" });
    expect(refused).toMatchObject({ status: 401, body: { error: "Unauthorized", code: 10 } });
    const passed = await once(server, { headers: { "X-Key": "k" } });
    expect(passed).toMatchObject({ status: 200 });
    const first = 'first Shop.GetItem {"auth":"accessKey,secretKey","readonly":true}';
    expect(asked).toEqual([first, first, "third"]);
  });

  test("all functions of hooks and handlers can be destructured", async () => {
    const found: unknown[] = [];
    const find = ({ header }: Call): undefined => void found.push(header("x-key"));
    const around: Around = async ({ setHeader }, _req, next) => {
      setHeader("X-Around", "1");
      return next();
    };
    const shop = shopWith(({ setHeader }: HandlerContext<unknown>, { id }: { readonly id: number }) => {
      setHeader("X-Handler", "1");
      return { item: { id, name: "pen" } };
    });
    const annotations = { auth: find };
    const withContext = (_ctx: unknown, _req: unknown, next: (context: object) => unknown) => next({});
    const server = createServer(shop, {
      guards: [find],
      context: find,
      annotations,
      checkRequest: find,
      around: [around, withContext as Around],
    });
    const { status, headers } = await once(server, { headers: { "X-Key": "k" } });
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: { "x-around": "1", "x-handler": "1" },
    });
    expect(found).toEqual(["k", "k", "k", "k"]);
  });

  test("a guard may throw its error, with headers", async () => {
    const limited = () => {
      throw rpcError.RateLimited({ headers: { "Retry-After": "30", "X-Bad": "a\r\nX-Injected: b" } });
    };
    const { status, headers } = await once(createServer(shopHandlers, { guards: [limited] }));
    expect({ status, retryAfter: headers["retry-after"] }).toEqual({ status: 429, retryAfter: "30" });
    expect(headers["x-bad"] ?? headers["x-injected"]).toBeUndefined();
  });

  test("any other value that a guard throws is an internal error, and guards do not run for unknown paths", async () => {
    const logs: CallLog[] = [];
    const guards = [
      () => {
        throw new Error("database password is 123");
      },
    ];
    const server = createServer(shopHandlers, { guards, onResponse: (log) => logs.push(log) });
    const { status, body } = await once(server);
    expect(body).toEqual({ error: "WebrpcInternalError", code: -7, msg: "internal error", status: 500 });
    expect(status).toBe(500);
    expect(String(logs[0]?.cause)).toContain("database password");
    expect(await once(server, { path: "/v2/rpc/Shop/No" })).toMatchObject({ status: 404 });
  });

  test("mapError maps an undeclared error to an error of the schema", async () => {
    class Full extends Error {}
    const throwing = (thrown: unknown): Handlers => ({
      ...shopHandlers,
      Shop: { ...shopHandlers.Shop, Echo: () => Promise.reject(thrown) },
    });
    const mapError = (thrown: unknown) => {
      if (thrown instanceof RangeError) throw thrown;
      return thrown instanceof Full ? rpcError.RateLimited() : undefined;
    };
    const statusOf = async (thrown: unknown) =>
      (
        await once(createServer(throwing(thrown), { mapError }), {
          path: "/v2/rpc/Shop/Echo",
          body: '{"value":"a"}',
        })
      ).status;
    expect(await statusOf(new Full())).toBe(429);
    expect(await statusOf(new Error("other"))).toBe(500);
    expect(await statusOf(new RangeError("the hook itself fails"))).toBe(500);
  });

  test("the context hook creates ctx.context, or rejects the call", async () => {
    interface Account {
      readonly account: string;
    }
    const handlers: Handlers<Account> = {
      ...shopHandlers,
      Shop: { ...shopHandlers.Shop, Echo: (ctx) => ({ value: ctx.context.account }) },
    };
    const server = createServer(handlers, {
      context: async (call) => {
        const account = call.header("x-account");
        return account === undefined ? call.errors.Unauthorized() : { account };
      },
    });
    const path = "/v2/rpc/Shop/Echo";
    const body = '{"value":1}';
    expect(await once(server, { path, body })).toMatchObject({ status: 401 });
    const answer = await once(server, { path, body, headers: { "X-Account": "anna" } });
    expect(answer.body).toEqual({ value: "anna" });
  });

  test("a context hook that returns any other error rejects the call", async () => {
    const logs: CallLog[] = [];
    const refused = new Error("an error of other generated code");
    const server = createServer(shopHandlers, {
      context: () => refused,
      onResponse: (log) => logs.push(log),
    });
    expect(await once(server)).toMatchObject({ status: 500, body: { error: "WebrpcInternalError" } });
    expect(logs).toMatchObject([{ cause: refused }]);
  });

  test("an error that the method does not declare is an internal error", async () => {
    const logs: CallLog[] = [];
    const server = createServer(
      shopWith(() => rpcError.SoldOut({ cause: "secret", expose: true })),
      { onResponse: (log) => logs.push(log) },
    );
    expect((await once(server)).body).toEqual({
      error: "WebrpcInternalError",
      code: -7,
      msg: "internal error",
      status: 500,
    });
    expect(String(logs[0]?.cause)).toContain("SoldOut");
  });

  test("a failing log or request id does not fail the call", async () => {
    const fail = () => {
      throw new Error("disk full");
    };
    const server = createServer(shopHandlers, { onResponse: fail, requestId: fail });
    expect(await once(server)).toMatchObject({ status: 200 });
    expect((await once(server, { body: "{}" })).headers["x-request-id"]).toMatch(/-\d+$/);
  });

  test("every call has its own id, the same in handler, log and response", async () => {
    const seen: string[] = [];
    const logs: CallLog[] = [];
    const server = createServer(
      shopWith((ctx: { requestId: string }) => {
        seen.push(ctx.requestId);
        throw new Error("oops");
      }),
      { onResponse: (log) => logs.push(log) },
    );
    const answers = [await once(server), await once(server)];
    const ids = answers.map(({ headers }) => headers["x-request-id"]);
    expect(new Set(ids).size).toBe(2);
    expect(seen).toEqual(ids);
    // All servers of a process count together.
    await once(createServer(shopHandlers, { onResponse: (log) => logs.push(log) }));
    const [prefix, count] = String(ids[1]).split("-");
    expect(logs.pop()?.requestId).toBe(`${prefix}-${Number(count) + 1}`);
    expect(logs.map(({ requestId }) => requestId)).toEqual(ids);
    expect(logs[0]).toMatchObject({ path: "/v2/rpc/Shop/GetItem", status: 500, method: { name: "GetItem" } });
    expect(logs[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  test.each([
    ["webrpc@v0.44.0;gen-typescript@v0.30.0;Shop@v0.1.0", true],
    ["x".repeat(200), true],
    ["x".repeat(201), false],
    [undefined, false],
  ])("the log of a call with the header Webrpc %j has the header: %j", async (webrpc, isLogged) => {
    const logs: CallLog[] = [];
    const server = createServer(shopHandlers, { onResponse: (log) => logs.push(log) });
    await once(server, webrpc === undefined ? {} : { headers: { Webrpc: webrpc } });
    expect(logs.map(({ client }) => client)).toEqual([isLogged ? webrpc : undefined]);
  });

  test("after the deadline, the caller gets the configured error and the handler's signal aborts", async () => {
    let signal: AbortSignal | undefined;
    const handler = async (ctx: { signal: AbortSignal }) => {
      signal = ctx.signal;
      await sleep(200);
      return { item: { id: 1, name: "late" } };
    };
    const deadline: Options["deadline"] = { ms: 20, error: (errors) => errors.Aborted() };
    const server = createServer(shopWith(handler), { deadline });
    expect(await once(server)).toMatchObject({ status: 503, body: { error: "Aborted" } });
    expect(signal?.reason).toMatchObject({ name: "TimeoutError" });
  });

  test("a handler within the deadline is unaffected", async () => {
    const deadline: Options["deadline"] = { ms: 5_000, error: (errors) => errors.Aborted() };
    expect(await once(createServer(shopHandlers, { deadline }))).toMatchObject({ status: 200 });
  });

  test("checkResponses finds an invalid response", async () => {
    const wrong = shopWith(() => ({ item: { id: "1", name: "pen" } }));
    const logs: CallLog[] = [];
    const checking = createServer(wrong, { checkResponses: true, onResponse: (log) => logs.push(log) });
    const { body } = await once(checking);
    expect(body).toEqual({ error: "WebrpcBadResponse", code: -5, msg: "bad response", status: 500 });
    expect(logs[0]?.cause).toContain("/item/id: expected");
    expect(await once(createServer(wrong))).toMatchObject({ status: 200 });
  });

  test.each([undefined, null, 1, "text"])(
    "a reply %s where fields are due is a bad response",
    async (reply) => {
      const { body } = await once(createServer(shopWith(() => reply)));
      expect(body).toMatchObject({ code: -5, status: 500 });
    },
  );

  test("a bug in the runtime is a server panic without details", async () => {
    const bug = (): never => {
      throw new Error("secret");
    };
    using _read = vi.spyOn(requests, "/v2/rpc/Shop/GetItem").mockImplementation(bug);
    const { body } = await once(createServer(shopHandlers));
    expect(body).toEqual({ error: "WebrpcServerPanic", code: -6, msg: "server panic", status: 500 });
  });

  test("a service without handlers is an unknown path; a missing method handler fails at start", async () => {
    const server = createPartialServer({ Shop: shopHandlers.Shop });
    expect(await once(server)).toMatchObject({ status: 200 });
    expect(await once(server, { path: "/v2/rpc/v1/Back%20Office/constructor", body: "" })).toMatchObject({
      status: 404,
    });
    const { GetItem: _left, ...rest } = shopHandlers.Shop;
    expect(() => createPartialServer({ Shop: rest as never })).toThrow(
      'no handler for Shop.GetItem: run "npx ridlkit scaffold" to add missing handlers and follow renames',
    );
  });

  test("handlers may be methods of a class", async () => {
    class Shop {
      readonly #name = "mine";
      GetItem(_ctx: unknown, { id }: { id: number }) {
        return { item: { id, name: this.#name } };
      }
      Order() {}
      Buy(_ctx: unknown, { price }: { price: bigint }) {
        return { total: price };
      }
      Ping() {}
      Echo(_ctx: unknown, { value }: { value: unknown }) {
        return { value };
      }
    }
    expect((await once(createPartialServer({ Shop: new Shop() }))).body).toEqual({
      item: { id: 1, name: "mine" },
    });
  });

  test("limits can be configured", async () => {
    const server = createServer(shopHandlers, { limits: { bodyMaxBytes: 10, jsonMaxDepth: 1 } });
    expect((await once(server, { body: '{"id":12345}' })).body).toMatchObject({
      code: -4,
      cause: "the body is larger than 10 bytes",
    });
  });
});

/** Makes one call of GetItem. All adapters share the code for hooks, so one adapter is enough. */
async function once(server: RpcServer<unknown>, request: Partial<RawRequest> = {}) {
  await using running = await serveWith("koa", server);
  const answer = await rawRequest(running.port, {
    path: "/v2/rpc/Shop/GetItem",
    body: '{"id":1}',
    ...request,
  });
  return { ...answer, body: JSON.parse(answer.body) as unknown };
}
