import { expect, test } from "vitest";
import { emitClient } from "../../../../generator/codegen/emit/client/index.ts";
import { emitErrors } from "../../../../generator/codegen/emit/errors/index.ts";
import { resolveOptions } from "../../../../generator/codegen/options.ts";
import type { Plan } from "../../../../generator/codegen/plan/plan.ts";
import { planOf } from "../../../support/sample-plan.ts";

const head = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";

test("a service may have the name of an export", () => {
  const text = serviceText(`${head}service Client\n  - M()\n`);
  expect(text).toContain("type Client as Client2");
  expect(text).toContain("export class Client {");
});

test("a method may have any name that generated code uses", () => {
  const text = serviceText(
    `${head}service S\n  - Method()\n  - Schema()\n  - Client()\n  - Req()\n  - Options()\n  - Types()\n`,
  );
  expect(text).toContain("export const method: EmptyRequestMethod<types2.MethodRequest,");
  expect(text).toContain('/* @__PURE__ */ method2(schema, "S", "Method")');
  expect(text).toContain("constructor(client2: Client | string)");
  expect(text).toContain(" =>\n    req(this.client2, req2, options);");
  expect(text).toContain(" =>\n    options(this.client2, req, options2);");
});

test("a service may share its name with a type, and an error with a method", () => {
  const text = serviceText(
    `${head}error 1 Ping "p"\nstruct S\n  - a: int\nservice S\n  - Ping(S) => (S) errors Ping\n`,
  );
  expect(text).toContain("ping: Method<types.S, types.S, PingError>");
  expect(text).toContain("PingError as PingError2");
  expect(text).toContain("export type PingError = PingError2 | ProtocolError;");
});

test("an error class may have the name of the base", () => {
  const [file] = emitErrors(
    planOfText(`${head}error 1 Rpc "r"\nerror 2 Protocol "p"\nerror 3 Unlisted "u"\nservice S\n  - M()\n`),
    resolveOptions({}),
  );
  expect(file?.text).toContain("RpcError as RpcError2");
  expect(file?.text).toContain('export type RpcError = RpcError2<"Rpc", 1>;');
  expect(file?.text).toContain("export type ProtocolError2 =");
  expect(file?.text).toContain("export type UnlistedError2 =");
});

test("text of a schema never becomes code", () => {
  const evil = '\\"}); alert(1); //';
  const plan = planOfText(
    `${head}error 1 Bad "${evil}"\n# */ alert(2) /*\nservice S\n  # */ alert(3)\n  - M()\n`,
  );
  for (const { path, text } of [
    ...emitErrors(plan, resolveOptions({})),
    ...emitClient(plan, resolveOptions({})),
  ]) {
    const code = text.replace(/\/\*\*[\s\S]*?\*\//g, "").replace(/"(?:[^"\\]|\\.)*"/g, '""');
    expect(code, path).not.toContain("alert");
  }
});

test("an error that no method lists belongs to every method", () => {
  const plan = planOfText(
    `${head}error 1 Mine "m"\nerror 2 Host "h"\nservice S\n  - M() errors Mine\n  - N()\n  @noErrors\n  - O()\n`,
  );
  const errors = emitErrors(plan, resolveOptions({}))[0]?.text ?? "";
  const protocol = errors.slice(
    errors.indexOf("export type ProtocolError"),
    errors.indexOf("/** The schema errors"),
  );
  expect(protocol).toContain("| WebrpcInternalError");
  expect(protocol).not.toMatch(/MineError|HostError|WebrpcStreamLostError/);
  expect(errors).toContain("export type UnlistedError = HostError;");
  expect(errors).toContain("export type SchemaError = MineError | HostError;");
  const text = emitClient(plan, resolveOptions({}))[0]?.text;
  expect(text).toContain("export type MError = MineError | UnlistedError | ProtocolError;");
  expect(text).toContain("export type NError = SchemaError | ProtocolError;");
  expect(text).toContain("export type OError = UnlistedError | ProtocolError;");
});

test("if methods list every error, a method with @noErrors has only protocol errors", () => {
  const plan = planOfText(
    `${head}error 1 Mine "m"\nservice S\n  - M() errors Mine\n  @noErrors\n  - O()\n  @noErrors\n  - P() => stream ()\n`,
  );
  expect(emitErrors(plan, resolveOptions({}))[0]?.text).toContain("export type UnlistedError = never;");
  const text = emitClient(plan, resolveOptions({}))[0]?.text;
  expect(text).toContain("export type MError = MineError | ProtocolError;");
  expect(text).toContain("export type OError = ProtocolError;");
  expect(text).toContain("export type PError = ProtocolError | WebrpcStreamLostError;");
});

test("a type of requests and responses has one shape, and a type of requests has only what they need", () => {
  const types =
    "struct Item\n  - id: int64\n  - tags: []string\nstruct Wanted\n  - item: Item\n  - names: []string\n";
  const plan = planOfText(`${head}${types}service S\n  - Put(wanted: Wanted) => (item: Item)\n`);
  const text = emitClient(plan, resolveOptions({}))[0]?.text ?? "";
  expect(
    text.slice(text.indexOf("const shapeOf"), text.indexOf("/** The errors")),
  ).toBe(`const shapeOfItem: Shape = { id: safeInteger, tags: [] };
const shapeOfPutResponse: Shape = { item: shapeOfItem };
const shapeOfWanted: Shape = { item: shapeOfItem };
const shapeOfPutRequest: Shape = { wanted: shapeOfWanted };

`);
});

test("no method has the name of a shape or of a conversion", () => {
  const plan = planOfText(`${head}service S\n  - ShapeOfA() => (ids: []int64)\n  - SafeInteger()\n`);
  const texts = emitClient(plan, resolveOptions({})).map(({ text }) => text);
  expect(texts.join("")).toContain("export const sShapeOfA:");
  expect(texts.join("")).toContain("export const safeInteger:");
  expect(texts.join("")).toContain("{ ids: [safeInteger2] }");
});

test("annotations of other methods rename no function", () => {
  const methods = ["Items", "Pages", "Paged", "ByGet", "EtagOf", "Fetch"];
  const plain = `${head}service S\n${methods.map((name) => `  - ${name}()\n`).join("")}`;
  const annotated = `${plain}  @readonly @cache:"60s"\n  - Read()\n  @paging:"limit,page"\n  - List(limit: uint32, page: uint32) => (all: []string)\n`;
  for (const text of [plain, annotated]) {
    const source = emitClient(planOfText(text), resolveOptions({})).map(({ text }) => text);
    const found = methods.map(
      (name) => source.join("").match(new RegExp(`export const (\\w*${name}):`, "i"))?.[1],
    );
    expect(found).toEqual(["sItems", "sPages", "sPaged", "sByGet", "sEtagOf", "fetch"]);
  }
});

test("a schema that needs no conversion gets no shapes", () => {
  expect(serviceText(`${head}service S\n  - M(a: []int32) => (b: int32)\n`)).not.toContain("Shape");
});

function serviceText(text: string): string {
  return emitClient(planOfText(text), resolveOptions({}))[0]?.text ?? "";
}

function planOfText(text: string): Plan {
  return planOf({ "schema.ridl": text }, "schema.ridl", {
    protocolErrors: { "-8": { name: "WebrpcClientDisconnected", message: "client disconnected" } },
  });
}
