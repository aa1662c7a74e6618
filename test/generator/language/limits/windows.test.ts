import { describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { applyFixes } from "../../../../generator/language/fixes.ts";
import { writeIr } from "../../../../generator/language/ir/write.ts";
import { type Files, memoryReader } from "../../../support/memory-reader.ts";
import { withSuggestions } from "../../../support/suggestions.ts";

const ridl = `webrpc = v1
name = shop
version = v1
basepath = /rpc
import types.ridl

# A pet,
# and whose it is.
struct Pet
  - id: int # its id
    + json = "pet_id"
  - kind: Kind
error 1 Gone "gone" HTTP 404
service Shop
  @internal
  - Get(Pet) => (Pet) errors Gone
`;

const yaml = `webrpc: v1
name: shop
version: v1
basepath: /rpc
imports: [types.ridl]

types:
  # A pet,
  # and whose it is.
  Pet:
    fields:
      id: int # its id
      kind: Kind
`;

const imported = "webrpc = v1\n\nenum Kind: int\n  # First.\n  - CAT = 1\n  - DOG = 2\n";

const ofWindows = (text: string): string => text.replaceAll("\n", "\r\n");
const compiled = (name: string, text: string, more: Files = { "types.ridl": imported }) =>
  compile(name, memoryReader({ ...more, [name]: text }));

describe("Windows line endings", () => {
  test.each([
    ["m.ridl", ridl],
    ["m.yaml", yaml],
  ])("make no difference to %s", (name, text) => {
    const ir = (written: (text: string) => string): string => {
      const { result } = compiled(name, written(text), { "types.ridl": written(imported) });
      return result === undefined ? "refused" : writeIr(result.ir);
    };
    expect(ir(ofWindows)).toBe(ir((same) => same));
    expect(ir(ofWindows)).toContain("Kind");
  });

  test.each([
    ["m.ridl", ridl],
    ["m.yaml", yaml],
  ])("keep faults of %s at their places, and its fixes to one line", (name, text) => {
    const broken = ofWindows(text.replace(": Kind", ": Knid"));
    const { diagnostics } = compiled(name, broken);
    const [found] = diagnostics;
    const line = text.slice(0, text.indexOf(": Kind")).split("\n").length;
    expect(diagnostics).toHaveLength(1);
    expect(found?.at?.file.positionAt(found.at.span.start)).toMatchObject({ line });
    expect(found?.at?.file.lineText(line)).not.toContain("\r");
    expect(applyFixes(withSuggestions(diagnostics)).files.map((file) => file.text)).toEqual([
      ofWindows(text),
    ]);
  });
});

describe("Windows paths are rejected everywhere", () => {
  const files: Files = { "types.ridl": imported, "sub/types.ridl": imported };

  test.each([
    ["m.ridl", ridl, "sub\\types.ridl"],
    ["m.ridl", ridl, '"sub\\types.ridl"'],
    ["m.ridl", ridl, ".\\types.ridl"],
    ["m.yaml", yaml, "sub\\types.ridl"],
    ["m.yaml", yaml, '"sub\\\\types.ridl"'],
  ])("as an import of %s: %s %s", (name, text, path) => {
    const { diagnostics } = compiled(name, text.replace("types.ridl", path), files);
    expect(diagnostics[0]).toMatchObject({ code: "RK201", severity: "error" });
  });

  test.each([
    ["m.ridl", ridl],
    ["m.yaml", yaml],
  ])("and one with slashes is not, in %s", (name, text) => {
    expect(compiled(name, text.replace("types.ridl", "./sub/types.ridl"), files).diagnostics).toEqual([]);
  });
});
