/** The runtime of schemas with and without idempotency keys. */
import { expect, test } from "vitest";
import { generate } from "../../../../generator/codegen/generate.ts";
import { compile } from "../../../../generator/language/compile.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const targets = ["types", "errors", "client", "server", "validators", "recorder", "undici", "json"] as const;
const adapters = ["koa", "node", "fetch"] as const;

function filesOf(methods: string): ReadonlyMap<string, string> {
  const schema = `webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\nservice S\n${methods}`;
  const { result, diagnostics } = compile("t.ridl", memoryReader({ "t.ridl": schema }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return generate(result.model, result.ir, { schemaFile: "t.ridl", targets, adapters });
}

const code = /@if\b|@end\b|takesKey|[kK]eyedMethod|idempotency-?[kK]ey|keysInMemory|KeptResponse|=== 409/;

test.each([
  ["without the annotation", "  - A(id: int32)\n"],
  [
    "with routes and reads",
    '  @readonly @cache:"60s"\n  - A(id: int32)\n  - B(id: int32)\n    POST /b/{id}\n',
  ],
])("a schema %s has no code for keys", (_about, methods) => {
  expect([...filesOf(methods)].filter(([, text]) => code.test(text)).map(([path]) => path)).toEqual([]);
});

test.each([
  ["@readonly", "  @readonly @idempotencyKey\n  - A(id: int32)\n"],
  ["@idempotent", "  @idempotent @idempotencyKey\n  - A(id: int32)\n"],
  ["a value", "  @idempotencyKey:false\n  - A(id: int32)\n"],
  ["a stream", "  @idempotencyKey\n  - A() => stream (id: int32)\n"],
  ["an upload", "  @idempotencyKey\n  - A(f: file)\n"],
  ["a file", "  @idempotencyKey\n  - A() => (f: file)\n"],
  ["a GET route", "  @idempotencyKey\n  - A(id: int32)\n    GET /a/{id}\n"],
])("with %s, the annotation has no effect", (_about, methods) => {
  const files = [...filesOf(methods)].filter(([path]) => path.endsWith(".ts"));
  for (const [, text] of files) expect(text).not.toMatch(/takesKey|keyedMethod|keysInMemory/);
});

test("the code for keys is in the client, the server and their runtime", () => {
  const files = filesOf("  @idempotencyKey\n  - A(id: int32)\n  - B(id: int32)\n");
  const found = [...files].filter(([path, text]) => path.endsWith(".ts") && code.test(text));
  expect(found.map(([path]) => path).sort()).toEqual([
    "client.ts",
    "runtime/v1/client.ts",
    "runtime/v1/server.ts",
    "server.ts",
  ]);
  for (const [, text] of files) expect(text).not.toMatch(/@if |@end\b/);
});
