import { describe, expect, test } from "vitest";
import { applyFixes } from "../../../../generator/language/fixes.ts";
import { lex, tokenText } from "../../../../generator/language/ridl/lexer.ts";
import { parse } from "../../../../generator/language/ridl/parse.ts";
import { SourceFile } from "../../../../generator/language/source/source-file.ts";
import { findings, unmarked } from "../../../support/marked.ts";
import { withSuggestions } from "../../../support/suggestions.ts";

/** Each row has a syntax error at the position between the marks. */
const rows: readonly (readonly [code: string, source: string])[] = [
  ["RK101", "struct T\n - a~~!~~: int\n"],
  ["RK101", "service S\n - a(b: int~~\n~~"],
  ["RK102", "~~blah~~ blah\n"],
  ["RK103", "struct T\n - a~~ ~~: int\n"],
  ["RK104", 'error 1 Lost ~~"lost~~\n'],
  ["RK105", 'error 1 Lost "lo ~~\\d~~"\n'],
  ["RK106", "struct T\n - a: int\n   + x =~~\n~~"],
  ["RK107", 'error 1 Lost ~~""~~\n'],
  ["RK108", "~~message~~ T\n - a: int\n"],
  ["RK109", "error ~~x1~~ Lost lost\n"],
  ["RK110", "service S\n @a ~~@a~~\n - m()\n"],
  ["RK111", "service S\n ~~@~~ a\n - m()\n"],
  ["RK112", "struct T\n - a: ~~stream~~\n"],
  ["RK113", "struct T\n - a: ~~map<string>~~\n"],
  ["RK120", "service S\n - a() ~~foo~~\n"],
  ["RK129", "struct T\n ~~a~~: int\n"],
];

describe("syntax errors are reported at their position", () => {
  test.each(rows)("%s: %j", (code, source) => {
    const { text, at } = unmarked(source);
    expect(findings(text)).toContainEqual(expect.objectContaining({ code, at, severity: "error" }));
  });
});

const header = "webrpc = v1\nname = a\nversion = v1\nbasepath = /\n";

/** Errors for which there is no fix. */
test.each([
  ["error 1 Foo", "Write 'error 1 Foo "],
  ["error first Lost lost", "Write 'error 100 Lost "],
  ["name", 'Write the line as "name = shop".'],
  ["import\n  -", "Write an import as "],
  ["enum K", 'Write "enum K: string", and below it a line "- VALUE"'],
  ["enum K: uint32\n  - ", "Write an enum value as "],
  ["struct", "Write a struct as "],
  ["struct A\n  - a b: string c", "Write a field as "],
  ["struct A\n  - a: int\n    + json =", "Write a meta key as "],
  ["type A = string", 'Write "type A: string".'],
  ["service A\n  - Ping(): string", 'Write "=> (value: string)".'],
  ["service A\n  - Ping()\n  GET", "Write a route as "],
  ["service A\n  path =\n  - Ping()", "Write the path of a service as "],
  ['service A\n  @a:b, "c"\n  - Ping()', "Write an annotation "],
  ["@a\nstruct A\n  - a: int", "Write an annotation above a method"],
  ["- Ping()", 'A line with "-" belongs below '],
  ["+ json = a", 'A line with "+" belongs below '],
  ["$", "A line at this level starts with "],
])("the advice for %j says how the line is written", (lines, advice) => {
  const [first] = parse(new SourceFile("a.ridl", `${header}${lines}\n`)).diagnostics;
  expect(first).toMatchObject({ severity: "error", advice: expect.stringContaining(advice) });
  expect(first?.fix).toBeUndefined();
});

test.each([
  "struct A\n - a: string\n   + pattern = hello world\n   + maxLength = 3\n",
  "enum A: string\n - B\n   + a.b = hello world\n   + a.c = 3\n",
])("a valid meta line below an invalid one is not reported: %j", (text) => {
  expect(findings(text).map(({ code }) => code)).toEqual(["RK101"]);
});

test("a service whose methods all lack the dash is not reported as empty", () => {
  const found = findings("service A\n  Ping()\n");
  expect(found.map(({ code }) => code)).toEqual(["RK129"]);
});

test("a value with commas and without quotes has one error, with a fix that adds them", () => {
  const source = "webrpc = v1\nname = a\nversion = v1\nservice S\n @cache:60s, public # why\n - m()\n";
  const { diagnostics } = parse(new SourceFile("a.ridl", source));
  expect(diagnostics.map(({ code }) => code)).toEqual(["RK101"]);
  expect(applyFixes(withSuggestions(diagnostics)).files.map(({ text }) => text)).toEqual([
    source.replace("60s, public", '"60s, public"'),
  ]);
});

test("an annotation that is repeated on its line is the only error", () => {
  const repeated = 'service S\n @b @a:"1" @a:"2"\n - m()\n';
  expect(findings(repeated).map(({ code }) => code)).toEqual(["RK110"]);
});

const lenient: readonly (readonly [code: string, source: string])[] = [
  ["RK128", "struct T\nservice S\n - a(T) => (T)\n~~struct~~ U\n"],
  ["RK121", "service S\n - a()\n ~~@lost~~\n"],
  ["RK123", "struct T\n - a: ~~map<string,>~~\n"],
  ["RK124", 'error 1 Lost "lost ~~#~~1"\n'],
  ["RK125", "service S\n # docs\n ~~@a~~\n @b\n - m()\n"],
  ["RK126", "struct T\n - a: int\n   + x = 1 ~~#~~ why\n"],
  ["RK127", "struct T\nservice S\n - a(T) => (T)~~;~~\n"],
];

describe("input that the reference parser wrongly accepts is a warning", () => {
  test.each(lenient)("%s: %j", (code, source) => {
    const { text, at } = unmarked(source);
    expect(findings(text)).toContainEqual(expect.objectContaining({ code, at, severity: "warning" }));
    expect(findings(text).filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

test("parsing continues after each error", () => {
  const source = `struct A
 - a : int
 - b: [
 - c: int
enum B: int
 - x = "
 - y
blah
 - nothing
error x Lost "m"
service S
 - m(
 - n() =>
 - o()
`;
  const { file, diagnostics } = parse(new SourceFile("a.ridl", source));
  const lines = diagnostics.map(({ at }) => at?.file.lineAt(at.span.start));
  expect(lines).toEqual([2, 3, 6, 8, 10, 12, 13]);
  expect(file.declarations).toMatchObject([
    { kind: "struct", fields: [{ name: { text: "a" } }, { name: { text: "c" } }] },
    { kind: "enum", values: [{ name: { text: "y" } }] },
    { kind: "service", methods: [{ name: { text: "m" } }, { name: { text: "o" } }] },
  ]);
});

test("a type of ten thousand levels is rejected, and one of five hundred is accepted", () => {
  expect(findings(`type A: ${"[]".repeat(10_000)}int\n`)).toMatchObject([{ code: "RK114" }]);
  expect(findings(`type A: ${"map<string,".repeat(10_000)}\n`)).toMatchObject([{ code: "RK114" }]);
  expect(findings(`type A: ${"[]".repeat(500)}int\n`)).toEqual([]);
});

test("an import after a method is no route", () => {
  expect(codesOf("service S\n - a()\nimport /b.ridl\n")).toEqual([]);
});

test("a NUL or the thousandth error ends parsing, even during a repair", () => {
  expect(codesOf("error 2 Wo\0rse of all\n")).toContain("RK122");
  expect(codesOf("error 1 A it is gone\n".repeat(1_200)).length).toBe(1_000);
  expect(codesOf(`service S\n${"- P() -> ()\n".repeat(1_200)}`).length).toBe(1_000);
});

function codesOf(text: string): string[] {
  return parse(new SourceFile("m.ridl", text)).diagnostics.map(({ code }) => code);
}

describe("joined tokens are the original text", () => {
  test.each(["", "a", "\0", "a\0b", "é{}!\u{1f600}", "- id: int # key\r\n", '"=>="', "=", "\uFEFFx"])(
    "%j",
    (text) => {
      const tokens = lex(text);
      const parts = Array.from({ length: tokens.count }, (_, index) => tokenText(tokens, index));
      expect(parts.join("")).toBe(text);
      expect(parts).not.toContain("");
    },
  );
});
