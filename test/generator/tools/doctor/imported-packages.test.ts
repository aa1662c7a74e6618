import { join } from "node:path";
import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { importedPackages } from "../../../../generator/tools/cli/doctor/inspect-project.ts";
import { folder } from "../../../support/program.ts";

const types = 'import type { A } from "pets";\n';
const values = 'import { a } from "pets";\n';

test.each<[string, Readonly<Record<string, string>>, readonly string[], boolean]>([
  ["types alone", { "a.ts": types }, ["a.ts"], true],
  ["types, twice", { "a.ts": types, "b.ts": types }, ["a.ts", "b.ts"], true],
  ["values after types", { "a.ts": types, "b.ts": values }, ["b.ts", "a.ts"], false],
  ["values before types", { "a.ts": values, "b.ts": types }, ["a.ts", "b.ts"], false],
  ["values, twice", { "a.ts": values, "b.ts": values }, ["a.ts", "b.ts"], false],
  ["types marked one by one", { "a.ts": 'import { type A, type B } from "pets";\n' }, ["a.ts"], true],
  ["a value between types", { "a.ts": 'import { type A, b } from "pets";\n' }, ["a.ts"], false],
  ["a default next to types", { "a.ts": 'import pets, { type A } from "pets";\n' }, ["a.ts"], false],
  ["a namespace", { "a.ts": 'import * as pets from "pets";\n' }, ["a.ts"], false],
  ["no name", { "a.ts": 'import {} from "pets";\n' }, ["a.ts"], false],
  ["only its effects", { "a.ts": 'import "pets";\n' }, ["a.ts"], false],
  ["exported types", { "a.ts": 'export type { A } from "pets";\n' }, ["a.ts"], true],
  ["exported values", { "a.ts": 'export * from "pets";\n' }, ["a.ts"], false],
  ["a path in the package", { "a.ts": 'import { a } from "pets/small";\n' }, ["a.ts"], false],
])("a package is imported as %s", (_case, files, importers, isTypeOnly) => {
  using dir = folder({ "package.json": '{ "devDependencies": { "pets": "1" } }', ...files });
  expect(found(dir.path, Object.keys(files))).toEqual([
    {
      name: "pets",
      importers,
      isTypeOnly,
      isInstalled: false,
      hasTypes: false,
      isInPackageJson: true,
    },
  ]);
});

test.each<[string, string, string | undefined]>([
  ["a file of the project", 'import { a } from "./a.ts";\n', undefined],
  ["a private import", 'import { a } from "#a";\n', undefined],
  ["a module of Node.js", 'import { join } from "node:path";\n', "@types/node"],
  ["the same without its prefix", 'import { join } from "path";\n', "@types/node"],
  ["a package with a scope", 'import { a } from "@zoo/pets/small";\n', "@zoo/pets"],
])("%s", (_case, text, name) => {
  using dir = folder({ "index.ts": text });
  expect(found(dir.path, ["index.ts"]).map((one) => one.name)).toEqual(name === undefined ? [] : [name]);
});

test.each<[string, string, readonly (readonly [name: string, importer: string])[]]>([
  [
    "on disk",
    'import { uploadsOnDisk } from "ridlkit-runtime/uploads-on-disk";\n',
    [["@fastify/busboy", "ridlkit-runtime/uploads-on-disk"]],
  ],
  [
    "in memory",
    'import { uploadsInMemory } from "ridlkit-runtime/uploads-in-memory";\n',
    [["@remix-run/multipart-parser", "ridlkit-runtime/uploads-in-memory"]],
  ],
  ["as types", 'import type { UploadedFile } from "ridlkit-runtime/uploads-on-disk";\n', []],
  ["not at all", 'import { Koa } from "ridlkit-runtime/koa";\n', []],
  ["by an unknown module", 'import { a } from "ridlkit-runtime/unknown";\n', []],
])("packages that the runtime needs to receive files %s", (_case, text, expected) => {
  using dir = folder({ "index.ts": text });
  const others = found(dir.path, ["index.ts"]).filter(({ name }) => name !== "ridlkit-runtime");
  expect(others.map(({ name, importers }) => [name, ...importers])).toEqual(expected);
});

test.each(["dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "bundled"])(
  "a package.json that lists the package in %s",
  (kind) => {
    using dir = folder({
      "package.json": JSON.stringify({ [kind]: { pets: "1" } }),
      "in/package.json": "{}",
      "in/a.ts": values,
      "node_modules/pets/package.json": '{ "name": "pets", "types": "index.d.ts" }',
      "node_modules/pets/index.d.ts": "export declare const a: number;\n",
    });
    expect(found(dir.path, ["in/a.ts"])).toEqual([
      {
        name: "pets",
        importers: [join("in", "a.ts")],
        isTypeOnly: false,
        isInstalled: true,
        hasTypes: true,
        isInPackageJson: kind !== "bundled",
      },
    ]);
  },
);

function found(path: string, files: readonly string[]): ReturnType<typeof importedPackages> {
  const program = ts.createProgram({
    rootNames: files.map((file) => join(path, file)),
    options: { noLib: true, types: [], module: ts.ModuleKind.NodeNext },
  });
  return importedPackages(ts, program, path);
}
