import { expect, test } from "vitest";
import { type Diagnostic, diagnose } from "../../../generator/language/diagnostics/diagnostic.ts";
import { applyFixes } from "../../../generator/language/fixes.ts";
import { SourceFile } from "../../../generator/language/source/source-file.ts";

const file = new SourceFile("a.ridl", "one two three");

function fixing(...edits: readonly (readonly [start: number, end: number, text: string])[]): Diagnostic {
  const fix = {
    title: "t",
    file,
    edits: edits.map(([start, end, text]) => ({ span: { start, end }, text })),
  };
  return diagnose("unexpected", { expected: "a", found: "b" }, { file, span: { start: 0, end: 1 } }, { fix });
}

test.each([
  ["two apart", [fixing([0, 3, "1"]), fixing([8, 13, "3"])], "1 two 3", 2],
  ["two that overlap: the first one", [fixing([0, 5, "x"]), fixing([4, 7, "y"])], "xwo three", 1],
  ["two that meet: the first one", [fixing([0, 3, "x"]), fixing([3, 4, ""])], "x two three", 1],
  ["two alike: once", [fixing([4, 7, "2"]), fixing([4, 7, "2"])], "one 2 three", 2],
  [
    "two insertions at one place: the first one",
    [fixing([4, 4, "a "]), fixing([4, 4, "b "])],
    "one a two three",
    1,
  ],
  [
    "several edits, one of which overlaps: none of them",
    [fixing([0, 3, "1"]), fixing([8, 9, "T"], [1, 2, "N"])],
    "1 two three",
    1,
  ],
])("fixes: %s", (_, diagnostics, text, count) => {
  const { files, applied } = applyFixes(diagnostics);
  expect([files.map((each) => each.text), applied.length]).toEqual([[text], count]);
});
