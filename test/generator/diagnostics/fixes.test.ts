import { expect, test } from "vitest";
import { type Diagnostic, diagnose } from "../../../generator/diagnostics/diagnostic.ts";
import { applyFixes } from "../../../generator/diagnostics/fixes.ts";
import { lineDiff } from "../../../generator/diagnostics/line-diff.ts";
import { SourceFile } from "../../../generator/source/source-file.ts";
import { seededRandom } from "../../support/random.ts";

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

test("a diff leads from one text to the other, whatever they are", () => {
  const random = seededRandom(7);
  const text = (): string =>
    Array.from({ length: random.below(30) }, () => random.pick(["", "a", "b", "c"])).join("\n");
  for (let round = 0; round < 300; round++) {
    const [before, after] = [text(), text()];
    expect(patched(before, lineDiff(before, after))).toBe(after);
  }
});

/** Follows a diff as a reader would. */
function patched(before: string, diff: readonly string[]): string {
  const from = before.split("\n");
  const result: string[] = [];
  let at = 0;
  for (const line of diff) {
    const start = /^@@ (\d+)$/.exec(line)?.[1];
    if (start !== undefined) while (at < Number(start) - 1) result.push(from[at++] ?? "");
    else if (line.startsWith("+")) result.push(line.slice(1));
    else {
      expect(from[at]).toBe(line.slice(1));
      if (line.startsWith(" ")) result.push(line.slice(1));
      at++;
    }
  }
  return [...result, ...from.slice(at)].join("\n");
}
