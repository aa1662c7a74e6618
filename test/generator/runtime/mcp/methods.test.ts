/** Which methods the tools find, and which they expose. */
import { describe, expect, test } from "vitest";
import type { McpOptions } from "../../../../generator/runtime/src/mcp-call.ts";
import { apiOf } from "./api.ts";
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
    const [first, , last] = (await recorded().search("cancel my order", 2)).split("\n");
    expect(first).toBe("Orders.CancelOrder(id, reason?) [changes data, safe to repeat]");
    expect(last).toBe("Search for the name of a method to see its types.");
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
