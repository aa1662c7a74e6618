/** The headers Deprecation and Sunset on every kind of response, with every adapter. */
import { beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../../generator/codegen/generate.ts";
import { compile } from "../../../generator/language/compile.ts";
import type { HandlerContext } from "../../../generator/runtime/src/handler.ts";
import type { RpcServer } from "../../../generator/runtime/src/server.ts";
import { type LoadedContract, loadInMemory } from "../../../generator/verify/in-memory/load.ts";
import { adapterNames, serveWith } from "../../support/adapters.ts";
import { memoryReader } from "../../support/memory-reader.ts";

const schema = `webrpc = v1
name = shop
version = v1.0.0
basepath = /rpc

error 1 NotFound "not found" HTTP 404

service Shop
  @deprecated:"2026-11-26, use Find" @sunset:"2027-01-31"
  - Get(id: uint64) => (name: string) errors NotFound
  @sunset:"2028-02-29"
  - Watch() => stream (n: uint32)
  @deprecated:"1969-12-31"
  - Picture() => (picture: file)
  @deprecated:"2026-11-26" @readonly @cache:"60s"
  - Count() => (count: uint32)
  @deprecated:"use Find"
  - Undated() => (name: string)
  - Find(id: uint64) => (name: string)
`;

const handlers = {
  Shop: {
    Get: (ctx: HandlerContext<unknown>, { id }: { readonly id: number }) => {
      if (id === 500) throw new Error("a bug");
      if (id === 7) ctx.setHeader("Sunset", "Mon, 01 Feb 2027 00:00:00 GMT");
      return id === 404 ? ctx.errors["NotFound"]?.() : { name: "lamp" };
    },
    async *Watch() {
      yield { n: 1 };
    },
    Picture: () => ({ body: new Uint8Array([1]), contentType: "image/png" }),
    Count: () => ({ count: 3 }),
    Undated: () => ({ name: "lamp" }),
    Find: () => ({ name: "lamp" }),
  },
};

let live: LoadedContract;

beforeAll(async () => {
  live = await loadInMemory(compiled());
});

function compiled() {
  const { result, diagnostics } = compile("shop.ridl", memoryReader({ "shop.ridl": schema }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join(" "));
  return result;
}

/** 2026-11-26T00:00:00Z in seconds. */
const deprecated = "@1795651200";
const sunset = "Sun, 31 Jan 2027 00:00:00 GMT";

describe.each(adapterNames)("with %s", (adapter) => {
  test.each([
    ["a response", "Get", { id: 1 }, 200, [deprecated, sunset]],
    ["an error of the method", "Get", { id: 404 }, 404, [deprecated, sunset]],
    ["an error of the server", "Get", { id: 500 }, 500, [deprecated, sunset]],
    ["an invalid request", "Get", { id: "x" }, 400, [deprecated, sunset]],
    ["a header that the handler sets", "Get", { id: 7 }, 200, [deprecated, "Mon, 01 Feb 2027 00:00:00 GMT"]],
    ["a stream", "Watch", {}, 200, [null, "Tue, 29 Feb 2028 00:00:00 GMT"]],
    ["a file, and a date before 1970", "Picture", {}, 200, ["@-86400", null]],
    ["a deprecation without a date", "Undated", {}, 200, [null, null]],
    ["a method that is not deprecated", "Find", { id: 1 }, 200, [null, null]],
    ["a path without a method", "Gone", {}, 404, [null, null]],
  ] as const)("%s", async (_, method, body, status, expected) => {
    const server = live.createServer(handlers) as unknown as RpcServer<unknown>;
    await using running = await serveWith(adapter, server);
    const response = await fetch(`${running.url}/rpc/Shop/${method}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    const { headers } = response;
    expect([response.status, headers.get("deprecation"), headers.get("sunset")]).toEqual([
      status,
      ...expected,
    ]);
  });

  test("a read and its HTTP 304", async () => {
    const server = live.createServer(handlers) as unknown as RpcServer<unknown>;
    await using running = await serveWith(adapter, server);
    const first = await fetch(`${running.url}/rpc/Shop/Count`);
    const second = await fetch(`${running.url}/rpc/Shop/Count`, {
      headers: { "If-None-Match": first.headers.get("etag") ?? "" },
    });
    expect([first.status, first.headers.get("deprecation")]).toEqual([200, deprecated]);
    expect([second.status, second.headers.get("deprecation")]).toEqual([304, deprecated]);
  });
});

test("the OpenAPI document describes the headers, and the docs of a method its last day", () => {
  const { model, ir } = compiled();
  const files = generate(model, ir, {
    schemaFile: "shop.ridl",
    targets: ["openapi", "client"],
    openapi: { format: "json" },
  });
  const { paths } = JSON.parse(files.get("openapi/openapi.json") ?? "") as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const headersOf = (method: string, verb = "post") =>
    Object.entries(paths[`/rpc/Shop/${method}`]?.[verb]?.responses["200"]?.headers ?? {}).map(
      ([name, { description }]) => [name, description],
    );
  expect(headersOf("Get")).toEqual([
    ["Deprecation", "Deprecated since 2026-11-26 (RFC 9745)."],
    ["Sunset", "Stops working on 2027-01-31 (RFC 8594)."],
  ]);
  expect(headersOf("Watch")).toEqual([["Sunset", "Stops working on 2028-02-29 (RFC 8594)."]]);
  expect(headersOf("Count", "get")).toContainEqual([
    "Deprecation",
    "Deprecated since 2026-11-26 (RFC 9745).",
  ]);
  expect(headersOf("Find")).toEqual([]);
  expect([...files.values()].join("")).toContain("Stops working on 2028-02-29.");
});

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly headers?: Readonly<Record<string, { readonly description?: string }>> }>
  >;
}
