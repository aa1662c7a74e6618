/** Which methods the tools find, and which they expose. */
import { describe, expect, test } from "vitest";
import type { McpOptions } from "../../../../generator/runtime/src/mcp-call.ts";
import { apiOf, json, toolsOf } from "./api.ts";
import { recorded } from "./recorded.ts";

describe("methods are found by", () => {
  test.each(["Orders.GetOrder", "orders.getorder", "Orders/GetOrder", " GetOrder "])("%s", async (name) => {
    expect(await recorded().search(name)).toContain(
      "Orders.GetOrder(request: GetOrderRequest): GetOrderResponse",
    );
    const { call, sent } = recorded();
    await call(name, { id: 1 });
    expect(sent).toHaveLength(1);
  });

  test("the words of a task", async () => {
    const lines = (limit: number) => recorded().search("cancel my order", limit);
    const line = "Orders.CancelOrder(id, reason?) [changes data, safe to repeat]\n";
    const end = "Search for the name of a method to see its types.";
    expect(await lines(1)).toBe(`${line}2 more match. Set "limit", at most 30, or use other words.\n${end}`);
    expect(await lines(3)).toMatch(new RegExp(`^Orders.CancelOrder.*\\n.*\\n.*\\n${end}$`));
    expect(await lines(3)).not.toContain("more match");
  });

  test.each([
    ["words of the documentation of a service", "merchandise", "Orders.CancelOrder"],
    ["words of the documentation of a type", "parcel", "Orders.GetOrder"],
    ["values of an enum", "chargeback", "Orders.GetOrder"],
    ["the message of an error", "ticket", "Orders.GetOrder"],
  ])("%s", async (_, query, expected) => {
    const api = apiOf(`
error 1 NotFound "the ticket is unknown" HTTP 404
# A parcel on its way.
struct Order
  - state: State
enum State: string
  - open
  - chargeback
# Sells merchandise.
service Orders
  - CancelOrder(id: int64) => (ok: bool)
  - GetOrder(id: int64) => (order: Order) errors NotFound
service Others
  - Wait() => (ok: bool)
`);
    const { search } = toolsOf(api, () => json("{}"));
    expect(await search(query)).toContain(`${expected}(`);
    expect(await search(query)).not.toContain("Others.");
  });

  test("other words, which are suggested after a weak match", async () => {
    const { search } = toolsOf(
      apiOf(`
service Refunds
  # Returns money.
  - CreateRefund(id: int64) => (ok: bool)
  - ListRefunds() => (ok: bool)
service Parcels
  - SendParcel(id: int64) => (ok: bool)
`),
      () => json("{}"),
    );
    const end = "Search for the name of a method to see its types.";
    const help =
      "Services: Refunds (2), Parcels (1).\nFrequent words: refund, parcel.\nSearch again with words of the API.";
    const line = "Refunds.CreateRefund(id) [changes data] Returns money.";
    const more = '1 more match. Set "limit", at most 30, or use other words.';
    expect(await search("create refund money", 1)).toBe(`${line}\n${more}\n${end}`);
    expect(await search("create refund dog", 1)).toBe(`${line}\n${more}\n${end}`);
    expect(await search("create a refund for the dog's owner", 1)).toBe(
      `${line}\n${more}\n${end}\nThe match is weak: the best method has few words of the query.\nNo method has: dog's, owner.\nNext: Refunds.ListRefunds.\n${help}`,
    );
    // By a related word, and with a typo.
    expect(await search("list reimbursements")).not.toContain("weak");
    expect(await search("list refnds")).not.toContain("weak");
    expect(await search("dog")).toBe(`No method matches.\nNo method has: dog.\n${help}`);
  });

  test("the name of a service, and an empty query lists the services", async () => {
    expect(await recorded().search("Files")).toBe(
      "Files.Read(name) [changes data, file]\nFiles.Write(title, data) [changes data]\nSearch for the name of a method to see its types.",
    );
    expect(await recorded().search(" ")).toBe(
      "Orders (3 methods) Sells things.\nFeeds (1 method)\nFiles (2 methods)\nRouted (2 methods)\nSearch for the name of a service to see its methods.",
    );
  });

  test.each([
    [100, "S99 (1 method)"],
    [101, "1 more services."],
  ])("of %i services, the last line is %s", async (count, last) => {
    const services = Array.from({ length: count }, (_, at) => `service S${at}\n  - M() => (ok: bool)\n`);
    const text = await toolsOf(apiOf(services.join("")), () => json("{}")).search("");
    expect(text.split("\n").at(-2)).toBe(last);
  });

  test("similar names, if a name is unknown", async () => {
    const messageFor = async (name: string) => (await recorded().call(name)).structuredContent?.["error"];
    expect(await messageFor("Orders.GetOrdr")).toEqual({
      name: "UnknownMethod",
      message: expect.stringMatching(/^There is no method "Orders.GetOrdr". Did you mean Orders.GetOrder, /),
    });
    expect(await messageFor("x")).toEqual({
      name: "UnknownMethod",
      message: 'There is no method "x". Use "search" to find methods.',
    });
    expect(await recorded().search("qqq")).toContain(
      "Services: Orders (3), Feeds (1), Files (2), Routed (2).",
    );
  });
});

describe("exposed are", () => {
  const namesOf = async (options?: McpOptions): Promise<readonly string[]> => {
    const text = await recorded(undefined, options).search(
      "order watch read write find change list cancel wipe restart",
      30,
    );
    return Array.from(text.matchAll(/^\w+\.(\w+)\(/gm), ([, name = ""]) => name).sort();
  };
  const all = ["CancelOrder", "Change", "Find", "GetOrder", "ListOrders", "Read", "Watch", "Write"];

  test.each<[string, McpOptions | undefined, readonly string[]]>([
    ["all, except @internal and @mcp:off", undefined, all],
    ["those with @mcp", { expose: "marked" }, ["CancelOrder", "ListOrders"]],
    ["those that change nothing", { expose: "readonly" }, ["Find", "GetOrder", "ListOrders"]],
    ["a choice", { expose: ({ name }) => name.startsWith("Files.") }, ["Read", "Write"]],
  ])("%s", async (_, options, expected) => {
    expect(await namesOf(options)).toEqual(expected);
  });

  test("methods with @readonly, and with a GET or QUERY route, which change nothing", () => {
    const { methods } = apiOf(`
service S
  @readonly
  - Readonly()
  - Get()
    GET /a
  - Query()
    QUERY /b
  - Post()
    POST /c
  - Delete()
    DELETE /d
  @idempotent
  - Idempotent()
  - Plain()
`);
    const reads = methods.filter(({ isRead }) => isRead).map(({ name }) => name);
    expect(reads).toEqual(["S.Readonly", "S.Get", "S.Query"]);
  });

  test("no others by name or type", async () => {
    const { call, search, sent } = recorded(undefined, { expose: "marked" });
    expect(await call("Orders.GetOrder", { id: 1 })).toMatchObject({ isError: true });
    expect(await search("GetOrderRequest")).not.toContain("interface");
    expect(await search("Order")).toContain("interface Order");
    expect(sent).toEqual([]);
  });

  test.each<[McpOptions | undefined, object]>([
    [undefined, { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
    [{ expose: "marked" }, { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    [{ expose: "readonly" }, { readOnlyHint: true, destructiveHint: false, idempotentHint: true }],
  ])("hints of call for %j", (options, hints) => {
    expect(recorded(undefined, options).tools.call.config.annotations).toMatchObject(hints);
    expect(recorded(undefined, options).tools.search.config.annotations).toMatchObject({
      readOnlyHint: true,
    });
  });
});
