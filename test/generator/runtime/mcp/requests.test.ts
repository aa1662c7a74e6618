/** Requests of the tool `call`, and their headers. */
import { describe, expect, test } from "vitest";
import type { McpOptions } from "../../../../generator/runtime/src/mcp-call.ts";
import { json, toolsOf } from "./api.ts";
import { api, recorded } from "./recorded.ts";

describe("requests", () => {
  test.each<[string, string, unknown, string]>([
    ["a body", "Orders.GetOrder", { id: 1 }, 'POST /rpc/Orders/GetOrder {"id":1}'],
    [
      "a request as JSON",
      "Orders.GetOrder",
      '{"id":9223372036854775807}',
      'POST /rpc/Orders/GetOrder {"id":9223372036854775807}',
    ],
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
    ["text that is no JSON", "Orders.GetOrder", "{id", "", 'expected an object, found "{id"'],
    [
      "a misspelled field",
      "Orders.CancelOrder",
      { id: 1, reasno: "x" },
      "/reasno",
      'unknown field; did you mean "reason"?',
    ],
    ["a field of another case", "Orders.CancelOrder", { ID: 1 }, "/ID", 'unknown field; did you mean "id"?'],
    [
      "an unknown field",
      "Orders.CancelOrder",
      { customer: 1 },
      "/customer",
      "unknown field; the fields are: id, reason",
    ],
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
