import { describe, expect, test } from "vitest";
import { emitTypescript } from "../../../../generator/codegen/emit/drop-in/index.ts";
import { emitOpenapi } from "../../../../generator/codegen/emit/openapi/index.ts";
import { emitServer } from "../../../../generator/codegen/emit/server/index.ts";
import { resolveOptions } from "../../../../generator/codegen/options.ts";
import { compile } from "../../../../generator/language/compile.ts";
import { convert } from "../../../../generator/language/convert/convert.ts";
import { applyFixes } from "../../../../generator/language/fixes.ts";
import { hashIr, writeIr } from "../../../../generator/language/ir/write.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { planOf } from "../../../support/sample-plan.ts";
import { withSuggestions } from "../../../support/suggestions.ts";

const head = 'webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\nerror 1 Gone "gone" HTTP 410\n';
const schema = (ping: string): string => `${head}service S\n  - Get() errors Gone\n${ping}`;

function compiled(text: string, path = "api.ridl") {
  const { result, diagnostics } = compile(path, memoryReader({ [path]: text }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return { ir: writeIr(result.ir), model: result.model, diagnostics };
}

const pingErrors = (text: string, path?: string): readonly string[] | undefined =>
  compiled(text, path).model.services[0]?.methods.find(({ name }) => name === "Ping")?.errors;

describe("the errors of a method", () => {
  test.each([
    ["neither a list nor @noErrors", "  - Ping()\n", undefined],
    ["@noErrors", "  @noErrors\n  - Ping()\n", []],
    ["@noErrors beside others", '  @auth:"key" @noErrors @readonly\n  - Ping()\n', []],
    ["another case of letters", "  @noerrors\n  - Ping()\n", undefined],
    ["@noErrors with a value", "  @noErrors:true\n  - Ping()\n", undefined],
    ["@noErrors with false", '  @noErrors:"false"\n  - Ping()\n', undefined],
    ["@noErrors beside a list", "  @noErrors\n  - Ping() errors Gone\n", ["Gone"]],
  ])("%s", (_, ping, errors) => {
    expect(pingErrors(schema(ping))).toEqual(errors);
  });

  const yaml = (annotations: string, errors = ""): string =>
    `webrpc: v1\nname: t\nversion: v1\nbasepath: /rpc\nerrors: { Gone: { code: 1, message: gone } }\nservices:\n  S:\n    methods:\n      Ping:\n        annotations: ${annotations}\n${errors}`;

  test.each([
    ["a list of names", "[noErrors]", [], []],
    ["a map", "{ noErrors: , auth: key }", [], []],
    ["a value", "[noErrors: true]", undefined, ["RK349"]],
  ])("in YAML, as %s", (_, annotations, errors, codes) => {
    expect(pingErrors(yaml(annotations), "api.yaml")).toEqual(errors);
    expect(compiled(yaml(annotations), "api.yaml").diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  test("in YAML, next to a list", () => {
    const text = yaml("[noErrors]", "        errors: [Gone]\n");
    expect(pingErrors(text, "api.yaml")).toEqual(["Gone"]);
    expect(compiled(text, "api.yaml").diagnostics.map(({ code, fix }) => [code, fix])).toEqual([
      ["RK350", undefined],
    ]);
  });
});

test("contradictions are a warning, and an error under --strict", () => {
  const text = schema("  @noErrors\n  - Ping() errors Gone\n  @noErrors:yes\n  - Pong()\n");
  const found = (strict: boolean): readonly (readonly string[])[] =>
    compile("api.ridl", memoryReader({ "api.ridl": text }), { strict }).diagnostics.map(
      ({ code, severity }) => [code, severity],
    );
  expect(found(false)).toEqual([
    ["RK350", "warning"],
    ["RK349", "warning"],
  ]);
  expect(found(true)).toEqual([
    ["RK350", "error"],
    ["RK349", "error"],
  ]);
});

test.each([
  ["  @noErrors:true\n  - Ping()\n", "  @noErrors\n  - Ping()\n"],
  ['  @noErrors:"no" @public - Ping()\n', "  @noErrors @public - Ping()\n"],
  ["  @noErrors\n  - Ping() errors Gone\n", "  - Ping() errors Gone\n"],
  ["  @noErrors - Ping() errors Gone\n", "  - Ping() errors Gone\n"],
  ["  @noErrors @public\n  - Ping() errors Gone\n", "  @public\n  - Ping() errors Gone\n"],
  ["  @public @noErrors\n  - Ping() errors Gone\n", "  @public\n  - Ping() errors Gone\n"],
  ["  @public\n  @noErrors\n  - Ping() errors Gone\n", "  @public\n  - Ping() errors Gone\n"],
  ["  @public @noErrors @auth:a\n  - Ping() errors Gone\n", "  @public @auth:a\n  - Ping() errors Gone\n"],
  ["  @noErrors # never\n  - Ping() errors Gone\n", undefined],
  ["  @noErrors\n  # never\n  - Ping() errors Gone\n", undefined],
])("the fix of %j", (ping, fixed) => {
  const { diagnostics } = compiled(schema(ping));
  const text = applyFixes(withSuggestions(diagnostics)).files[0]?.text;
  expect(text).toBe(fixed === undefined ? undefined : schema(fixed));
  if (text !== undefined) expect(compiled(text).diagnostics).toEqual([]);
});

test("the IR holds it like any annotation", () => {
  const { ir } = compiled(schema("  @noErrors\n  - Ping()\n"));
  expect(ir.replaceAll("noErrors", "internal")).toBe(compiled(schema("  @internal\n  - Ping()\n")).ir);
});

test("converting to YAML, to IR and back preserves it", () => {
  const text = schema("  @readonly @noErrors\n  - Ping()\n");
  const hash = hashIr(compiled(text).ir);
  const yaml = convert("api.ridl", memoryReader({ "api.ridl": text }), { to: "yaml" }).text ?? "";
  expect(yaml).toContain("annotations: [readonly, noErrors]");
  expect(hashIr(compiled(yaml, "api.yaml").ir)).toBe(hash);
  expect(convert("api.yaml", memoryReader({ "api.yaml": yaml }), { to: "ridl" }).text).toContain(
    "  @readonly @noErrors\n  - Ping()",
  );
  expect(pingErrors(compiled(text).ir, "api.json")).toEqual([]);
});

test("a server's handler type has no errors", () => {
  const text = schema("  @noErrors\n  - Ping()\n");
  const files = emitServer(planOf({ "api.ridl": text }, "api.ridl"), resolveOptions({}));
  const service = files.find(({ path }) => path === "server.ts")?.text;
  expect(service).toContain("readonly Ping: Handler<Context, types.PingRequest, NoFields, never>;");
  expect(service).toContain("annotations: { noErrors: true },\n      errors: [],");
});

test("OpenAPI lists the protocol's errors and those that no method lists", () => {
  const responses = (ping: string): readonly string[] => {
    const text = `${schema(ping)}error 2 Busy "busy" HTTP 503\n`;
    const [file] = emitOpenapi(planOf({ "api.ridl": text }, "api.ridl"), { format: "json" });
    return Object.keys(JSON.parse(file?.text ?? "").paths["/rpc/S/Ping"].post.responses);
  };
  expect(responses("  - Ping()\n")).toEqual(["200", "400", "404", "405", "410", "500", "503"]);
  expect(responses("  @noErrors\n  - Ping()\n")).toEqual(["200", "400", "404", "405", "500", "503"]);
});

test("the single file of the webrpc-gen command line is the same", () => {
  const print = (ping: string): string =>
    emitTypescript(planOf({ "api.ridl": schema(ping) }, "api.ridl"), {
      client: true,
      server: true,
      schemaHash: false,
      webrpcHeader: true,
      compat: false,
      enumStyle: "enum",
    });
  const hash = /[0-9a-f]{40}/g;
  expect(print("  @noErrors\n  - Ping()\n").replace(hash, "")).toBe(print("  - Ping()\n").replace(hash, ""));
});
