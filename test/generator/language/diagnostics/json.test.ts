import { expect, test } from "vitest";
import { diagnose } from "../../../../generator/language/diagnostics/diagnostic.ts";
import { diagnosticToJson } from "../../../../generator/language/diagnostics/machine-formats.ts";
import { distinct, tallyOf, tallyText } from "../../../../generator/language/diagnostics/tally.ts";
import { visibleJson } from "../../../../generator/language/diagnostics/visible.ts";
import { SourceFile } from "../../../../generator/language/source/source-file.ts";

const file = new SourceFile("a.ridl", "ab\ncd😀e\n");
const place = { file, span: { start: 3, end: 8 } };

test("locations become lines and columns, counted from 1 in UTF-16 code units", () => {
  const fault = diagnose("unknown-type", { name: "X" }, place, {
    notes: [{ message: "Here.", at: { file, span: { start: 0, end: 1 } } }, { message: "Plain." }],
    fix: { title: "Write it", file, edits: [{ span: { start: 7, end: 7 }, text: "x" }] },
  });
  expect(diagnosticToJson(fault)).toEqual({
    code: "RK308",
    name: "unknown-type",
    severity: "error",
    message: 'There is no type "X".',
    path: "a.ridl",
    start: { line: 2, column: 1 },
    end: { line: 2, column: 6 },
    notes: [
      { message: "Here.", path: "a.ridl", start: { line: 1, column: 1 }, end: { line: 1, column: 2 } },
      { message: "Plain." },
    ],
    fix: {
      title: "Write it",
      path: "a.ridl",
      edits: [{ start: { line: 2, column: 5 }, end: { line: 2, column: 5 }, text: "x" }],
    },
  });
});

test("a diagnostic without a text has a path and no positions", () => {
  const fault = diagnose("schema-extension", { path: "x" }, { path: "x" }, { advice: "Rename it." });
  expect(diagnosticToJson(fault)).toEqual({
    code: "RK208",
    name: "schema-extension",
    severity: "error",
    message: 'Cannot tell the format of "x" from its name.',
    advice: "Rename it.",
    path: "x",
    notes: [],
  });
});

test("visibleJson does not change the value", () => {
  const value = { text: "a\u009b\u202e\u2028\ufeff\u007f😀é\u200d" };
  const shown = visibleJson(JSON.stringify(value));
  expect(shown).toBe('{"text":"a\\u009b\\u202e\\u2028\\ufeff\\u007f😀é\\u200d"}');
  expect(JSON.parse(shown)).toEqual(value);
});

test.each([
  [{ errors: 0, warnings: 0 }, "no problems"],
  [{ errors: 1, warnings: 0 }, "1 error"],
  [{ errors: 2, warnings: 1 }, "2 errors, 1 warning"],
  [{ errors: 0, warnings: 3 }, "3 warnings"],
])("%j reads as %s", (tally, text) => {
  expect(tallyText(tally)).toBe(text);
});

test("too-many does not count itself, and duplicates count once", () => {
  const fault = diagnose("unknown-type", { name: "X" }, place);
  const elsewhere = diagnose("unknown-type", { name: "X" }, { file, span: { start: 0, end: 1 } });
  const more = diagnose("too-many", { hidden: 3 }, { path: "a.ridl" });
  expect(distinct([fault, elsewhere, fault, more])).toEqual([fault, elsewhere, more]);
  expect(tallyOf([fault, elsewhere, more])).toEqual({ errors: 2, warnings: 0 });
});
