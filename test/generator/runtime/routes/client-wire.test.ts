/** The requests that clients send for methods with routes. */
import { describe, expect, test } from "vitest";
import type { Client } from "../../../../generator/runtime/src/client.ts";
import { retries } from "../../../../generator/runtime/src/client.ts";
import type { RpcError } from "../../../../generator/runtime/src/errors.ts";
import type { Transport } from "../../../../generator/runtime/src/transport.ts";
import * as items from "../../../fixtures/routes/generated/client.ts";
import * as teams from "../../../fixtures/routes/generated/client.ts";
import * as wideItems from "../../../fixtures/routes/generated-bigint/client.ts";

type Sent = Parameters<Transport>[1] & { readonly url: string };

/** A client whose server always responds with the same, and what it sent. */
function recording(status = 200, body = "{}", more: Partial<Client> = {}) {
  const sent: Sent[] = [];
  const transport: Transport = async (url, init) => {
    sent.push({ url, ...init });
    return { status, headers: { get: () => null }, text: async () => body };
  };
  const client: Client = { url: "http://host/a/", transport: transport as never, ...more };
  return { client, sent };
}

const own = { "content-type": "application/json", webrpc: expect.stringMatching(/routes@v1[.]0[.]0$/) };
const { webrpc } = own;

describe("a request without a body", () => {
  test("has no Content-Type", async () => {
    const { client, sent } = recording();
    await items.getItem(client, { id: 5 }, { headers: { "X-Key": "k" } });
    expect(sent).toMatchObject([{ method: "GET", url: "http://host/a/rpc/items/5", body: null }]);
    expect(sent[0]?.headers).toEqual({ webrpc, "x-key": "k" });
  });

  test("has no Webrpc header if the client sends none", async () => {
    const { client, sent } = recording(200, "{}", { webrpcHeader: false });
    await items.deleteItem(client, { id: 5 });
    expect(sent).toMatchObject([{ method: "DELETE", headers: {}, body: null }]);
    expect(sent[0]?.headers).toEqual({});
  });

  test("has its fields in the query", async () => {
    const { client, sent } = recording();
    await items.listItems(client, {
      limit: 20,
      tags: ["a b", "c&d=é", ""],
      active: false,
      kinds: ["USER", "Robot"],
      since: "2025-01-31T12:00:00.5+01:00",
      page: 0,
    });
    expect(sent.map(({ url }) => url)).toEqual([
      "http://host/a/rpc/items?limit=20&tags=a%20b&tags=c%26d%3D%C3%A9&tags=&active=false&kinds=USER&kinds=Robot" +
        "&since=2025-01-31T12%3A00%3A00.5%2B01%3A00&page=0",
    ]);
  });

  test("omits absent values, null and empty lists", async () => {
    const { client, sent } = recording();
    await items.listItems(client, { limit: 20, tags: [], active: undefined, since: null } as never);
    await teams.findTeam(client, { org: "a" } as never);
    expect(sent.map(({ url }) => url)).toEqual([
      "http://host/a/rpc/items?limit=20",
      "http://host/a/rpc/orgs/a/teams/find",
    ]);
  });

  test("is sent by QUERY, too", async () => {
    const { client, sent } = recording();
    await items.queryItems(client, { text: "a", limit: -1 });
    expect(sent).toMatchObject([
      { method: "QUERY", url: "http://host/a/rpc/items/search?text=a&limit=-1", body: null },
    ]);
  });

  test("has 64-bit integers with all digits", async () => {
    const { client, sent } = recording();
    await wideItems.getItem(client, { id: 2n ** 64n - 1n });
    expect(sent.map(({ url }) => url)).toEqual(["http://host/a/rpc/items/18446744073709551615"]);
  });
});

describe("a request with a body", () => {
  test("has all fields in it, those of the path too", async () => {
    const { client, sent } = recording();
    await items.updateItem(client, { id: 5, name: "é", tags: [] });
    expect(sent).toMatchObject([
      { method: "PUT", url: "http://host/a/rpc/items/5", body: '{"id":5,"name":"é","tags":[]}' },
    ]);
    expect(sent[0]?.headers).toEqual(own);
  });

  test("is {} without fields", async () => {
    const { client, sent } = recording();
    await items.resetItems(client);
    expect(sent).toMatchObject([{ method: "POST", url: "http://host/a/rpc/items/reset", body: "{}" }]);
    expect(sent[0]?.headers).toEqual(own);
  });

  test("is sent to the default path if the method has no route", async () => {
    const { client, sent } = recording();
    await items.rpcMethod(client, { id: 5 });
    expect(sent).toMatchObject([
      { method: "POST", url: "http://host/a/rpc/Items/RpcMethod", body: '{"id":5}', headers: own },
    ]);
  });
});

describe("a path value", () => {
  test.each([
    ["a/b", "a%2Fb"],
    ["a b+é?#%", "a%20b%2B%C3%A9%3F%23%25"],
    ["...", "..."],
    ["{id}", "%7Bid%7D"],
    ["$&", "%24%26"],
  ])("%j is encoded", async (childId, encoded) => {
    const { client, sent } = recording();
    await items.getChild(client, { id: 5, childId });
    expect(sent.map(({ url }) => url)).toEqual([`http://host/a/rpc/items/5/children/${encoded}`]);
  });

  test.each([
    ["", 'expected text other than "", "." and "..", found ""'],
    [".", 'expected text other than "", "." and "..", found "."'],
    ["..", 'expected text other than "", "." and "..", found ".."'],
    [undefined, 'expected text other than "", "." and "..", found ""'],
    [null, 'expected text other than "", "." and "..", found ""'],
    ["\ud800", "expected Unicode text, found a lone surrogate"],
  ])("%j is rejected, and nothing is sent", async (childId, message) => {
    const { client, sent } = recording();
    const error = await items.getChild(client, { id: 5, childId } as never).catch((one: RpcError) => one);
    expect(error).toMatchObject({
      name: "WebrpcBadRequest",
      code: -4,
      status: 0,
      side: "client",
      msg: `/childId: ${message}`,
      issues: [{ path: ["childId"] }],
    });
    expect(sent).toEqual([]);
  });

  test("that a number does not hold is rejected", async () => {
    const { client, sent } = recording();
    const error = await items.getItem(client, { id: 2 ** 53 }).catch((one: RpcError) => one);
    expect(error).toMatchObject({ code: -4, msg: expect.stringContaining("/id: ") });
    expect(sent).toEqual([]);
  });
});

describe("everything else is as without a route", () => {
  test("an interceptor sees the request, and may change it", async () => {
    const seen: unknown[] = [];
    const { client, sent } = recording(200, "{}", {
      interceptor: (call, next) => {
        seen.push([call.method.service, call.method.name, call.req]);
        return next({ ...call, req: { id: 6 } });
      },
    });
    await items.getItem(client, { id: 5 });
    expect(seen).toEqual([["Items", "GetItem", { id: 5 }]]);
    expect(sent.map(({ url }) => url)).toEqual(["http://host/a/rpc/items/6"]);
  });

  test("a failed call is repeated", async () => {
    const sent: string[] = [];
    const transport: Transport = async (url) => {
      sent.push(url);
      const headers = { get: (name: string) => (name === "retry-after" ? "0" : null) };
      return { status: 503, headers, text: async () => '{"code":-7,"error":"WebrpcInternalError"}' };
    };
    const client: Client = { url: "http://host", transport: transport as never, interceptor: retries(2) };
    await expect(items.getItem(client, { id: 5 })).rejects.toMatchObject({ code: -7, status: 503 });
    expect(sent).toEqual(Array(3).fill("http://host/rpc/items/5"));
  });

  test("a slow call runs out of time, and its transport is aborted", async () => {
    let signal: AbortSignal | null = null;
    const transport: Transport = (_url, init) => {
      signal = init.signal;
      return new Promise(() => {});
    };
    const client: Client = { url: "http://host", transport: transport as never, timeoutMs: 5 };
    await expect(items.getItem(client, { id: 5 })).rejects.toMatchObject({ code: -1, cause: "timeout" });
    expect(signal).toMatchObject({ aborted: true });
  });

  test("headers are asked for each call", async () => {
    const { client, sent } = recording(200, "{}", { headers: ({ method }) => ({ "X-Method": method.name }) });
    await items.getItem(client, { id: 5 });
    expect(sent[0]?.headers).toEqual({ webrpc, "x-method": "GetItem" });
  });
});
