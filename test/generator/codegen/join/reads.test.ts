/** The runtime of schemas with and without reads. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generate } from "../../../../generator/codegen/generate.ts";
import { runtimeText } from "../../../../generator/codegen/join/runtime-text.ts";
import { compile } from "../../../../generator/language/compile.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const targets = ["types", "errors", "client", "server", "validators", "recorder", "undici", "json"] as const;
const adapters = ["koa", "node", "fetch"] as const;

function filesOf(methods: string): ReadonlyMap<string, string> {
  const schema = `webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\nerror 1 Stale "m" HTTP 412\nservice S\n${methods}`;
  const { result, diagnostics } = compile("t.ridl", memoryReader({ "t.ridl": schema }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return generate(result.model, result.ir, { schemaFile: "t.ridl", targets, adapters });
}

const code =
  /@if |@end\b|ReadExchange|NotModified|etagOf|ifMatch|canonicalJson|requireMatch|isDefaultPath|openCall|=== 304/;

test.each([
  ["without @cache", "  @readonly\n  - A(id: int32) errors Stale\n  @readonly\n  - B() => (f: file)\n"],
  ["with a route that is no read", "  @readonly\n  - A(id: int32) errors Stale\n    POST /a/{id}\n"],
])("a schema %s has no code for reads", (_about, methods) => {
  expect([...filesOf(methods)].filter(([, text]) => code.test(text)).map(([path]) => path)).toEqual([]);
});

test.each([
  ["@cache", '  @readonly @cache:"60s"\n  - A(id: int32)\n  - B() errors Stale\n'],
  ["a GET route", "  - A(id: int32)\n    GET /a/{id}\n"],
  ["a file", '  @readonly @cache:"60s"\n  - B() => (f: file)\n'],
])("a schema with %s has it in these files", (_about, methods) => {
  const files = [...filesOf(methods)].filter(([path, text]) => path.endsWith(".ts") && code.test(text));
  expect(
    files
      .map(([path]) => path)
      .filter((path) => path.startsWith("runtime"))
      .sort(),
  ).toEqual(["runtime/v1/client.ts", "runtime/v1/fetch.ts", "runtime/v1/server.ts"]);
  for (const [, text] of filesOf(methods)) expect(text).not.toMatch(/@if |@end\b/);
});

test("code for files is generated only for schemas with files", () => {
  const server = filesOf('  @readonly @cache:"60s"\n  - A(id: int32)\n').get("runtime/v1/server.ts");
  expect(server).not.toMatch(/OutgoingFile\b|requestedRange/);
});

test("the marks of all sources are pairs", () => {
  const folder = new URL("../../../../generator/codegen/runtime/v1/", import.meta.url);
  for (const name of readdirSync(folder)) {
    const text = readFileSync(new URL(name, folder), "utf8");
    for (const features of [["explorer", "keys", "reads"], ["explorer"], ["keys"], ["reads"], []] as const)
      expect(runtimeText(text, new Set(features))).not.toMatch(/\/\/ @/);
    expect(text.match(/\/\/ @if (keys|reads|explorer|reads or explorer)$/gm)?.length).toBe(
      text.match(/\/\/ @end/g)?.length,
    );
  }
});
