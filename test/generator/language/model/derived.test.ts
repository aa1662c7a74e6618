/** Structs derived by `omit`, `pick` and `partial`: their fields, in every form of a schema. */
import { describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { convert } from "../../../../generator/language/convert/convert.ts";
import { expandIr } from "../../../../generator/language/ir/expand.ts";
import { hashIr, writeIr } from "../../../../generator/language/ir/write.ts";
import type { FieldModel, Model } from "../../../../generator/language/model/model.ts";
import { type Files, memoryReader } from "../../../support/memory-reader.ts";

const user = `webrpc = v1
name = t
version = v1
# A user.
struct User
  # Its id.
  - id: uint64
  - name: string
    + default = Ann
  - mail?: string
    + nullable = always
  - card?: string
    + oneOf = pay
  - iban?: string
    + oneOf = pay
`;

const derived = `# A new user.
type NewUser: User
  + omit = id
type Renamed: NewUser
type Patch: Renamed
  + pick = name
  + pick = mail
  + partial = true
type Mail: Patch
  + omit = name
`;

function modelOf(entry: string, files: Files, lenient = false): Model {
  const { result, diagnostics } = compile(entry, memoryReader(files), { lenient });
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return result.model;
}

function fieldsOf({ typeByName }: Model, name: string): readonly FieldModel[] {
  const type = typeByName.get(name);
  return type?.kind === "struct" ? type.fields : [];
}

/** `id`, `name=Ann`, `mail?`, `card? (pay)`. */
function shown(model: Model, name: string): readonly string[] {
  return fieldsOf(model, name).map(
    ({ name: field, optional, constraints, group }) =>
      `${field}${optional ? "?" : ""}${constraints.default === undefined ? "" : `=${constraints.default}`}${group === undefined ? "" : ` (${group})`}`,
  );
}

const expected = {
  NewUser: ["name=Ann", "mail?", "card? (pay)", "iban? (pay)"],
  Patch: ["name?", "mail?"],
  Mail: ["mail?"],
};

function expectDerived(model: Model): void {
  for (const [name, fields] of Object.entries(expected)) expect(shown(model, name)).toEqual(fields);
  expect(model.typeByName.get("Renamed")?.kind).toBe("alias");
  expect(fieldsOf(model, "Mail")[0]?.constraints.nullable).toBe("always");
}

describe("a derived struct", () => {
  test("has the chosen fields of its struct", () => {
    const model = modelOf("m.ridl", { "m.ridl": user + derived });
    expectDerived(model);
    expect(model.typeByName.get("NewUser")?.docs).toEqual(["A new user."]);
    expect(model.typeByName.get("Patch")?.docs).toEqual([]);
  });

  test("may come before its struct, and after what is derived of it", () => {
    const parts = derived.split(/(?=^type |^#)/m).reverse();
    expectDerived(modelOf("m.ridl", { "m.ridl": `${user.replace("# A user.\n", parts.join(""))}` }));
  });

  test("has the docs and places of fields in another file", () => {
    const model = modelOf("m.ridl", {
      "m.ridl": `webrpc = v1\nname = t\nversion = v1\nimport user.ridl\n\n${derived}type Id: User\n  + pick = id\n`,
      "user.ridl": user,
    });
    expectDerived(model);
    expect(fieldsOf(model, "Id")[0]).toMatchObject({
      docs: ["Its id."],
      at: { file: { path: "user.ridl" } },
    });
  });

  test("is the same in IR and YAML, whose hash is that of the alias", () => {
    const files = { "m.ridl": user + derived };
    const hash = (entry: string, all: Files): string => {
      const { result } = compile(entry, memoryReader(all));
      return result === undefined ? "" : hashIr(writeIr(result.ir));
    };
    for (const to of ["ir", "yaml"] as const) {
      const { text = "" } = convert("m.ridl", memoryReader(files), { to, lossy: true });
      const entry = to === "ir" ? "m.json" : "m.yaml";
      expectDerived(modelOf(entry, { [entry]: text }));
      expect(hash(entry, { [entry]: text })).toBe(hash("m.ridl", files));
    }
  });

  test("needs its struct wherever it is imported", () => {
    const files = {
      "m.ridl": "webrpc = v1\nname = t\nversion = v1\nimport a.ridl\n  - NewUser\n",
      "a.ridl": user + derived,
    };
    const { diagnostics } = compile("m.ridl", memoryReader(files));
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'RK419 "NewUser" cannot be derived: "User" is not imported here.',
    ]);
  });

  test("is an alias if a line is invalid, in the command line of webrpc-gen", () => {
    const model = modelOf("m.ridl", { "m.ridl": `${user}type Empty: User\n  + pick = none\n` }, true);
    expect(model.typeByName.get("Empty")?.kind).toBe("alias");
  });

  test("of thousands of others is derived", () => {
    const count = 5_000;
    const chain = Array.from(
      { length: count },
      (_, index) => `type T${index}: T${index + 1}\n  + omit = id\n`,
    );
    const model = modelOf("m.ridl", { "m.ridl": `${user}${chain.join("")}type T${count}: User\n` }, true);
    expect(shown(model, "T0")).toEqual(expected.NewUser);
  });
});

describe("the expanded IR", () => {
  const { result } = compile("m.ridl", memoryReader({ "m.ridl": user + derived }));
  if (result === undefined) throw new Error("The schema has errors.");
  const ir = writeIr(expandIr(result.ir, result.model));

  test("has derived structs as structs", () => {
    const model = modelOf("m.json", { "m.json": ir });
    expectDerived(model);
    expect(ir).not.toMatch(/omit|pick|partial/);
  });

  test("can be RIDL", () => {
    const reader = memoryReader({ "m.ridl": user + derived });
    const { text = "" } = convert("m.ridl", reader, { to: "ridl", expand: true });
    expectDerived(modelOf("m.ridl", { "m.ridl": text }));
    expect(text).toContain("struct Patch\n  - name?: string\n  - mail?: string\n    + nullable = always\n");
  });
});
