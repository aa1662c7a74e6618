import { describe, expect, test } from "vitest";
import { describeTypes, methodLine } from "../../../generator/runtime/src/mcp.ts";
import type { McpApi, McpMethod } from "../../../generator/runtime/src/mcp-api.ts";
import { shapeOf, typeNames, unaliased } from "../../../generator/runtime/src/mcp-api.ts";
import {
  callRequest,
  cutJson,
  describeCuts,
  uploadMaxBytes,
} from "../../../generator/runtime/src/mcp-call.ts";
import { intentsOf, McpSearch, stem, wordsOf } from "../../../generator/runtime/src/mcp-search.ts";

const mcpMethod = (name: string, more: Partial<McpMethod> = {}): McpMethod => ({
  name,
  request: "Ask",
  response: "Reply",
  path: `/rpc/${name}`,
  ...more,
});

const mcp = (methods: readonly McpMethod[], fields: readonly string[] = []): McpApi => ({
  name: "t",
  version: "v1",
  methods,
  types: {
    Ask: { kind: "struct", fields: fields.map((name) => ({ name, type: "string" })) },
    Reply: { kind: "struct", fields: [] },
    Loop: { kind: "alias", type: "Loop" },
    Id: { kind: "alias", type: "uint64" },
  },
  errors: {},
});

describe("tools for agents", () => {
  test.each([
    ["getUserIDs of 2 repos", "get user id 2 repo"],
    ["HTTPStatus", "http status"],
    ["the user's names", "user nam"],
    ["Bücher kaufen", "bücher kaufen"],
  ])("the words of %s are %s", (text, words) => {
    expect(wordsOf(text).join(" ")).toBe(words);
  });

  test.each([
    ["creates", "creat"],
    ["created", "creat"],
    ["creating", "creat"],
    ["creation", "creat"],
    ["stopped", "stop"],
    ["policies", "polici"],
    ["boxes", "box"],
    ["status", "status"],
    ["class", "class"],
    ["used", "used"],
    ["ids", "ids"],
    ["ring", "ring"],
    ["a1bs", "a1bs"],
    ["being", "being"],
    ["user", "user"],
    ["dues", "du"],
  ])("the stem of %s is %s", (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  test.each([
    ["get", "get"],
    ["fetch", "get"],
    ["list", "list"],
    ["find", "search"],
    ["add", "create"],
    ["patch", "update"],
    ["remov", "delete"],
    ["pet", undefined],
  ])("%s says %s", (word, action) => {
    expect(intentsOf(word)[0]).toBe(action);
  });

  test.each([
    ["[]Item", { kind: "list", item: "Item" }],
    ["map<string,[]Item>", { kind: "map", key: "string", value: "[]Item" }],
    ["Item", { kind: "name", name: "Item" }],
  ])("the type %s", (type, shape) => {
    expect(shapeOf(type)).toEqual(shape);
  });

  test("types refer to types, and aliases may be circular", () => {
    expect(typeNames("map<Key,[]map<string,Item>>")).toEqual(["Key", "string", "Item"]);
    expect([unaliased(mcp([]), "Id"), unaliased(mcp([]), "Loop"), unaliased(mcp([]), "string")]).toEqual([
      "uint64",
      "any",
      "string",
    ]);
  });

  test.each<[readonly string[], Partial<McpMethod>, string]>([
    [[], {}, "S.M() [changes data]"],
    [["a"], { isRead: true, isIdempotent: true }, "S.M(a) [read-only]"],
    [["a"], { isIdempotent: true, isStream: true }, "S.M(a) [changes data, safe to repeat, stream]"],
    [[], { deprecated: "", docs: "Does it. And more." }, "S.M() [changes data, deprecated] Does it."],
    [[..."abcdefgh"], {}, "S.M(a, b, c, d, e, f, g, h) [changes data]"],
    [[..."abcdefghi"], {}, "S.M(a, b, c, d, e, f, g, h, …) [changes data]"],
    [[], { docs: "x".repeat(160) }, `S.M() [changes data] ${"x".repeat(160)}`],
    [[], { docs: "x".repeat(161) }, `S.M() [changes data] ${"x".repeat(159)}…`],
  ])("the line of a method with the fields %j and %j", (fields, more, expected) => {
    const method = mcpMethod("S.M", more);
    expect(methodLine(method, mcp([method], fields))).toBe(expected);
  });

  test("a method without a response returns a file", () => {
    const { response: _, ...method } = mcpMethod("S.M", { files: [{ name: "f" }] });
    expect(methodLine(method, mcp([method]))).toBe("S.M(f) [changes data, file]");
  });

  test.each([
    [12_000, false],
    [12_001, true],
  ])("of types of %i characters, all are described: the rest is named %s", (length, isCut) => {
    const block = (name: string, docs: number): number =>
      `// ${"x".repeat(docs)}\ninterface ${name} {\n}`.length;
    const rest = length - block("A", 100);
    const docs = rest - block("B", 0);
    const api = {
      ...mcp([]),
      types: {
        A: { kind: "struct", docs: "x".repeat(100), fields: [] },
        B: { kind: "struct", docs: "x".repeat(docs), fields: [] },
      },
    } as McpApi;
    expect(describeTypes(["A", "B"], [], api).includes("Types not shown, search for their names: B")).toBe(
      isCut,
    );
  });

  test.each<[string, readonly string[]]>([
    ["get pets", ["S.GetPet", "S.ListPets", "S.DeletePet"]],
    ["which pets are there?", ["S.GetPet", "S.ListPets", "S.DeletePet"]],
    ["remove a pet", ["S.DeletePet", "S.GetPet", "S.ListPets"]],
    ["add a purchase", ["S.CreateOrder"]],
    ["ordeers", ["S.CreateOrder"]],
    ["lisdt", ["S.ListPets"]],
    ["lisd", []],
    ["nothing of that", []],
  ])("the search for %j", (query, names) => {
    const methods = ["S.GetPet", "S.ListPets", "S.DeletePet", "S.CreateOrder"].map((name) => mcpMethod(name));
    const found = new McpSearch(mcp(methods), methods).find(query).slice(0, 3);
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  test.each<[unknown, number, string, readonly string[]]>([
    [{ a: "x" }, 9, '{"a":"x"}', []],
    [{ a: "xy" }, 9, "null", ["/: everything"]],
    [[1, 2, 3, 4, 5, 6], 9, "[1,2,3,4]", ["/: 4 of 6 items"]],
    [{ a: "x".repeat(5_000) }, 4_020, `{"a":"${"x".repeat(4_000)}…"}`, ["/a: 4000 of 5000 characters"]],
    [{ a: "x".repeat(5_000) }, 4_010, `{"a":"${"x".repeat(500)}…"}`, ["/a: 500 of 5000 characters"]],
    [{ a: "x".repeat(5_000) }, 200, `{"a":"${"x".repeat(100)}…"}`, ["/a: 100 of 5000 characters"]],
    [
      { a: { b: { c: { d: { e: 1, f: "y".repeat(90) } } } } },
      60,
      '{"a":{"b":{"c":{"d":{}}}}}',
      ["/a/b/c/d: all fields"],
    ],
    [undefined, 9, "null", []],
  ])("%j is cut", (value, maxBytes, text, cuts) => {
    expect(cutJson(value, maxBytes)).toMatchObject({ text, cuts });
  });

  test("cuts at many places are listed once for each kind of place", () => {
    const cuts = Array.from({ length: 12 }, (_, index) => `/list/${index}/name: 1 of 2 characters`);
    expect(describeCuts({ text: "", cuts }, 9, "Ask for less.")).toBe(
      "Cut to 9 bytes. Kept /list/*/name: 1 of 2 characters. Ask for less.",
    );
    const kinds = (count: number) => Array.from({ length: count }, (_, index) => `/f${index}: x`);
    expect(describeCuts({ text: "", cuts: kinds(8) }, 9, "A.")).not.toContain("more");
    expect(describeCuts({ text: "", cuts: kinds(9) }, 9, "A.")).toContain("; and 1 more. A.");
  });

  const withPath = mcpMethod("S.M", { path: "/rpc/{id}/x", verb: "GET", query: ["q"] });

  test.each<[unknown, object]>([
    [
      { id: "a/b", q: ["1", null, "2 3"] },
      { path: "/rpc/a%2Fb/x?q=1&q=2%203", method: "GET", headers: {} },
    ],
    [{ id: 5 }, { path: "/rpc/5/x", method: "GET" }],
    [{}, [{ path: ["id"], message: 'expected text other than "", "." and "..", found nothing' }]],
    [{ id: "." }, [{ path: ["id"], found: '"."' }]],
    [{ id: ".." }, [{ path: ["id"], found: '".."' }]],
    [[], [{ path: [], message: "expected an object, found a list" }]],
    ["x", [{ message: 'expected an object, found "x"' }]],
    [null, [{ message: "expected an object, found null" }]],
  ])("the request of a call with %j", (given, expected) => {
    expect(callRequest(mcp([withPath], ["id", "q"]), withPath, given)).toMatchObject(expected);
  });

  test.each<[unknown, boolean]>([
    [{ name: "a", text: "x" }, true],
    [{ text: "x".repeat(uploadMaxBytes) }, true],
    [{ text: "x".repeat(uploadMaxBytes + 1) }, false],
    [{ base64: "AAA=" }, true],
    [{ base64: "%" }, false],
    [{ base64: "AAA=", text: "x" }, false],
    [{ name: 1, text: "x" }, false],
    [{ type: 1, text: "x" }, false],
    [{}, false],
    ["x", false],
  ])("a file of a call: case %#", (file, isValid) => {
    const method = mcpMethod("S.M", { files: [{ name: "f" }] });
    const request = callRequest(mcp([method]), method, { f: file });
    expect("path" in request).toBe(isValid);
    if ("path" in request) expect((request.body as FormData).get("json")).toBe('{"f":null}');
  });
});
