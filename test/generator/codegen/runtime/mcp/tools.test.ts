/** The tools `search` and `call`, without an SDK. */
import { describe, expect, test } from "vitest";
import type { McpOptions } from "../../../../../generator/codegen/runtime/v1/mcp-options.ts";
import { apiOf, bodyOf, json, textOf, toolsOf } from "./api.ts";

const api = apiOf(`
error 1 NotFound "no such order" HTTP 404

struct Order
  - id: int64
  - names: map<string,string>

# Sells things.
service Orders
  # Returns an order. It may be old.
  @readonly
  - GetOrder(id: int64) => (order: Order) errors NotFound
  @readonly @mcp
  - ListOrders(size?: uint32) => (orders: []Order)
  @idempotent @mcp
  - CancelOrder(id: uint64, reason?: string) => (ok: bool)
  @internal
  - Wipe() => (ok: bool)
  @mcp:off
  - Restart() => (ok: bool)

service Feeds
  - Watch() => stream (id: int64)

service Files
  - Read(name: string) => (file)
  - Write(title: string, data: file) => (ok: bool)

service Routed
  - Find(ids: []int64, name?: string, exact: bool) => (ok: bool)
    GET /find
  - Change(id: string, name: string) => (ok: bool)
    PUT /things/{id}
`);

/** Calls with a target that keeps the requests, and always responds the same. */
function recorded(
  response: () => Response | Promise<Response> = () => json('{"ok":true}'),
  options?: McpOptions,
) {
  const sent: string[] = [];
  const target = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    sent.push(`${request.method} ${pathname}${search} ${await request.clone().text()}`.trim());
    return response();
  };
  return { ...toolsOf(api, target, options), sent };
}

describe("requests", () => {
  test.each<[string, string, unknown, string]>([
    ["a body", "Orders.GetOrder", { id: 1 }, 'POST /rpc/Orders/GetOrder {"id":1}'],
    ["no request", "Orders.ListOrders", undefined, "POST /rpc/Orders/ListOrders {}"],
    [
      "an integer as text",
      "Orders.GetOrder",
      { id: "9223372036854775807" },
      'POST /rpc/Orders/GetOrder {"id":9223372036854775807}',
    ],
    ["text that is no integer", "Orders.GetOrder", { id: "1x" }, 'POST /rpc/Orders/GetOrder {"id":"1x"}'],
    [
      "a query",
      "Routed.Find",
      { ids: [1, "2"], name: "a b&c", exact: true },
      "GET /find?ids=1&ids=2&name=a%20b%26c&exact=true",
    ],
    [
      "an empty list and an absent value",
      "Routed.Find",
      { ids: [], name: null, exact: false },
      "GET /find?exact=false",
    ],
    ["a path", "Routed.Change", { id: "a/b", name: "n" }, 'PUT /things/a%2Fb {"id":"a/b","name":"n"}'],
  ])("%s", async (_, method, request, expected) => {
    const { call, sent } = recorded();
    await call(method, request);
    expect(sent).toEqual([expected.replace(" /find", " /rpc/find").replace(" /things", " /rpc/things")]);
  });

  test.each<[string, string, unknown, string, string]>([
    [
      "2^53 as a number",
      "Orders.GetOrder",
      { id: 2 ** 53 },
      "/id",
      "expected an integer, as text beyond ±(2^53 - 1), found a number that may have lost digits",
    ],
    [
      "a path of dots",
      "Routed.Change",
      { id: "..", name: "n" },
      "/id",
      'expected text other than "", "." and "..", found ".."',
    ],
    [
      "no file",
      "Files.Write",
      { title: "t", data: "x" },
      "/data",
      "expected a file: { name, type?, text? or base64? }, found another value",
    ],
    [
      "invalid base64",
      "Files.Write",
      { title: "t", data: { base64: "%" } },
      "/data",
      "expected a file: { name, type?, text? or base64? }, found another value",
    ],
    ["a list", "Orders.GetOrder", [], "", "expected an object, found a list"],
  ])("%s is refused before it is sent", async (_, method, request, pointer, message) => {
    const { call, sent } = recorded();
    expect(await call(method, request)).toMatchObject({
      isError: true,
      structuredContent: { error: { name: "InvalidRequest", issues: [{ pointer, message }] } },
    });
    expect(sent).toEqual([]);
  });

  test("files of 1 MiB are sent, and larger ones refused", async () => {
    const { call, sent } = recorded();
    const write = (length: number) =>
      call("Files.Write", { title: "t", data: { name: "a.txt", text: "x".repeat(length) } });
    expect((await write(1024 * 1024)).isError).toBeUndefined();
    expect(sent[0]).toContain('name="data"; filename="a.txt"');
    expect(await write(1024 * 1024 + 1)).toMatchObject({
      isError: true,
      structuredContent: {
        error: { issues: [{ pointer: "/data", message: expect.stringContaining("1048576 bytes") }] },
      },
    });
  });
});

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

describe("errors", () => {
  const errorOf = async (body: string, status: number) => {
    const { structuredContent, isError } = await recorded(() => json(body, status)).call("Orders.GetOrder", {
      id: 1,
    });
    expect(isError).toBe(true);
    return structuredContent?.["error"];
  };

  test.each<[string, string, number, object]>([
    [
      "of the schema, without their cause",
      '{"error":"NotFound","code":1,"msg":"no such order","cause":"row 5"}',
      404,
      { name: "NotFound", code: 1, status: 404, message: "no such order" },
    ],
    [
      "with issues",
      '{"error":"WebrpcBadRequest","code":-4,"msg":"bad request","cause":"x","issues":[{"message":"expected a, found b","path":["a/b",3],"expected":"a","found":"b"}]}',
      400,
      {
        name: "WebrpcBadRequest",
        code: -4,
        status: 400,
        message: "bad request",
        issues: [{ pointer: "/a~1b/3", message: "expected a, found b" }],
      },
    ],
    [
      "of a request, with their cause",
      '{"error":"WebrpcBadRequest","code":-4,"msg":"bad request","cause":"not JSON"}',
      400,
      { name: "WebrpcBadRequest", code: -4, status: 400, message: "bad request: not JSON" },
    ],
    [
      "of a proxy",
      "<h1>inside</h1>",
      502,
      { name: "InvalidResponse", status: 502, message: expect.not.stringContaining("inside") },
    ],
    [
      "of another protocol",
      '{"detail":"inside"}',
      500,
      { name: "InvalidResponse", status: 500, message: expect.not.stringContaining("inside") },
    ],
    [
      "of a redirect",
      "",
      302,
      { name: "InvalidResponse", status: 302, message: expect.stringContaining("HTTP 302") },
    ],
    [
      "of a response that is not an object",
      "[]",
      200,
      { name: "InvalidResponse", status: 200, message: expect.stringContaining("not a JSON object") },
    ],
  ])("%s", async (_, body, status, expected) => {
    expect(await errorOf(body, status)).toEqual(expected);
  });

  test("of the network go to onError", async () => {
    const seen: unknown[] = [];
    const fault = new Error("inside");
    const { call } = recorded(() => Promise.reject(fault), { onError: (error) => seen.push(error) });
    const result = await call("Orders.GetOrder", { id: 1 });
    expect(textOf(result)).toBe(
      '{"error":{"name":"NoResponse","message":"The API could not be reached, or the connection broke."}}',
    );
    expect(seen).toEqual([fault]);
  });

  test("of a slow API", async () => {
    const target = ({ signal }: Request): Promise<Response> =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { call } = toolsOf(api, target, { timeoutMs: 5 });
    expect(textOf(await call("Orders.GetOrder", { id: 1 }))).toContain("did not respond within 5 ms");
  });
});

describe("responses", () => {
  const order = '{"order":{"id":9007199254740993,"names":{"a":"x"},"new":1}}';

  test.each<[readonly string[], string]>([
    [[], '{"order":{"id":9007199254740993,"names":{"a":"x"}}}'],
    [["order.id"], '{"order":{"id":9007199254740993}}'],
    [["order.names.a"], '{"order":{"names":{"a":"x"}}}'],
    [["order.names.*"], '{"order":{"names":{"a":"x"}}}'],
    [["order"], '{"order":{"id":9007199254740993,"names":{"a":"x"}}}'],
  ])("fields %j", async (fields, expected) => {
    expect(bodyOf(await recorded(() => json(order)).call("Orders.GetOrder", { id: 1 }, fields))).toBe(
      expected,
    );
  });

  test("a field and a field inside of it keep the whole field", async () => {
    const { call } = recorded(() => json(order));
    const whole = '{"order":{"id":9007199254740993,"names":{"a":"x"}}}';
    expect(bodyOf(await call("Orders.GetOrder", { id: 1 }, ["order.id", "order"]))).toBe(whole);
    expect(bodyOf(await call("Orders.GetOrder", { id: 1 }, ["order", "order.id"]))).toBe(whole);
  });

  test.each([
    ["orders", 'GetOrderResponse has no field "orders". It has: order.'],
    ["order.id.x", "int64 has no fields."],
  ])("the unknown field %s is an error, and nothing is sent", async (field, message) => {
    const { call, sent } = recorded();
    expect(textOf(await call("Orders.GetOrder", { id: 1 }, [field]))).toContain(message.replace(/"/g, '\\"'));
    expect(sent).toEqual([]);
  });

  test("a large one is cut, and says how to get less", async () => {
    const orders = Array.from({ length: 900 }, (_, id) => ({ id, names: {} }));
    const { call } = recorded(() => json(JSON.stringify({ orders })), { maxBytes: 1_000 });
    const { content } = await call("Orders.ListOrders");
    expect(JSON.parse(content[0]?.type === "text" ? content[0].text : "")).toHaveProperty("orders");
    expect(textOf({ content })).toMatch(/Cut to 1000 bytes. Kept \/orders: \d+ of 900 items. .*"fields"/);
  });
});

describe("limits", () => {
  const ofBytes = (bytes: number) => json(`{"orders":[],"new":"${"x".repeat(bytes - 22)}"}`);

  test.each([
    ["at 8 MiB", 8 * 1024 * 1024, undefined],
    ["above 8 MiB", 8 * 1024 * 1024 + 1, true],
  ])("a response %s is an error: %s bytes, %s", async (_, bytes, isError) => {
    const { call } = recorded(() => ofBytes(bytes));
    expect(await ofBytes(bytes).text()).toHaveLength(bytes);
    expect((await call("Orders.ListOrders")).isError).toBe(isError);
  });

  test.each([
    [10, 1_000],
    [1_000, 1_000],
    [1_001, 1_001],
  ])("maxBytes %s cuts at %s bytes", async (maxBytes, expected) => {
    const orders = [{ id: 1, names: { a: "x".repeat(2_000) } }];
    const { call } = recorded(() => json(JSON.stringify({ orders })), { maxBytes });
    expect(textOf(await call("Orders.ListOrders"))).toContain(`Cut to ${expected} bytes.`);
  });

  test.each([
    [0, false],
    [1, true],
    [30, true],
    [31, false],
    [1.5, false],
  ])("a search for %s methods is valid: %s", (limit, isValid) => {
    const { validate } = recorded().tools.search.config.inputSchema["~standard"];
    expect(validate({ query: "x", limit }).issues === undefined).toBe(isValid);
  });

  test.each<[string, unknown, string]>([
    ["no object", [], "The arguments must be an object."],
    ["a missing argument", {}, 'The argument "method" is missing.'],
    ["a wrong type", { method: 1 }, 'The argument "method" must be text.'],
    ["a request as text", { method: "A.b", request: "{}" }, 'The argument "request" must be an object.'],
    ["fields as text", { method: "A.b", fields: "id" }, 'The argument "fields" must be a list of texts.'],
    [
      "an unknown argument",
      { method: "A.b", id: 1 },
      'There is no argument "id". The arguments are method, request, fields.',
    ],
  ])("%s is reported", (_, given, message) => {
    const { validate } = recorded().tools.call.config.inputSchema["~standard"];
    expect(validate(given)).toEqual({ issues: [{ message }] });
  });
});

describe("streams", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, id) => `{"id":${id}}\n`).join("");
  const endOf = async (count: number): Promise<unknown> => {
    const result = await recorded(() => new Response(lines(count)), { maxItems: 3 }).call("Feeds.Watch");
    const { items, end } = JSON.parse(bodyOf(result)) as { items: readonly unknown[]; end: string };
    return [items.length, end, result.content.length];
  };

  test("return at most maxItems items", async () => {
    expect(await endOf(2)).toEqual([2, "ended", 1]);
    expect(await endOf(3)).toEqual([3, "more", 2]);
    expect(await endOf(4)).toEqual([3, "more", 2]);
  });

  test("return the items of streamMs milliseconds", async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('\n{"id":1}\n')),
    });
    const { call } = recorded(() => new Response(body), { streamMs: 50 });
    expect(bodyOf(await call("Feeds.Watch"))).toBe('{"items":[{"id":1}],"end":"more"}');
  });

  test("return their error with the items before it", async () => {
    const error = { error: "NotFound", code: 1, msg: "gone", cause: "inside", status: 404 };
    const text = `{"id":1}\n${JSON.stringify({ webrpcError: error })}\n`;
    const result = await recorded(() => new Response(text)).call("Feeds.Watch");
    expect(bodyOf(result)).toBe('{"items":[{"id":1}],"end":"failed"}');
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { name: "NotFound", code: 1, status: 404, message: "gone" } },
    });
  });
});

describe("files", () => {
  const file = (size: number, type: string) => () =>
    new Response(new Uint8Array(size).fill(0x61), {
      headers: { "Content-Type": type, "Content-Disposition": "attachment; filename*=UTF-8''a%20b.txt" },
    });
  const read = async (size: number, type = "application/zip") =>
    (
      await recorded(file(size, type), { fileMaxBytes: 10, maxBytes: 1_000 }).call("Files.Read", {
        name: "a",
      })
    ).content;

  test.each([
    [9, true],
    [10, true],
    [11, false],
  ])("of %s bytes are sent: %s", async (size, isSent) => {
    const [about, content] = await read(size);
    expect(about).toMatchObject({
      text: expect.stringContaining('"name":"a b.txt","type":"application/zip"'),
    });
    expect(content?.type).toBe(isSent ? "resource" : "text");
  });

  test("are images, texts or bytes", async () => {
    expect((await read(3, "image/png"))[1]).toEqual({ type: "image", data: "YWFh", mimeType: "image/png" });
    expect((await read(3, "text/plain; charset=utf-8"))[1]).toMatchObject({
      resource: { uri: "file:///a%20b.txt", text: "aaa" },
    });
    expect((await read(3))[1]).toMatchObject({ resource: { blob: "YWFh" } });
  });

  test("of text are cut like responses", async () => {
    const { call } = recorded(file(2_000, "text/csv"), { maxBytes: 1_000 });
    const { content } = await call("Files.Read", { name: "a" });
    expect(content[1]).toMatchObject({ resource: { text: "a".repeat(1_000) } });
    expect(content[2]).toEqual({ type: "text", text: "Cut to 1000 of 2000 characters." });
  });
});

describe("headers", () => {
  const agent = new Request("http://localhost/mcp", {
    headers: { Authorization: "Bearer a", Cookie: "c=1" },
  });
  const sentHeaders = async (options?: McpOptions): Promise<object> => {
    let sent = {};
    const target = ({ headers }: Request): Response => {
      sent = Object.fromEntries(headers);
      return json("{}");
    };
    const { call } = toolsOf(api, target, options);
    await call("Orders.ListOrders", {}, undefined, agent);
    return sent;
  };

  test("Authorization is passed on to a handler, and other headers are not", async () => {
    expect(await sentHeaders()).toEqual({ authorization: "Bearer a", "content-type": "application/json" });
  });

  test("a function chooses them", async () => {
    const headers = (request: Request | undefined) => ({ "X-Key": request?.headers.get("cookie") ?? "" });
    expect(await sentHeaders({ headers })).toEqual({ "x-key": "c=1", "content-type": "application/json" });
  });
});
