import { describe, expect, test } from "vitest";
import { declarationsOf } from "../../../../generator/codegen/emit/types/declarations.ts";
import { emitTypes } from "../../../../generator/codegen/emit/types/index.ts";
import { createPlan } from "../../../../generator/codegen/generate.ts";
import { resolveOptions } from "../../../../generator/codegen/options.ts";
import { compile } from "../../../../generator/language/compile.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

test("types look handwritten", () => {
  const text =
    'webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n# A person.\nstruct User\n  # Their id.\n  - id: uint64\n  - a?: map<string,[]User>\n    + deprecated = "use b"\n  - n?: int\n    + nullable = always\nstruct E\nenum Kind: int\n  # first\n  - A\n  - B\ntype Ids: []bigint\nservice S\n  - M(x: int) => (y?: Kind)\n';
  const { result } = compile("m.ridl", memoryReader({ "m.ridl": text }));
  if (result === undefined) throw new Error("refused");
  const plan = createPlan(result.model, result.ir, { schemaFile: "m.ridl" });
  const [file] = emitTypes(plan, resolveOptions({}));
  expect(
    file?.text.slice(file.text.indexOf("/** A person."), file.text.indexOf("/** Version of the webrpc")),
  ).toMatchInlineSnapshot(`
    "/** A person. */
    export interface User {
      /** Their id. */
      id: number;
      /** @deprecated use b */
      a?: Record<string, User[]>;
      n: number | null;
    }

    export type E = object;

    export interface MRequest {
      x: number;
    }

    export interface MResponse {
      y?: Kind | (string & {});
    }

    "
  `);
});

describe("a default of a type that is in requests and responses", () => {
  /** Returns the types of a field of type Page, and whether its `size` is optional. */
  function declared(size: string): Record<string, string> {
    const text = `webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\nstruct Page\n${size}service S\n  - M(page: Page) => (page: Page)\n`;
    const { result } = compile("m.ridl", memoryReader({ "m.ridl": text }));
    if (result === undefined) throw new Error("refused");
    const plan = createPlan(result.model, result.ir, { schemaFile: "m.ridl" });
    const found = declarationsOf(plan).flatMap((one) => {
      if (one.kind !== "interface") return [];
      const field = one.fields.find(({ key }) => key === "size");
      return field === undefined ? [] : [[one.name, `${field.optional ? "?" : ""}${field.typeText}`]];
    });
    return Object.fromEntries(found);
  }

  test.each<[string, string, Record<string, string>]>([
    ["none", "  - size: int\n", { Page: "number" }],
    ["on a needed field", "  - size: int\n    + default = 3\n", { Page: "number", PageInput: "?number" }],
    [
      "on an optional field",
      "  - size?: int\n    + default = 3\n",
      { Page: "?number", PageWithDefaults: "number" },
    ],
    [
      "on a field that is written as null",
      "  - size?: int\n    + default = 3\n    + nullable = always\n",
      { Page: "number | null", PageInput: "?number | null", PageWithDefaults: "number" },
    ],
    [
      "none on a field that is written as null",
      "  - size?: int\n    + nullable = always\n",
      { Page: "number | null", PageInput: "?number | null" },
    ],
  ])("%s", (_, size, types) => {
    expect(declared(size)).toEqual(types);
  });
});
