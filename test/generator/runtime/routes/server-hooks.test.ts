/** What hooks, logs and recorders see of calls to methods with routes. */
import { describe, expect, test } from "vitest";
import { fetchHandler } from "../../../../generator/runtime/src/fetch.ts";
import type { CallLog, CallRecord, ServerOptions } from "../../../../generator/runtime/src/options.ts";
import type { RpcServer } from "../../../../generator/runtime/src/server.ts";
import { createRpcServer } from "../../../../generator/runtime/src/server.ts";
import {
  createPartialServer,
  createServer,
  type SchemaErrorName,
} from "../../../fixtures/routes/generated/server.ts";
import { createServer as createWideServer } from "../../../fixtures/routes/generated-bigint/server.ts";
import { routedHandlers } from "./handlers.ts";

type Options = ServerOptions<unknown, SchemaErrorName>;

async function respond(
  server: RpcServer,
  target: string,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const [method = "", path = ""] = target.split(" ");
  const type = init.body === undefined ? {} : { "Content-Type": "application/json" };
  const request = new Request(`http://host${path}`, { headers: type, ...init, method });
  const response = await fetchHandler(server)(request);
  return { status: response.status, body: await response.json() };
}

describe("the log", () => {
  async function logOf(target: string, init?: RequestInit): Promise<Partial<CallLog>> {
    const logs: CallLog[] = [];
    const server = createServer(routedHandlers, { onResponse: (log: CallLog) => void logs.push(log) });
    await respond(server, target, init);
    expect(logs).toHaveLength(1);
    return logs[0] ?? {};
  }

  test("has the method and the path of a call", async () => {
    expect(await logOf("GET /rpc/items/5")).toMatchObject({
      method: { service: "Items", name: "GetItem", path: "/rpc/Items/GetItem" },
      path: "/rpc/items/5",
      status: 200,
      error: undefined,
      durationMs: expect.any(Number),
    });
  });

  test("has invalid parameters", async () => {
    expect(await logOf("GET /rpc/items/x")).toMatchObject({
      method: { name: "GetItem" },
      path: "/rpc/items/x",
      status: 400,
      error: { code: -4 },
      cause: `invalid path param 'id': "x" is not a valid uint64`,
    });
  });

  test("has no method for an unknown verb or a default path", async () => {
    const unknown = await logOf("PUT /rpc/items");
    expect(unknown).toMatchObject({ method: undefined, path: "/rpc/items", error: { code: -3 } });
    const byDefault = await logOf("POST /rpc/Items/GetItem", { body: '{"id":5}' });
    expect(byDefault).toMatchObject({ method: undefined, path: "/rpc/Items/GetItem", error: { code: -2 } });
  });
});

describe("hooks", () => {
  test("see the method by its name, and run before parameters are read", async () => {
    const seen: unknown[] = [];
    const options: Options = {
      guards: [
        (call) => {
          seen.push([call.method.name, call.method.path, call.header("x-key"), call.header("content-type")]);
          return call.header("x-key") === "k" ? undefined : call.errors.NotFound();
        },
      ],
      checkRequest: (_call, request) => void seen.push(request) as undefined,
    };
    const server = createServer(routedHandlers, options);
    expect(await respond(server, "GET /rpc/items/x")).toMatchObject({ status: 404, body: { code: 100 } });
    const accepted = await respond(server, "GET /rpc/items/5", { headers: { "X-Key": "k" } });
    expect(accepted.status).toBe(200);
    expect(seen).toEqual([
      ["GetItem", "/rpc/Items/GetItem", undefined, "application/json"],
      ["GetItem", "/rpc/Items/GetItem", "k", "application/json"],
      { id: 5 },
    ]);
  });

  test("do not run for an unknown verb", async () => {
    let runs = 0;
    const options: Options = { guards: [() => void runs++ as undefined] };
    const server = createServer(routedHandlers, options);
    expect((await respond(server, "PUT /rpc/items")).status).toBe(405);
    expect(runs).toBe(0);
  });

  test("watch only bodies that are read", async () => {
    const arrived: number[] = [];
    const server = createServer(routedHandlers, {
      watchBody: () => ({ arrived: (bytes) => arrived.push(bytes), ended: () => arrived.push(-1) }),
    });
    await respond(server, "DELETE /rpc/items/5", { body: "{}" });
    expect(arrived).toEqual([]);
    await respond(server, "PATCH /rpc/items/5", { body: '{"name":"a"}' });
    expect(arrived).toEqual([12, -1]);
  });
});

test("a recorder receives the request with all its fields", async () => {
  const calls: CallRecord[] = [];
  const recorder = { record: (call: CallRecord) => void calls.push(call) };
  const server = createServer(routedHandlers, { recorder });
  const wide = createWideServer(routedHandlers as never, { recorder });
  await respond(server, "GET /rpc/items?limit=1&tags=a&since=2025-01-31T12:00:00Z");
  await respond(server, "PATCH /rpc/items/5", { body: '{"name":"a"}' });
  await respond(wide, "GET /rpc/items/18446744073709551615");
  expect(calls.map(({ method, request }) => [method.name, request])).toEqual([
    ["ListItems", '{"limit":1,"tags":["a"],"since":"2025-01-31T12:00:00Z"}'],
    ["PatchItem", '{"name":"a","id":5}'],
    ["GetItem", '{"id":18446744073709551615}'],
  ]);
});

test("a body that another parser has read", async () => {
  const server = createServer(routedHandlers);
  const bodies: unknown[] = [{ name: "a", id: 9 }, null, undefined, [1], { deep: nested(200_000) }];
  const replies: string[] = [];
  for (const value of bodies) {
    const exchange = server.openAny("/rpc/items/5", {
      carrier: {},
      header: (name) => (name === "content-type" ? "application/json" : undefined),
      whenGone: () => {},
    });
    expect(await exchange.admit("PATCH")).toBeUndefined();
    exchange.answer({ value }, (reply) => replies.push(reply.body));
  }
  expect(replies.map((body) => JSON.parse(body))).toMatchObject([
    { item: { id: 5, name: "a" } },
    { item: { id: 5, name: "unchanged" } },
    { item: { id: 5, name: "unchanged" } },
    { code: -4, cause: "body: expected an object, found a list" },
    { code: -4, cause: "JSON is nested deeper than 64" },
  ]);
});

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

test("services without handlers have no routes", async () => {
  const server = createPartialServer({ Items: routedHandlers.Items });
  expect((await respond(server, "GET /rpc/orgs/a/teams")).status).toBe(404);
  expect((await respond(server, "GET /rpc/items/5")).status).toBe(200);
});

test("paths outside of the basepath are left to others", async () => {
  const next = async () => Response.json("next", { status: 418 });
  const handler = fetchHandler(createServer(routedHandlers), { next });
  const statusOf = async (path: string): Promise<number> =>
    (await handler(new Request(`http://host${path}`))).status;
  expect(await Promise.all(["/rpc/items/5", "/rpc/nothing", "/items/5", "/"].map(statusOf))).toEqual([
    200, 404, 418, 418,
  ]);
});

test("the method at a path is found for hosts", () => {
  const server = createServer(routedHandlers);
  const nameAt = (path: string) => server.methodAt(path)?.name;
  expect(["/rpc/items/5", "/rpc/items", "/rpc/Items/RpcMethod"].map(nameAt)).toEqual([
    "GetItem",
    "ListItems",
    "RpcMethod",
  ]);
  expect(["/rpc/Items/GetItem", "/rpc/items/", "/rpc/"].map(nameAt)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([
  ["/rpc/", "/rpc"],
  ["/", "/"],
])("a route is at the basepath %s itself", async (basepath, path) => {
  const method = { name: "Get", path: `${basepath}S/Get`, annotations: {}, emptyRequest: true } as const;
  const route = { verb: "GET", path, parameters: [], query: [] } as const;
  const services = [{ name: "S", methods: [{ ...method, route }] }];
  const errors = { protocolErrors: [], schemaErrors: [], validators: { requests: {}, responses: {} } };
  const api = { basepath, webrpc: "webrpc@v1", services, ...errors };
  const server = createRpcServer(api, { S: { Get: () => ({ isFound: true }) } }, []);
  const handler = fetchHandler(server, { next: async () => new Response("next") });
  const response = await handler(new Request(`http://host${path}`));
  expect(await response.json()).toEqual({ isFound: true });
});
