/** The runtime of schemas with and without routes. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generate } from "../../../../generator/codegen/generate.ts";
import { routedSources } from "../../../../generator/codegen/join/runtime-modules.ts";
import { compile } from "../../../../generator/language/compile.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const targets = ["types", "errors", "client", "server", "validators", "recorder", "undici", "json"] as const;
const adapters = ["koa", "node", "fetch"] as const;

function filesOf(methods: string): ReadonlyMap<string, string> {
  const schema = `webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\nservice S\n${methods}`;
  const { result } = compile("t.ridl", memoryReader({ "t.ridl": schema }));
  if (result === undefined) throw new Error("the schema has errors");
  return generate(result.model, result.ir, { schemaFile: "t.ridl", targets, adapters });
}

const unrouted = filesOf("  - A(id: int32)\n  - B()\n");
const routed = filesOf("  - A(id: int32)\n    PUT /a/{id}\n  - B()\n");

test("a schema without routes has no code for them", () => {
  const found = [...unrouted].filter(([, text]) => /Routed|routed|RouteTree/.test(text));
  expect(found.map(([path]) => path)).toEqual([]);
});

test("a schema with routes has the same files, and other calls in them", () => {
  expect([...routed.keys()]).toEqual([...unrouted.keys()]);
  // These name the hash of the schema.
  const hashed = new Set(["recorder.ts", "schema.webrpc.json", "types.ts"]);
  const differing = [...routed].filter(([path, text]) => !hashed.has(path) && text !== unrouted.get(path));
  expect(differing.map(([path]) => path).sort()).toEqual([
    "client.ts",
    "runtime/v1/client.ts",
    "runtime/v1/server.ts",
    "server.ts",
  ]);
});

/** Lines that differ, without their indentation. */
const differences: Readonly<
  Record<string, { readonly removed: readonly string[]; readonly added: readonly string[] }>
> = {
  "transport.ts": {
    removed: [
      'method: "POST";',
      "/** JSON, or a form if the request has files. */",
      "body: string | FormData;",
    ],
    added: [
      'method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "QUERY";',
      "/** JSON, or a form if the request has files. Null for GET, DELETE and QUERY, whose request is in the URL. */",
      "body: string | FormData | null;",
    ],
  },
};

test.each(Object.entries(routedSources))("%s and %s differ only in their requests", (name, routedName) => {
  const runtime = new URL("../../../../generator/codegen/runtime/v1/", import.meta.url);
  const linesOf = (file: string): readonly string[] =>
    readFileSync(new URL(file, runtime), "utf8")
      .split("\n")
      .map((line) => line.trim());
  const [before, after] = [linesOf(name), linesOf(routedName)];
  expect({
    removed: before.filter((line) => !after.includes(line)),
    added: after.filter((line) => !before.includes(line)),
  }).toEqual(differences[name]);
});
