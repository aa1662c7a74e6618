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
import { importedPackages } from "../../../generator/tools/cli/generate/missing-packages.ts";
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

const upload = oneMethod.replace(/\(.*?\) =>/, "(picture: file) =>");

test.each<[AdapterName, readonly string[]]>([
  ["koa", ["@fastify/busboy"]],
  ["fetch", ["@remix-run/multipart-parser"]],
])(
  "a server with the adapter %s needs only the package %j to receive files, in both forms",
  (adapter, expected) => {
    const options = { targets: ["server"], adapters: [adapter] } as const;
    for (const runtime of ["package", "copy"] as const)
      expect(packagesFor(written(upload, { ...options, runtime }))).toEqual(expected);
  },
);

test.each<[readonly AdapterName[], readonly string[]]>([
  [["koa"], ["uploaded-file-on-disk", "uploaded-file"]],
  [["koa", "fetch"], ["uploaded-file"]],
  [["fetch"], ["uploaded-file-in-memory"]],
])("of what receives files, a client with the adapters %j copies only their type", (adapters, modules) => {
  const copies = runtimeOf(written(upload, { targets: ["client"], adapters, runtime: "copy" }));
  const ofUploads = [...copies.keys()].filter((path) => path.includes("upload"));
  expect(ofUploads.sort()).toEqual(modules.map((module) => `runtime/${module}.ts`).sort());
  for (const path of ofUploads) expect(copies.get(path)).not.toMatch(/^import (?!type)/m);
  expect(packagesFor(copies)).toEqual([]);
});

test("a client of streams copies the modules of files only if it sends files", () => {
  const copies = runtimeOf(written(allEdits["a stream"] ?? "", { targets: ["client"], runtime: "copy" }));
  expect(copies.has("runtime/client-streams.ts")).toBe(true);
  expect(copies.has("runtime/client-files.ts")).toBe(false);
});

/** The packages that files import, directly or in modules of the runtime. */
function packagesFor(files: ReadonlyMap<string, string>): readonly string[] {
  return importedPackages(files).filter((name) => name !== "ridlkit-runtime");
}

test("libraries of a client do not decide where uploads are stored", () => {
  const typesFor = (...adapters: readonly AdapterName[]): string | undefined =>
    written(upload, { targets: ["server"], adapters }).get("types.ts");
  expect(typesFor("fetch", "undici")).toBe(typesFor("fetch"));
  expect(typesFor("koa", "tanstack-query")).toBe(typesFor("koa"));
  expect(typesFor("undici")).toBe(typesFor("koa"));
  expect(typesFor("fetch")).not.toBe(typesFor("koa"));
});
