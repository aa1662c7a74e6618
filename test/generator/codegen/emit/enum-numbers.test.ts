/** The numbers of integer enums, next to their names. */
import { expect, test } from "vitest";
import { generate } from "../../../../generator/codegen/generate.ts";
import { compile } from "../../../../generator/language/compile.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

function typesOf(declarations: string): string {
  const schema = `webrpc = v1\nname = t\nversion = v1\nbasepath = /\n${declarations}\nservice S\n  - M(kind: Kind)\n`;
  const { result, diagnostics } = compile("t.ridl", memoryReader({ "t.ridl": schema }));
  if (result === undefined) throw new Error(JSON.stringify(diagnostics));
  const files = generate(result.model, result.ir, { schemaFile: "t.ridl", targets: ["client"] });
  return files.get("types.ts") ?? "";
}

function numbersIn(text: string, name = "KindNumber"): string | undefined {
  return new RegExp(`^export const ${name}: \\{[^}]*\\} = (\\{[^}]*\\});$`, "m")
    .exec(text)?.[1]
    ?.replaceAll(/\s+/g, " ");
}

test("an integer enum has its numbers by the text in JSON", () => {
  const text = typesOf(
    "enum Kind: int16\n  - none = 007\n  - low = 3\n  - index\n  - renamed = 9\n    + json = other\n",
  );
  expect(numbersIn(text)).toBe("{ none: 7, low: 3, index: 2, other: 9, }");
});

test("a string enum, an empty enum and numbers beyond 2^53 - 1 have none", () => {
  for (const declaration of [
    "enum Kind: string\n  - a\n",
    "enum Kind: uint8\n",
    "enum Kind: uint64\n  - a = 9007199254740992\n",
  ])
    expect(typesOf(declaration)).not.toContain("KindNumber");
  expect(numbersIn(typesOf("enum Kind: uint64\n  - a = 9007199254740991\n"))).toBe(
    "{ a: 9007199254740991, }",
  );
});

test("a type of the schema keeps its name", () => {
  const text = typesOf(
    "enum Kind: uint8\n  - a\nstruct KindNumber\n  - n: int32\nenum Kind2: uint8\n  - b\n",
  );
  expect(text).toMatch(/^export const KindNumber2: /m);
  expect(text).not.toMatch(/^export const KindNumber: /m);
});
