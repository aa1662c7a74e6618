/** Clients that send reads by GET or QUERY, and calls that change only the version that they have seen. */
import { Agent } from "undici";
import { afterAll, describe, expect, test } from "vitest";
import type { Client } from "../../../../generator/runtime/src/client.ts";
import { byGet, byQuery, etagOf, ifMatch, retries } from "../../../../generator/runtime/src/client.ts";
import { fetchHandler } from "../../../../generator/runtime/src/fetch.ts";
import { canonicalJson } from "../../../../generator/runtime/src/json.ts";
import type { Transport } from "../../../../generator/runtime/src/transport.ts";
import { memoryTransport } from "../../../../generator/runtime/src/transport.ts";
import { undiciTransport } from "../../../../generator/runtime/src/undici.ts";
import * as desk from "../../../fixtures/reads/generated/client.ts";
import * as shop from "../../../fixtures/reads/generated/client.ts";
import { createServer } from "../../../fixtures/reads/generated/server.ts";
import { findOrders as findWide } from "../../../fixtures/reads/generated-bigint/client.ts";
import { adapterNames, serveWith } from "../../../support/adapters.ts";
import { newShelf } from "./handlers.ts";

type Sent = Parameters<Transport>[1] & { readonly url: string };

/** A client whose server responds with the given statuses in turn, and what it sent. */
function recording(more: Partial<Client>, ...statuses: readonly number[]) {
  const sent: Sent[] = [];
  const transport: Transport = async (url, init) => {
    sent.push({ url, ...init });
    const status = statuses[sent.length - 1] ?? 200;
    const body = status === 200 ? '{"filter":{"tags":[]}}' : '{"code":-7,"error":"WebrpcInternalError"}';
    return { status, headers: { get: () => null }, text: async () => body };
  };
  const client: Client = { url: "http://host/a/", transport: transport as never, ...more };
  return { client, sent };
}

const filter = { tags: ["b", "a"], names: { "10": "x", "9": "y", a: "é&=" }, limit: 5 };
const canonical =
  '{"after":"2026-01-01T00:00:00Z","filter":{"limit":5,"names":{"10":"x","9":"y","a":"é&="},"tags":["b","a"]}}';
const request = { filter, after: "2026-01-01T00:00:00Z" };
const path = "http://host/a/rpc/Shop/FindOrders";

describe("what is sent", () => {
  test("POST without the option", async () => {
    const { client, sent } = recording({});
    await shop.findOrders(client, request);
    expect(sent).toMatchObject([{ method: "POST", url: path, body: JSON.stringify(request) }]);
  });

  test.each(Object.entries({ byGet, byQuery }))(
    "GET with %s, with keys in one order",
    async (_name, reads) => {
      const { client, sent } = recording({ reads });
      await shop.findOrders(client, request, { headers: { "X-Key": "k" } });
      await shop.findOrders(client, {
        after: request.after,
        filter: { limit: 5, names: { a: "é&=", "9": "y", "10": "x" }, tags: ["b", "a"] },
      });
      const url = `${path}?q=${encodeURIComponent(canonical)}`;
      expect(sent).toMatchObject([
        { method: "GET", url, body: null },
        { method: "GET", url, body: null },
      ]);
      expect(sent[0]?.headers).toEqual({ webrpc: expect.any(String), "x-key": "k" });
    },
  );

  test("a request without fields", async () => {
    const { client, sent } = recording({ reads: byGet });
    await shop.count(client).catch(() => {});
    expect(sent.map(({ url }) => url)).toEqual(["http://host/a/rpc/Shop/Count?q=%7B%7D"]);
  });

  test("methods that are no reads by POST", async () => {
    const { client, sent } = recording({ reads: byGet });
    await shop.peek(client, { id: 1 }).catch(() => {});
    await shop.changeOrder(client, { id: 1, note: "a" }, ifMatch('"v7"')).catch(() => {});
    expect(sent.map(({ method }) => method)).toEqual(["POST", "POST"]);
    expect(sent[1]?.headers["if-match"]).toBe('"v7"');
  });

  const around = `${path}?q=${encodeURIComponent('{"filter":{"tags":[""]}}')}`.length;
  test.each([
    [1_999, byGet, "GET"],
    [2_000, byGet, "GET"],
    [2_001, byGet, "POST"],
    [2_000, byQuery, "GET"],
    [2_001, byQuery, "QUERY"],
  ] as const)("a URL of %i bytes with %s is sent by %s", async (length, reads, method) => {
    const { client, sent } = recording({ reads });
    const body = { filter: { tags: ["a".repeat(length - around)] } };
    await shop.findOrders(client, body);
    expect(sent.map((one) => one.method)).toEqual([method]);
    if (method === "GET") expect(sent[0]?.url).toHaveLength(length);
    else {
      expect(sent).toMatchObject([{ url: path, body: JSON.stringify(body) }]);
      expect(sent[0]?.headers["content-type"]).toBe("application/json");
    }
  });

  test("64-bit integers keep their digits", async () => {
    const { client, sent } = recording({ reads: byGet });
    await findWide(client, { filter: { tags: [] } });
    expect(decodeURIComponent(sent[0]?.url ?? "")).toMatch(/\?q=\{"filter":\{"tags":\[\]\}\}$/);
  });

  test("interceptors see the settings of the client, and may call again", async () => {
    const seen: unknown[] = [];
    const again = retries(2);
    const { client, sent } = recording(
      {
        reads: byGet,
        interceptor: (call, next) => {
          seen.push(call.client);
          return again(call, next);
        },
      },
      503,
      503,
    );
    await shop.findOrders(client, request);
    expect(seen).toEqual([client]);
    expect(sent.map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
  });
});

describe("canonical JSON", () => {
  test.each([
    ["{}", "{}"],
    ['{"b":1,"a":{"d":[{"f":1,"e":2}],"c":null}}', '{"a":{"c":null,"d":[{"e":2,"f":1}]},"b":1}'],
    [' { "b" : [ 1 , -2.5e3 , true ] , "a" : "x y" } ', '{"a":"x y","b":[1,-2.5e3,true]}'],
    ['{"10":1,"9":2,"1":3}', '{"1":3,"10":1,"9":2}'],
    ['{"é":1,"z":2,"\\ud83d\\ude00":3,"\\ufb33":4}', '{"z":2,"é":1,"\\ud83d\\ude00":3,"\\ufb33":4}'],
    ['{"a\\"}":"{[\\\\","__proto__":[]}', '{"__proto__":[],"a\\"}":"{[\\\\"}'],
    ['{"a":18446744073709551615}', '{"a":18446744073709551615}'],
    ["[[],{},[[]]]", "[[],{},[[]]]"],
  ])("%s", (json, expected) => {
    expect(canonicalJson(json)).toBe(expected);
    expect(canonicalJson(expected)).toBe(expected);
    expect(JSON.parse(canonicalJson(json))).toEqual(JSON.parse(json));
  });
});

const dispatcher = new Agent();
afterAll(() => dispatcher.destroy());
const transports: Readonly<Record<string, Partial<Client>>> = {
  fetch: {},
  undici: { transport: undiciTransport(dispatcher) as never },
};

describe.each(adapterNames)("over %s", (adapter) => {
  test.each(Object.entries(transports))("by %s, in each form", async (_name, transport) => {
    const { handlers, worked } = newShelf();
    await using running = await serveWith(adapter, createServer(handlers, { checkResponses: true }));
    for (const reads of [byGet, byQuery, undefined]) {
      const client: Client = { url: running.url, ...transport, ...(reads && { reads }) };
      worked.length = 0;
      for (const tags of [["a"], ["é".repeat(1_500)]]) {
        const sent = { filter: { tags, names: { "a b": "c" } } };
        expect(await shop.findOrders(client, sent)).toEqual(sent);
      }
      const read = await shop.getOrder(client, { id: 1 });
      expect(worked).toEqual(["FindOrders", "FindOrders", "GetOrder"]);
      expect(etagOf(read)).toEqual(reads && expect.stringMatching(/^"order.*"$/));
      const file = await shop.picture(client, { id: 2 });
      expect([etagOf(file), await new Response(file.stream).text()]).toEqual([
        reads && '"picture%20;2"',
        "0123456789",
      ]);
      await expect(shop.picture(client, { id: 9 })).rejects.toMatchObject({ name: "NotFound", status: 404 });
    }
  });

  test("a write checks the version that its caller has seen", async () => {
    const { handlers } = newShelf();
    await using running = await serveWith(adapter, createServer(handlers));
    const client: Client = { url: running.url, reads: byGet };
    const read = await shop.getOrder(client, { id: 1 });
    const seen = ifMatch(etagOf(read) ?? "");
    await shop.changeOrder(client, { id: 1, note: "first" }, seen);
    await expect(shop.changeOrder(client, { id: 1, note: "second" }, seen)).rejects.toMatchObject({
      name: "Changed",
      status: 412,
    });
    expect(await desk.look(client, { id: 1 })).toEqual({ order: { id: 1, note: "first" } });
  });
});

test("routes have versions without the option, and copies have none", async () => {
  const { handlers } = newShelf();
  const client: Client = {
    url: "http://memory",
    transport: memoryTransport(fetchHandler(createServer(handlers))),
  };
  const read = await desk.look(client, { id: 1 });
  expect(etagOf(read)).toMatch(/^"[\w+/]{22}"$/);
  expect(etagOf({ ...read })).toBeUndefined();
  expect(etagOf(await desk.search(client, { text: "a" }))).toBeDefined();
  expect(etagOf(await desk.put(client, { id: 1, note: "a" }))).toBeUndefined();
});
