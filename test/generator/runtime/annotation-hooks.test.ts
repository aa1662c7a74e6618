import { expect, test } from "vitest";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import type { Annotated } from "../../../generator/runtime/src/handler.ts";
import type { CallLog, ServerOptions } from "../../../generator/runtime/src/options.ts";
import { createServer, type Handlers, type SchemaErrorName } from "../../fixtures/shop/generated/server.ts";
import { shopHandlers } from "./shop.ts";

interface Plain {
  readonly session: string | undefined;
}
type Host = Annotated<Plain, { auth: { readonly user: string }; readonly: { readonly replica: true } }>;
type Options = ServerOptions<Host, SchemaErrorName>;

const handlers: Handlers<Host> = {
  ...shopHandlers,
  Shop: {
    ...shopHandlers.Shop,
    GetItem: (ctx, { id }) => ({ item: { id, name: ctx.context.user, note: JSON.stringify(ctx.context) } }),
    Echo: (ctx) => ({ value: ctx.context }),
  },
};

const context: Options["context"] = (call) => ({ session: call.header("x-session") });
const annotations: NonNullable<Options["annotations"]> = {
  auth: (call, { session }) =>
    session === undefined ? call.errors.Unauthorized() : { user: `user of ${session}` },
  readonly: async () => ({ replica: true }),
};

test("what a hook finds is added to the host of methods with its annotation", async () => {
  const options = { context, annotations };
  const { body } = await call("GetItem", { id: 1 }, options);
  const host = { session: "s1", user: "user of s1", replica: true };
  expect(body).toEqual({ item: { id: 1, name: "user of s1", note: JSON.stringify(host) } });
  expect(await call("Echo", { value: 1 }, options)).toEqual({
    status: 200,
    body: { value: { session: "s1" } },
  });
});

test("the host that context returned is not changed", async () => {
  const shared: Plain = Object.freeze({ session: "s2" });
  const { status } = await call("GetItem", { id: 1 }, { context: () => shared, annotations });
  expect([status, shared]).toEqual([200, { session: "s2" }]);
});

test("a hook rejects a call, before later hooks and before the body is read", async () => {
  const asked: string[] = [];
  const options: Options = {
    context: () => ({ session: undefined }),
    annotations: {
      ...annotations,
      readonly: () => {
        asked.push("readonly");
        return { replica: true };
      },
    },
  };
  expect(await call("GetItem", "no request", options)).toMatchObject({ status: 401 });
  expect(asked).toEqual([]);
});

test("no hook runs if context rejects the call", async () => {
  const options: Options = { context: ({ errors }) => errors.RateLimited(), annotations };
  expect(await call("GetItem", { id: 1 }, options)).toMatchObject({ status: 429 });
});

test("an instance of a class is an internal error, because a copy would lack its methods", async () => {
  class Session implements Plain {
    readonly session = "s4";
  }
  const found = Object.assign(Object.create({ log: true }) as object, { user: "ann" });
  for (const [options, at] of [
    [{ context: () => new Session(), annotations }, "context"],
    [{ context, annotations: { ...annotations, auth: () => found } }, "annotations.auth"],
  ] as const) {
    const logs: CallLog[] = [];
    const logged = { ...options, onResponse: (log: CallLog) => logs.push(log) } as unknown as Options;
    expect(await call("GetItem", { id: 1 }, logged)).toMatchObject({ status: 500 });
    expect(logs.map(({ cause }) => String(cause))).toEqual([
      `TypeError: ${at}: expected a plain object, because hooks of annotations add fields to a copy`,
    ]);
  }
  const bare = { context: () => Object.assign(Object.create(null), { session: "s5" }) as Plain, annotations };
  expect(await call("GetItem", { id: 1 }, bare)).toMatchObject({ status: 200 });
});

test.each([false, null, true, "ann"])("a hook that returns %j is an internal error", async (found) => {
  const logs: CallLog[] = [];
  const options = {
    context,
    annotations: { ...annotations, auth: () => found },
    onResponse: (log: CallLog) => logs.push(log),
  } as unknown as Options;
  expect(await call("GetItem", { id: 1 }, options)).toMatchObject({ status: 500 });
  expect(String(logs[0]?.cause)).toBe(
    "TypeError: annotations.auth: expected fields of the context, an error or nothing",
  );
});

test("another error of a hook is an internal error", async () => {
  const logs: CallLog[] = [];
  const auth = () => {
    throw new Error("no database");
  };
  const options: Options = {
    context,
    annotations: { ...annotations, auth },
    onResponse: (log) => logs.push(log),
  };
  expect(await call("GetItem", { id: 1 }, options)).toMatchObject({ status: 500 });
  expect(String(logs[0]?.cause)).toBe("Error: no database");
});

async function call(method: string, request: unknown, options: Options) {
  const response = await fetchHandler(createServer<Host>(handlers, options as Required<Options>))(
    new Request(`http://memory/v2/rpc/Shop/${method}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Session": "s1" },
      body: JSON.stringify(request),
    }),
  );
  return { status: response.status, body: (await response.json()) as unknown };
}
