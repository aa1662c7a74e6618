import { describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { applyFixes } from "../../../../generator/language/fixes.ts";
import { findings } from "../../../support/marked.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { withSuggestions } from "../../../support/suggestions.ts";

const lib = 'webrpc = v1\nstruct User\n - kind: Kind\nenum Kind: int\n - a\nerror 1 Lost "m"\n';

describe("imports", () => {
  test("bring types and errors of whole files", () => {
    expect(
      findings("import lib.ridl\n\nstruct T\n - a: User\nservice S\n - a() errors Lost\n", {
        "lib.ridl": lib,
      }),
    ).toEqual([]);
  });

  test("a member list must include the types that its members need", () => {
    expect(findings("import lib.ridl\n - User\n", { "lib.ridl": lib })).toMatchObject([
      { code: "RK206", severity: "error" },
    ]);
    expect(findings("import lib.ridl\n - User\n - Kind\n", { "lib.ridl": lib })).toEqual([]);
  });

  test("an unknown member is a warning with a suggestion", () => {
    const found = findings("import lib.ridl\n - Usr\n - Kind\n", { "lib.ridl": lib });
    expect(found).toMatchObject([
      { code: "RK205", severity: "warning", at: "Usr", advice: 'Did you mean "User"?' },
    ]);
  });

  test("an error comes with the types of its data", () => {
    const quota =
      'webrpc = v1\nerror 1 Quota "m"\nstruct Usage\n - limit: int\ntype QuotaData: Usage\n + errorData = Quota\n';
    const main = "webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\nimport quota.ridl\n  - Quota\n";
    const files = { "quota.ridl": quota, "main.ridl": main };
    const { diagnostics } = compile("main.ridl", memoryReader(files));
    expect(diagnostics).toMatchObject([
      {
        code: "RK420",
        severity: "warning",
        message: 'The error "Quota" comes without its data: the import lacks "QuotaData" and "Usage".',
      },
    ]);
    const [fixed] = applyFixes(withSuggestions(diagnostics)).files;
    const { result, ...found } = compile(
      "main.ridl",
      memoryReader({ ...files, "main.ridl": fixed?.text ?? "" }),
    );
    expect(found.diagnostics).toEqual([]);
    expect(result?.model.errors).toMatchObject([{ name: "Quota", data: "QuotaData" }]);
    expect(findings("import quota.ridl\n  - Quota\n  - QuotaData\n", { "quota.ridl": quota })).toMatchObject([
      { code: "RK420", at: "Quota" },
    ]);
  });

  test("an unreadable file is an error at the import", () => {
    expect(findings("import nope.ridl\n")).toMatchObject([{ code: "RK201", at: "nope.ridl" }]);
  });

  test("an import cycle is an error at the import that closes it", () => {
    const files = { "a.ridl": "webrpc = v1\nimport b.ridl\n", "b.ridl": "webrpc = v1\nimport a.ridl\n" };
    const { diagnostics } = compile("a.ridl", memoryReader(files));
    expect(diagnostics).toMatchObject([
      { code: "RK204", path: "b.ridl", notes: [{ at: { file: { path: "a.ridl" } } }] },
    ]);
  });

  test("an invalid file is checked once, however many files import it", () => {
    const files = {
      "a.ridl": "webrpc = v1\nimport\n - c.ridl\n",
      "b.ridl": "webrpc = v1\nimport\n - c.ridl\n",
      "c.ridl": "webrpc = v1\nstruct X\n - a: Nope\n",
    };
    expect(findings("import\n - a.ridl\n - b.ridl\n", files)).toMatchObject([{ code: "RK308", at: "Nope" }]);
  });

  test("one run reports the errors of all files", () => {
    const found = findings("import lib.ridl\nstruct T\n - a: Nope\n", {
      "lib.ridl": "webrpc = v1\nstruct X\n - a: Neither\n",
    });
    expect(found.map(({ at }) => at)).toEqual(["Neither", "Nope"]);
  });

  test("a chain of ten thousand imports does not overflow the stack", () => {
    const last = 10_000;
    const files = Object.fromEntries(
      Array.from({ length: last }, (_, index) => [
        `f${index}.ridl`,
        index === last - 1 ? "webrpc = v1\n" : `webrpc = v1\nimport\n - f${index + 1}.ridl\n`,
      ]),
    );
    expect(compile("f0.ridl", memoryReader(files)).diagnostics).toEqual([]);
  });
});

test.each([
  [
    "lib.ridl",
    "webrpc = v1\nname = lib\n\nservice L\n - a()\n",
    "webrpc = v1\nname = lib\nversion = v2.3.4\n\nservice L\n - a()\n",
  ],
  [
    "lib.yaml",
    "webrpc: v1\nservices: { L: { methods: { a: } } }\n",
    "webrpc: v1\nversion: v2.3.4\nservices: { L: { methods: { a: } } }\n",
  ],
])("an imported file without a version gets that of the schema: %s", (path, before, after) => {
  const main = `webrpc = v1\nname = t\nversion = v2.3.4\nbasepath = /rpc\nimport ${path}\n`;
  const compiled = (lib: string) => compile("main.ridl", memoryReader({ "main.ridl": main, [path]: lib }));
  const { diagnostics } = compiled(before);
  expect(diagnostics.map(({ code, path: file }) => [code, file])).toEqual([["RK303", path]]);
  expect(diagnostics[0]?.advice).toContain("Only the version of the file that imports it has an effect");
  expect(applyFixes(diagnostics).files.map(({ text }) => text)).toEqual([after]);
  expect(compiled(after).diagnostics).toEqual([]);
});
