import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import type { Model } from "../../../../generator/language/model/model.ts";
import {
  changesBetween,
  isHighEnough,
  nextVersion,
  releaseOf,
} from "../../../../generator/verify/breaking/release.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { changes } from "./changes/index.ts";

function modelOf(body: string): Model {
  return modelOfSchema(`webrpc = v1\nname = shop\nversion = v1.0.0\nbasepath = /rpc\n\n${body}`);
}

function modelOfSchema(text: string): Model {
  const { result, diagnostics } = compile("a.ridl", memoryReader({ "a.ridl": text }));
  if (result === undefined) throw new Error(JSON.stringify(diagnostics.map(({ message }) => message)));
  return result.model;
}

const base = `enum Size: string
  - BIG

struct Pet
  - id: uint64
  - name: string
  - size?: Size

error 1 NotFound "not found" HTTP 404

service Pets
  - Get(id: uint64) => (pet: Pet)
`;

test.each([
  ["nothing", base, "patch", []],
  ["a comment", base.replace("struct Pet", "# A pet.\nstruct Pet"), "patch", []],
  ["a method", `${base}  - List() => (pets: []Pet)\n`, "minor", ["method Pets.List"]],
  ["a service", `${base}\nservice Shop\n  - Buy()\n`, "minor", ["service Shop", "method Shop.Buy"]],
  [
    "an optional argument",
    base.replace("Get(id: uint64)", "Get(id: uint64, deep?: bool)"),
    "minor",
    ["argument Pets.Get(deep)"],
  ],
  [
    "a response argument",
    base.replace("(pet: Pet)", "(pet: Pet, at: timestamp)"),
    "minor",
    ["argument Pets.Get(at)"],
  ],
  ["a field", base.replace("  - size", "  - note?: string\n  - size"), "minor", ["field Pet.note"]],
  ["an enum value", base.replace("  - BIG", "  - BIG\n  - SMALL"), "minor", ["value Size.SMALL"]],
  ["an error", base.replace("error 1", 'error 2 Sold "sold" HTTP 409\nerror 1'), "minor", []],
  ["a required argument", base.replace("Get(id: uint64)", "Get(id: uint64, deep: bool)"), "major", []],
  ["a removed method", base.replace("- Get", "- Find"), "major", ["method Pets.Find"]],
] as const)("adding or removing %s", (_, text, release, added) => {
  const changes = changesBetween(modelOf(base), modelOf(text));
  expect(releaseOf(changes)).toBe(release);
  expect(changes.added.map(({ kind, name }) => `${kind} ${name}`)).toEqual(added);
});

test("a new method that takes calls of another is listed, although the finding names it too", () => {
  const change = changes.find(({ name }) => name === "a new route that an enum value matches");
  const { added } = changesBetween(modelOfSchema(change?.before ?? ""), modelOfSchema(change?.now ?? ""));
  expect(added).toEqual([{ kind: "method", name: "Shop.Other" }]);
});

test("a declared rename and a deprecation are listed by name", () => {
  const now = base
    .replace(
      "  - name: string",
      "  - title: string\n    + renamedFrom = name\n    + alias = name\n    + twin = name",
    )
    .replace("  - size?: Size", '  - size?: Size\n    + deprecated = "use weight"')
    .replace("  - Get", '  @deprecated:"use Find"\n  - Get');
  const { renamed, deprecated, added } = changesBetween(modelOf(base), modelOf(now));
  expect(renamed).toEqual([{ from: "Pet.name", to: "Pet.title" }]);
  expect(deprecated).toEqual([
    { name: "Pets.Get", reason: "use Find" },
    { name: "Pet.size", reason: "use weight" },
  ]);
  expect(added).toEqual([]);
});

test.each([
  ["v1.2.3", "v2.0.0", "v1.3.0", "v1.2.4"],
  ["0.2.3", "0.3.0", "0.2.4", "0.2.4"],
  ["v0.0.1", "v0.1.0", "v0.0.2", "v0.0.2"],
  ["v2.0.0-rc.1", "v2.0.0", "v2.0.0", "v2.0.0"],
])("after %s comes %s, %s or %s", (before, major, minor, patch) => {
  const next = (["major", "minor", "patch"] as const).map((release) => nextVersion(before, release));
  expect(next).toEqual([major, minor, patch]);
});

test.each([
  ["v1.2.9", "v1.2.3", "minor", false],
  ["v1.3.0-rc.1", "v1.2.3", "minor", true],
  ["v1.3.0", "v1.2.3", "minor", true],
  ["v1.9.9", "v1.2.3", "major", false],
  ["v2.0.0", "v1.2.3", "major", true],
  ["v2.0.0-rc.2", "v2.0.0-rc.1", "major", true],
  ["v0.2.9", "v0.2.3", "major", false],
  ["v0.3.0", "v0.2.3", "major", true],
  ["v1.2.3", "v1.2.3", "patch", false],
] as const)("%s after %s for a %s release: %s", (version, before, release, expected) => {
  expect(isHighEnough(version, before, release)).toBe(expected);
});
