/** `ridlkit call` sends what the generated client sends. */
import { describe, expect, test } from "vitest";
import type { Client } from "../../../../../generator/runtime/src/client.ts";
import { byGet } from "../../../../../generator/runtime/src/client.ts";
import { addOrder } from "../../../../fixtures/keys/generated/client.ts";
import { findOrders } from "../../../../fixtures/reads/generated/client.ts";
import * as items from "../../../../fixtures/routes/generated-bigint/client.ts";
import * as teams from "../../../../fixtures/routes/generated-bigint/client.ts";
import { call, recordingServer } from "./call-server.ts";

describe("a request is sent as the generated client sends it", () => {
  interface Row {
    readonly schema: string;
    readonly words: readonly string[];
    readonly generated: (client: Client) => Promise<unknown>;
    readonly settings?: Partial<Client>;
  }

  const list = { limit: 20, tags: ["a b", "c&d=é", ""], active: false, kinds: ["USER"] };
  const filter = { filter: { tags: [] } };
  const rows: readonly Row[] = [
    {
      schema: "routes",
      words: ["GetItem", '{"id":18446744073709551615}'],
      generated: (client) => items.getItem(client, { id: 2n ** 64n - 1n }),
    },
    {
      schema: "routes",
      words: ["ListItems", JSON.stringify(list)],
      generated: (client) => items.listItems(client, list as never),
    },
    {
      schema: "routes",
      words: ["UpdateItem", '{"id":5,"name":"n","tags":[]}'],
      generated: (client) => items.updateItem(client, { id: 5n, name: "n", tags: [] }),
    },
    {
      schema: "routes",
      words: ["DeleteItem", '{"id":5}'],
      generated: (client) => items.deleteItem(client, { id: 5n }),
    },
    { schema: "routes", words: ["ResetItems"], generated: (client) => items.resetItems(client) },
    {
      schema: "routes",
      words: ["QueryItems", '{"text":"a/b"}'],
      generated: (client) => items.queryItems(client, { text: "a/b" }),
    },
    {
      schema: "routes",
      words: ["RpcMethod", '{"id":1}'],
      generated: (client) => items.rpcMethod(client, { id: 1n }),
    },
    {
      schema: "routes",
      words: ["Teams.ListTeams", '{"org":"a/b","lists":[9007199254740993]}'],
      generated: (client) => teams.listTeams(client, { org: "a/b", lists: [9007199254740993n] }),
    },
    {
      schema: "reads",
      words: ["FindOrders", JSON.stringify(filter)],
      generated: (client) => findOrders(client, filter),
    },
    {
      schema: "reads",
      words: ["FindOrders", '{ "filter": {"tags": []} }', "--get"],
      generated: (client) => findOrders(client, filter),
      settings: { reads: byGet },
    },
    {
      schema: "keys",
      words: ["Shop.AddOrder", '{"item":"tea"}', "--idempotency-key", 'a "key"'],
      generated: (client) => addOrder(client, { item: "tea" }, { idempotencyKey: 'a "key"' }),
    },
  ];

  test.each(rows)("$words", async ({ schema, words, generated, settings }) => {
    await using server = await recordingServer();
    await generated({ url: `${server.url}/v/`, headers: () => ({ "X-Key": "k" }), ...settings });
    await call(schema, `${server.url}/v/`, [...words, "-H", "X-Key: k"]);
    const names = ["content-type", "x-key", "idempotency-key", "content-length"];
    const [expected, found] = server.received.map(({ headers, ...request }) => ({
      ...request,
      headers: Object.fromEntries(names.map((name) => [name, headers[name]])),
      // The versions of the program and of the checked-in client differ.
      webrpc: String(headers["webrpc"]).replace(/ridlkit@[^;]+/, ""),
    }));
    expect(found).toEqual(expected);
  });

  test("a call without a key gets a random one", async () => {
    await using server = await recordingServer();
    for (const _ of [1, 2]) await call("keys", server.url, ["Shop.AddOrder", '{"item":"tea"}']);
    const keys = server.received.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
  });
});
