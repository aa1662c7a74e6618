import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { applyFixes } from "../../../../generator/language/fixes.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { withSuggestions } from "../../../support/suggestions.ts";

const header = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";

function compiled(body: string) {
  return compile("m.ridl", memoryReader({ "m.ridl": header + body }));
}

/** The annotations of each method, as webrpc reads them. */
function annotationsOf(body: string): readonly string[] {
  const { result } = compiled(body);
  return (result?.scope.services ?? []).flatMap(({ node }) =>
    node.methods.map(
      ({ name, annotations }) => `${name.text}: ${annotations.map((one) => one.name.text).join(" ")}`,
    ),
  );
}

const struct = "struct T\n - x: int\n";

test.each([
  [
    "in front of another method",
    "service S\n - A() @auth:admin\n - B()\n",
    "service S\n @auth:admin\n - A()\n - B()\n",
    ["A: auth", "B: "],
  ],
  ["of the last method", "service S\n - A() @auth", "service S\n @auth\n - A()", ["A: auth"]],
  [
    "in front of another service",
    "service S\n\t- A() @auth\n\nservice U\n - B()\n",
    "service S\n\t@auth\n\t- A()\n\nservice U\n - B()\n",
    ["A: auth", "B: "],
  ],
  [
    "in front of a comment",
    'service S\n - A() @auth:"a b" # why\n - B()\n',
    'service S\n @auth:"a b"\n - A() # why\n - B()\n',
    ["A: auth", "B: "],
  ],
  [
    "of a succinct method",
    `${struct}service S\n - A(T) => (T) @auth\n - B()\n`,
    `${struct}service S\n @auth\n - A(T) => (T)\n - B()\n`,
    ["A: auth", "B: "],
  ],
  [
    "behind errors",
    'error 1 Lost "m"\nservice S\n - A() errors Lost @auth\n - B()\n',
    'error 1 Lost "m"\nservice S\n @auth\n - A() errors Lost\n - B()\n',
    ["A: auth", "B: "],
  ],
  [
    "behind a proxied method",
    "service S\n - proxy A @auth\n - B()\n",
    "service S\n @auth\n - proxy A\n - B()\n",
    ["A: auth", "B: "],
  ],
  [
    "next to others, with more on the next line",
    "service S\n @a\n - A() @b:x @c\n @d\n - B()\n",
    "service S\n @a @b:x @c\n - A()\n @d\n - B()\n",
    ["A: a b c", "B: d"],
  ],
  [
    "with Windows line breaks",
    "service S\r\n - A() @auth\r\n - B()\r\n",
    "service S\r\n @auth\r\n - A()\r\n - B()\r\n",
    ["A: auth", "B: "],
  ],
])(
  "an annotation at the end of a line, %s, is reported, and the suggestion moves it up",
  (_, body, fixed, read) => {
    const found = compiled(body).diagnostics.filter(({ code }) => /^RK1/.test(code));
    expect(found.map(({ code, severity }) => [code, severity])).toEqual([["RK135", "warning"]]);
    expect(applyFixes(withSuggestions(found)).files[0]?.text).toBe(header + fixed);
    expect(compiled(fixed).diagnostics.filter(({ code }) => /^RK1/.test(code))).toEqual([]);
    expect(annotationsOf(fixed)).toEqual(read);
  },
);

test("the message names the annotations and the method that does not get them", () => {
  const [found] = compiled("service S\n - A() @auth:a @cache\n - B()\n").diagnostics;
  expect(found?.message).toBe(
    '"@auth" and "@cache" cannot belong to "A": annotations apply to the next method.',
  );
});

test("a method that has the annotation already gets no suggestion", () => {
  const [found] = compiled("service S\n @auth:a\n - A() @auth:b\n - B()\n").diagnostics;
  expect([found?.code, found?.suggestion]).toEqual(["RK135", undefined]);
});

test.each([
  "service S\n - A()\n @auth - B()\n",
  "service S\n - A() @auth - B()\n",
  "service S\n @auth - A()\n",
])("an annotation in front of its method on the same line is not reported: %j", (body) => {
  expect(compiled(body).diagnostics).toEqual([]);
});

test.each([
  ["a service", "service S @auth\n - A()\n", "above a method"],
  ["a struct", "struct U @auth\n - a: int\n", "above a method"],
  ["a field", "struct U\n - a: int @deprecated\n", "+ deprecated"],
  ["an error", 'error 1 Lost "m" @auth\n', "above a method"],
  ["an enum", "enum E: int @auth\n - a\n", "above a method"],
  ["an enum value", "enum E: int\n - a @auth\n", "above a method"],
  ["an alias", "type A: int @auth\n", "above a method"],
  ["nothing", "@auth\nstruct U\n", "above a method"],
])("an annotation of %s is an error that says where annotations belong", (_, body, advice) => {
  const [found] = compiled(body).diagnostics;
  expect(found).toMatchObject({ code: "RK101", severity: "error" });
  expect(found?.advice).toContain(advice);
});

test.each([
  ["a method", "service S\n - A()\n   + timeout = 3\n"],
  ["a service", "service S\n + base = /x\n - A()\n"],
  ["an error", 'error 1 Lost "m"\n + status = 404\n'],
  ["a struct", "struct U\n + title = x\n - a: int\n"],
  ["an enum", "enum E: int\n + title = x\n - a\n"],
])("a meta line of %s is an error that says where meta keys belong", (_, body) => {
  const [found] = compiled(body).diagnostics;
  expect(found).toMatchObject({ code: "RK101", severity: "error" });
  expect(found?.advice).toContain("below a field, an enum value or an alias");
});

test.each([
  ['error 1 Lost "say no\\" now"\n', "The string ends at the quote"],
  ['error 1 Lost "say \\"no\\""\n', "The string ends at the quote"],
  ['error 1 Lost "a \\d"\n', "character class"],
])("the advice for the escape in %j is true", (body, advice) => {
  const [found] = compiled(body).diagnostics;
  expect(found?.code).toBe("RK105");
  expect(found?.advice).toContain(advice);
});

test("an escaped quote is read after a space and after a bracket", () => {
  expect(compiled('error 1 Lost "say \\" no (\\" )"\n').diagnostics).toEqual([]);
});

test.each(["@auth", "- B()", "struct X", 'error 7 Z "m"'])(
  "%s may not follow a route or the path of a service on its line",
  (text) => {
    for (const body of [`service S\n - A()\n GET /a ${text}\n`, `service S\n path = /s ${text}\n - A()\n`]) {
      const { code, message } = compiled(body).diagnostics[0] ?? {};
      expect([code, message]).toEqual(["RK101", expect.stringContaining("Expected the end of the line")]);
    }
  },
);
