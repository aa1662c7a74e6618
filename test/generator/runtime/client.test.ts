import { describe, expect, test } from "vitest";
import type { Call } from "../../../generator/runtime/src/client.ts";
import { queryKey, retries } from "../../../generator/runtime/src/client.ts";
import type { HeaderValues } from "../../../generator/runtime/src/headers.ts";
import type { Transport } from "../../../generator/runtime/src/transport.ts";
import { Bank, getOrders, Marketplace, ping, transfer } from "../../fixtures/market/generated/client.ts";
import { WebrpcBadResponseError } from "../../fixtures/market/generated/errors.ts";
import { serving } from "../../support/served-client.ts";

describe("a call", () => {
  test("is a POST with the request as JSON, and returns the body", async () => {
    const { client, seen } = serving({ status: 200, body: '{"orders":[{"id":"1","side":"listing"}]}' });
    expect(await getOrders(client, { ids: ["1"] })).toEqual({ orders: [{ id: "1", side: "listing" }] });
    expect(seen).toEqual([
      {
        method: "POST",
        path: "/rpc/Marketplace/GetOrders",
        headers: {
          "content-type": "application/json",
          webrpc: "webrpc@v0.48.0;ridlkit@0.0.0-test;Market@v1.2.0",
        },
        body: '{"ids":["1"]}',
      },
    ]);
  });

  test("needs no request if it has no fields", async () => {
    const { client, seen } = serving({ status: 200, body: "{}" });
    await ping(client);
    await new Marketplace(client).ping();
    expect(seen.map(({ body }) => body)).toEqual(["{}", "{}"]);
  });

  test.each([
    ["https://a.example", "/rpc/Marketplace/Ping"],
    ["https://a.example///", "/rpc/Marketplace/Ping"],
    ["https://a.example/polygon", "/polygon/rpc/Marketplace/Ping"],
    ["https://a.example/polygon/", "/polygon/rpc/Marketplace/Ping"],
    ["", "/rpc/Marketplace/Ping"],
  ])("keeps the path of %s", async (url, path) => {
    const { client, seen } = serving({ status: 200, body: "{}" });
    await ping({ ...client, url });
    expect(seen[0]?.path).toBe(path);
  });

  test("can omit the header Webrpc", async () => {
    const { client, seen } = serving({ status: 200, body: "{}" });
    await ping({ ...client, webrpcHeader: false });
    expect(seen[0]?.headers).toEqual({ "content-type": "application/json" });
  });

  test("calls the headers hook each time, and its own headers take precedence", async () => {
    const { client, seen } = serving({ status: 200, body: "{}" });
    let token = 0;
    const headers = async ({ method }: Call) => ({
      "X-Access-Key": method.name,
      Authorization: `BEARER ${++token}`,
    });
    await ping({ ...client, headers });
    await ping({ ...client, headers }, {}, { headers: { "X-Access-Key": "own" } });
    expect(seen.map((each) => [each.headers["x-access-key"], each.headers["authorization"]])).toEqual([
      ["Ping", "BEARER 1"],
      ["own", "BEARER 2"],
    ]);
  });

  test("of a service object is the same as the function", async () => {
    const { client, seen } = serving({ status: 200, body: '{"orders":[]}' });
    const marketplace = new Marketplace(client);
    expect(await marketplace.getOrders({ ids: [] }, { headers: { "X-A": "1" } })).toEqual({ orders: [] });
    expect(seen[0]?.headers["x-a"]).toBe("1");
    expect(new Marketplace("https://a.example").client).toEqual({ url: "https://a.example" });
  });

  test.each<[string, HeaderValues, HeaderValues, HeaderValues]>([
    ["a call's over the client's", { authorization: "a" }, { Authorization: "b" }, { authorization: "b" }],
    ["the client's over a default", { "content-TYPE": "a/b" }, {}, { "content-type": "a/b" }],
    ["a call's over a default", { a: "1" }, { WEBRPC: "w" }, { a: "1", webrpc: "w" }],
    ["the last of equal names", { A: "1", a: "2" }, {}, { a: "2" }],
    ["names of properties", { Constructor: "c" }, {}, { constructor: "c" }],
    ["none that is undefined", { Authorization: undefined, a: "1" }, { b: undefined }, { a: "1" }],
    ["none that is null", { Authorization: null as never, a: "1" }, {}, { a: "1" }],
    ["none that the call removes", { Authorization: "a", b: "2" }, { authorization: undefined }, { b: "2" }],
    ["a list as one value", { accept: ["a/b", "c/d"] as never }, {}, { accept: "a/b,c/d" }],
    [
      "without spaces around it",
      { authorization: "Bearer a\n", b: "\t c " },
      {},
      { authorization: "Bearer a", b: "c" },
    ],
    ["an empty one", { a: "" }, {}, { a: "" }],
    ["bytes of ISO 8859-1", { a: "\u00e4\tb" }, {}, { a: "\u00e4\tb" }],
  ])("sends one header of each name, in any case: %s", async (_which, hook, own, sent) => {
    const headers: Record<string, string>[] = [];
    const transport: Transport = async (_url, init) => {
      headers.push(init.headers);
      return new Response("{}");
    };
    await ping({ url: "https://a.example", transport, headers: () => hook }, {}, { headers: own });
    const defaults = {
      "content-type": "application/json",
      webrpc: "webrpc@v0.48.0;ridlkit@0.0.0-test;Market@v1.2.0",
    };
    expect(headers).toEqual([{ ...defaults, ...sent }]);
  });

  test.each(["secret\r\nX: y", "secret\0", "secret\u20ac", ["secret", "\n", "b"] as never])(
    "rejects the header %j, which HTTP does not allow, is not repeated, and does not name the value",
    async (value) => {
      const { client, seen } = serving({ status: 200, body: "{}" });
      const failure = new TypeError('headers: invalid "authorization"');
      const repeating = { ...client, interceptor: retries() };
      const headers = { Authorization: value };
      await expect(ping({ ...repeating, headers: () => headers })).rejects.toEqual(failure);
      await expect(ping(repeating, {}, { headers })).rejects.toEqual(failure);
      expect(seen).toEqual([]);
    },
  );

  test("has a key for caches", () => {
    expect(queryKey(getOrders, { ids: ["1"] })).toEqual([
      "Market",
      "Marketplace",
      "GetOrders",
      { ids: ["1"] },
    ]);
    expect(queryKey(ping)).toEqual(["Market", "Marketplace", "Ping"]);
  });
});

describe("bigints", () => {
  const answer = {
    total: "123456789012345678901234567890",
    parts: ["1", 2],
    byToken: { a: ["3"] },
    first: { amount: "-5", below: [{ amount: "6" }] },
    note: "7",
  };

  test("are written as decimal text and read at any depth", async () => {
    const body = JSON.stringify(answer).replace('"note"', '"__proto__":{"x":1},"fee":null,"note"');
    const { client, seen } = serving({ status: 200, body });
    const read = await transfer(client, { to: "a", amount: 2n ** 70n });
    expect(seen[0]?.body).toBe('{"to":"a","amount":"1180591620717411303424"}');
    expect(read).toMatchObject({
      total: 123456789012345678901234567890n,
      fee: null,
      parts: [1n, 2n],
      byToken: { a: [3n] },
      first: { amount: -5n, below: [{ amount: 6n }] },
      note: "7",
    });
  });

  test.each(["0x10", "", " 1", "1.5", 1.5, 2 ** 53, true, {}])("%j is none", async (total) => {
    const { client } = serving({ status: 200, body: JSON.stringify({ ...answer, total }) });
    await expect(transfer(client, { to: "a", amount: 1n })).rejects.toBeInstanceOf(WebrpcBadResponseError);
  });

  test.each([{ parts: "no" }, { byToken: 1 }, { first: [], parts: {} }])(
    "%j has no place for one",
    async (part) => {
      const { client } = serving({ status: 200, body: JSON.stringify({ ...answer, ...part }) });
      await expect(new Bank(client).transfer({ to: "a", amount: 1n })).rejects.toMatchObject({ code: -5 });
    },
  );
});
