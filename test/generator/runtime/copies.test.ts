/** An edit of a schema never changes the runtime: neither in a package, nor in copies of its modules. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { generate } from "../../../generator/codegen/generate.ts";
import {
  type AdapterName,
  adapterNames,
  type GivenOptions,
  type TargetName,
  targetNames,
} from "../../../generator/codegen/options.ts";
import { allEdits, oneMethod } from "../../support/schema-edits.ts";
import { contractOf } from "../../support/versions.ts";

const projects: Readonly<Record<string, GivenOptions>> = {
  "with defaults": {},
  "with all targets": { targets: targetNames, adapters: adapterNames },
  "with values of other types": { int64: "bigint", timestamps: "Date", enums: "closed" },
  "with imports of .js": { importExtension: ".js" },
  "without a server": { targets: ["client"] },
  "with an earlier version": { history: [contractOf(oneMethod)] },
};

function written(schema: string, options: GivenOptions): ReadonlyMap<string, string> {
  const { model, ir } = contractOf(schema);
  return generate(model, ir, { schemaFile: "shop.ridl", targets: [], ...options });
}

/** The modules of the runtime that a project commits, by path. */
function runtimeOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...files].filter(([path]) => path.startsWith("runtime/")));
}

describe.each(Object.entries(projects))("a project %s", (_, options) => {
  const first = runtimeOf(written(oneMethod, { ...options, runtime: "copy" }));

  test.each(Object.entries(allEdits))("with copies keeps each module after adding %s", (_name, schema) => {
    const edited = runtimeOf(written(schema, { ...options, runtime: "copy" }));
    expect(first.size).toBeGreaterThan(5);
    expect([...first].filter(([path, text]) => edited.get(path) !== text).map(([path]) => path)).toEqual([]);
  });

  test.each(Object.entries(allEdits))("with the package writes no module for %s", (_name, schema) => {
    expect([...runtimeOf(written(schema, options)).keys()]).toEqual([]);
  });
});

test("copies are the modules of the package, byte for byte", () => {
  const options = { ...projects["with all targets"], runtime: "copy" } as const;
  const copies = new Map(
    Object.values(allEdits).flatMap((schema) => [...runtimeOf(written(schema, options))]),
  );
  expect(copies.size).toBeGreaterThan(25);
  for (const [path, text] of copies) {
    const source = new URL(
      `../../../generator/runtime/src/${path.replace(/^runtime[/]/, "")}`,
      import.meta.url,
    );
    expect(text).toBe(readFileSync(source, "utf8"));
  }
});

test.each<[readonly TargetName[], readonly AdapterName[], readonly string[]]>([
  [["client"], ["koa"], []],
  [["client"], ["koa", "undici"], ["undici"]],
  [["client"], ["tanstack-query"], ["tanstack-query"]],
  [
    ["client", "server"],
    ["koa", "undici", "tanstack-query"],
    ["koa", "tanstack-query", "undici"],
  ],
  [["server"], ["fetch", "undici"], ["fetch"]],
])("the targets %j with the adapters %j copy the modules %j of adapters", (targets, adapters, modules) => {
  const copies = runtimeOf(written(oneMethod, { targets, adapters, runtime: "copy" }));
  const ofAdapters = ["fetch", "koa", "tanstack-query", "undici"].filter((name) =>
    copies.has(`runtime/${name}.ts`),
  );
  expect(ofAdapters).toEqual(modules);
  expect([...runtimeOf(written(oneMethod, { targets, adapters })).keys()]).toEqual([]);
});

test("libraries of a client do not decide where uploads are stored", () => {
  const upload = oneMethod.replace(/\(.*?\) =>/, "(picture: file) =>");
  const typesFor = (...adapters: readonly AdapterName[]): string | undefined =>
    written(upload, { targets: ["server"], adapters }).get("types.ts");
  expect(typesFor("fetch", "undici")).toBe(typesFor("fetch"));
  expect(typesFor("koa", "tanstack-query")).toBe(typesFor("koa"));
  expect(typesFor("undici")).toBe(typesFor("koa"));
  expect(typesFor("fetch")).not.toBe(typesFor("koa"));
});
