/** How routes are written: in IR, in YAML, formatted, and by fixes. */
import { describe, expect, test } from "vitest";
import { compile } from "../../../generator/language/compile.ts";
import { convert } from "../../../generator/language/convert/convert.ts";
import { applyFixes } from "../../../generator/language/fixes.ts";
import { writeIr } from "../../../generator/language/ir/write.ts";
import { format } from "../../../generator/language/ridl/format.ts";
import { SourceFile } from "../../../generator/language/source/source-file.ts";
import { memoryReader } from "../../support/memory-reader.ts";
import { withSuggestions } from "../../support/suggestions.ts";
import { newerHeader } from "./rows.ts";

const users = `${newerHeader}
struct GetUserRequest
  - userId: uint64

struct User
  - id: uint64

service Users
  path = /users

  # Returns a user.
  - Get(GetUserRequest) => (User)
    GET /{userId}
  - List(tags?: []string) => (users: []User)
    GET /
  - Ping()
`;

function codesOf(path: string, files: Readonly<Record<string, string>>): readonly string[] {
  return compile(path, memoryReader(files)).diagnostics.map(({ code }) => code);
}

test("the IR has the path of the service after its name, and the route before the inputs", () => {
  const { result } = compile("m.ridl", memoryReader({ "m.ridl": users }));
  const ir = result === undefined ? "" : writeIr(result.ir);
  const [service] = JSON.parse(ir).services;
  expect(Object.keys(service)).toEqual(["name", "path", "methods", "comments"]);
  expect(service.path).toBe("/users");
  expect(Object.keys(service.methods[0])).toEqual([
    "name",
    "annotations",
    "comments",
    "succinct",
    "route",
    "inputs",
    "outputs",
  ]);
  expect(service.methods.map(({ route }: { route?: unknown }) => route)).toEqual([
    { verb: "GET", path: "/{userId}" },
    { verb: "GET", path: "/" },
    undefined,
  ]);
  expect(ir).toContain(' "route": {\n      "verb": "GET",\n      "path": "/{userId}"\n     },\n');
});

test("routes are formatted below their methods", () => {
  const messy = users
    .replace("  path = /users\n\n", "    path=/users   # all\n")
    .replace("(User)\n    GET", "(User) GET")
    .replace("    GET /\n", "\n\nGET /\n");
  const { text } = format(new SourceFile("m.ridl", messy));
  expect(text).toBe(users.replace("  path = /users\n\n", "  path = /users # all\n"));
  expect(format(new SourceFile("m.ridl", users)).text).toBe(users);
});

test("YAML has a path and routes", () => {
  const { text = "" } = convert("m.ridl", memoryReader({ "m.ridl": users }), { to: "yaml" });
  expect(text).toContain("  Users:\n    path: /users\n    methods:\n");
  expect(text).toContain("      Get:\n        route: GET /{userId}\n        input: GetUserRequest\n");
});

describe("faults of other forms", () => {
  const yaml = (method: string, service = ""): string =>
    `webrpc: v1\nname: t\nversion: v1\nbasepath: /rpc\nservices:\n  S:\n${service}    methods:\n      P: ${method}\n`;

  test.each([
    ["{ route: GET /p }", []],
    ['{ route: "GET /p" }', []],
    ["{ route: GET   /p }", []],
    ['{ input: { id: int }, route: "GET /{id}" }', []],
    ["{ route: FETCH /p }", ["RK356"]],
    ["{ route: get /p }", ["RK356"]],
    ["{ route: GET }", ["RK613"]],
    ["{ route: /p }", ["RK613"]],
    ["{ route: }", ["RK615"]],
    ["{ route: [GET, /p] }", ["RK613"]],
    ["{ route: GET /p q }", ["RK359"]],
    ["{ route: GET /p?q }", ["RK359"]],
    ["{ proxy: true, route: GET /p }", ["RK339"]],
  ])("YAML: %s", (method, codes) => {
    expect(codesOf("m.yaml", { "m.yaml": yaml(method) }).toSorted()).toEqual(codes);
  });

  test("YAML: the path of a service", () => {
    expect(codesOf("m.yaml", { "m.yaml": yaml("{ route: GET /p }", "    path: users\n") })).toEqual([
      "RK359",
    ]);
    expect(codesOf("m.yaml", { "m.yaml": yaml("{ route: GET /p }", "    path:\n") })).toEqual(["RK615"]);
  });

  test("a segment that RIDL cannot write stays in YAML", () => {
    const files = { "m.yaml": yaml("{ route: GET /-p }") };
    expect(codesOf("m.yaml", files)).toEqual([]);
    const { diagnostics } = convert("m.yaml", memoryReader(files), { to: "ridl" });
    expect(diagnostics.map(({ name }) => name)).toEqual(["convert-unsayable"]);
  });

  const ir = (method: string, service = ""): string =>
    `{"webrpc":"v1","name":"t","version":"v1","basepath":"/rpc","types":[],"errors":[],"services":[{"name":"S",${service}"methods":[{"name":"P",${method}"annotations":{},"comments":[],"inputs":[],"outputs":[]}],"comments":[]}]}`;

  test.each([
    ['"route":{"verb":"GET","path":"/p"},', []],
    ['"route":null,', []],
    ['"route":{"verb":"FETCH","path":"/p"},', ["RK356"]],
    ['"route":{"verb":"get","path":"/p"},', ["RK356"]],
    ['"route":{"path":"/p"},', ["RK356"]],
    ['"route":{"verb":"GET","path":"p"},', ["RK359"]],
    ['"route":{"verb":"GET"},', ["RK359"]],
    ['"route":"GET /p",', ["RK502"]],
  ])("IR: %s", (method, codes) => {
    expect(codesOf("m.json", { "m.json": ir(method) })).toEqual(codes);
  });

  test("IR: the path of a service", () => {
    const route = '"route":{"verb":"GET","path":"/p"},';
    expect(codesOf("m.json", { "m.json": ir(route, '"path":"/s",') })).toEqual([]);
    expect(codesOf("m.json", { "m.json": ir(route, '"path":"s",') })).toEqual(["RK359"]);
    expect(codesOf("m.json", { "m.json": ir(route, '"path":1,') })).toEqual(["RK502"]);
  });
});

test("routes of imported services overlap those of the file", () => {
  const imported = `${newerHeader}service A\n  - P()\n    GET /x\n`;
  const main = `${newerHeader}import a.ridl\nservice B\n  - Q()\n    GET /x\n`;
  expect(codesOf("m.ridl", { "m.ridl": main, "a.ridl": imported })).toEqual(["RK365"]);
});

test("the basepath of a schema with routes is plain", () => {
  const schema = (basepath: string, route: string): string =>
    `webrpc = v1\nname = t\nversion = v1\nbasepath = ${basepath}\nservice S\n  - P()\n${route}`;
  expect(codesOf("m.ridl", { "m.ridl": schema("/a%20b", "    GET /p\n") })).toEqual(["RK359"]);
  expect(codesOf("m.ridl", { "m.ridl": schema("/a%20b", "") })).toEqual([]);
  expect(codesOf("m.ridl", { "m.ridl": schema("api/v1/", "    GET /p\n") })).toEqual([]);
});

describe("fixes", () => {
  test.each([
    ["  - P()\n    get /p\n", "  - P()\n    GET /p\n"],
    ["  - P()\n    GTE /p\n", "  - P()\n    GET /p\n"],
    ["  - P()\n    GET p\n", "  - P()\n    GET /p\n"],
    ['  - P()\n    GET "/p"\n', "  - P()\n    GET /p\n"],
    ['  path = "/s"\n  - P()\n', "  path = /s\n  - P()\n"],
    ["  - P() foo\n", "  - P()\n"],
  ])("%j", (written, fixed) => {
    const source = `${newerHeader}service S\n`;
    const { diagnostics } = compile("m.ridl", memoryReader({ "m.ridl": source + written }));
    expect(applyFixes(withSuggestions(diagnostics)).files.map(({ text }) => text)).toEqual([source + fixed]);
  });

  test("none changes a valid schema with routes", () => {
    const { diagnostics } = compile("m.ridl", memoryReader({ "m.ridl": users }));
    expect(diagnostics).toEqual([]);
  });
});
