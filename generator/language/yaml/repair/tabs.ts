import type { SourceFile } from "../../source/source-file.ts";
import { indentStep, nonEmptyLines, outline } from "./outline.ts";
import { type Repair, spanIn } from "./repair.ts";

/** How many lines before and after the reported tab are changed. */
const maxLines = 2_000;

const indents: RegExp = /^ *\t/;

/** Proposes to replace all tabs in indentation, each with one step of the file. */
export function tabRepairs(file: SourceFile, reportedLine: number): Repair[] {
  const last = Math.min(file.lineStarts.length, reportedLine + maxLines);
  const step = indentStep(outline(file, 1, last).filter(({ text }) => !indents.test(text)));
  const found = nonEmptyLines(file, Math.max(1, reportedLine - maxLines), last).filter(({ text }) =>
    indents.test(text),
  );
  const edits = found.map((line) => {
    const [blanks = ""] = /^\s*/.exec(line.text) ?? [];
    return { span: spanIn(line, 0, blanks.length), text: blanks.replaceAll("\t", " ".repeat(step)) };
  });
  const [first] = found;
  if (first === undefined) return [];
  return [
    {
      reason: "tabs cannot be used for indentation",
      advice: "Indent with spaces.",
      title: "Indent with spaces",
      at: spanIn(first, first.text.length - first.text.trimStart().length, first.text.trimEnd().length),
      edits,
    },
  ];
}
