import type { SourceFile } from "../../source/source-file.ts";
import { indentStep, nonEmptyLines, type OutlineLine, outline } from "./outline.ts";
import { type Repair, spanIn } from "./repair.ts";

/** How many lines before and after the reported line are examined. */
const reach = { before: 400, after: 60 } as const;

/** Limits of suspected lines, and of indentations to try for each. */
const maxSuspects = 4;
const maxTargets = 3;

/**
 * Proposes repairs for lines with wrong indentation, the likeliest first. A wrong indentation is often reported further down,
 * where the next line returns to the right one. So lines whose indentation is not a multiple of the file's step come first.
 */
export function indentationRepairs(file: SourceFile, reportedLine: number): Repair[] {
  const lines = outline(file, reportedLine - reach.before, reportedLine + reach.after);
  const step = indentStep(lines);
  const found = lines.findIndex(({ number }) => number >= reportedLine);
  const here = found === -1 ? lines.length - 1 : found;
  const near = lines.slice(0, here + 2).toReversed();
  const between = near.filter(({ indent }) => indent % step !== 0);
  const suspects = new Set([...between.slice(0, maxSuspects), ...nearbySuspects(lines, here)]);
  return [...suspects].flatMap((line) => {
    const index = lines.indexOf(line);
    return candidateIndents(lines, index, step)
      .slice(0, maxTargets)
      .flatMap((target) => indentLine(file, lines, index, target, step));
  });
}

/** The reported line, its neighbours, the first line of the block that ends here, and the line that opens it. */
function nearbySuspects(lines: readonly OutlineLine[], here: number): OutlineLine[] {
  const at = lines[here];
  if (at === undefined) return [];
  const before = lines.slice(0, here);
  const outer = before.findLastIndex(({ indent }) => indent < at.indent);
  return [at, lines[here + 1], before.at(-1), before[outer], before[outer + 1]].filter(
    (line) => line !== undefined,
  );
}

/** Indentations that a line could have instead, the nearest first: those of the surrounding lines, or one step from them. */
function candidateIndents(lines: readonly OutlineLine[], index: number, step: number): number[] {
  const line = lines[index];
  if (line === undefined) return [];
  const [before, after] = [lines[index - 1], lines[index + 1]];
  const ancestors = lines.slice(0, index).reduce<number[]>((levels, { indent, opens }) => {
    const kept = levels.filter((level) => level <= indent);
    return opens ? [...kept, indent, indent + step] : [...kept, indent];
  }, []);
  const around = [...ancestors];
  if (after !== undefined) around.push(line.opens ? after.indent - step : after.indent);
  if (before?.opens === false && !line.opens) around.push(before.indent);
  const isTooDeep = (target: number): boolean =>
    before !== undefined && target > before.indent + (before.opens ? step : 0);
  const isLeaf = (target: number): boolean => !line.opens || (after?.indent ?? target) <= target;
  return [...new Set(around)]
    .filter((target) => target >= 0 && target !== line.indent && !isTooDeep(target))
    .toSorted(
      (one, other) =>
        Math.abs(one - line.indent) - Math.abs(other - line.indent) ||
        Number(line.opens && isLeaf(one)) - Number(line.opens && isLeaf(other)) ||
        other - one,
    );
}

/** Indents one line. If it would no longer fit above its block, the block moves with it. */
function indentLine(
  file: SourceFile,
  lines: readonly OutlineLine[],
  index: number,
  target: number,
  step: number,
): Repair[] {
  const line = lines[index];
  if (line === undefined) return [];
  const rest = lines.slice(index + 1);
  const end = rest.findIndex(({ indent }) => indent <= line.indent);
  const below = end === -1 ? rest : rest.slice(0, end);
  const isWithAll = line.opens && below[0] !== undefined && below[0].indent !== target + step;
  const moved = isWithAll ? nonEmptyLines(file, line.number, below.at(-1)?.number ?? line.number) : [line];
  const by = target - line.indent;
  const word = /^(?:- )?([^\s:{["']+)/.exec(line.text.trimStart())?.[1] ?? "this line";
  const siblings = hasSiblings(lines, index, target)
    ? "its sibling entries by"
    : "but the lines around it require";
  const hasTab = line.text.slice(0, line.text.length - line.text.trimStart().length).includes("\t");
  return [
    {
      reason: hasTab
        ? `"${word}" is indented with a tab, but YAML requires spaces`
        : `"${word}" is indented by ${spaces(line.indent)}, ${siblings} ${target}`,
      advice: "Give all entries of a map or a list the same indentation.",
      title: `Indent it by ${spaces(target)}`,
      at: spanIn(line, line.indent, line.text.trimEnd().length),
      edits: moved.map((each) => {
        const indent = each.text.length - each.text.trimStart().length;
        return { span: spanIn(each, 0, indent), text: " ".repeat(Math.max(0, indent + by)) };
      }),
    },
  ];
}

function hasSiblings(lines: readonly OutlineLine[], index: number, target: number): boolean {
  const isSibling = (near: readonly OutlineLine[]): boolean => {
    const other = near.find(({ indent }) => indent <= target);
    return other?.indent === target;
  };
  return isSibling(lines.slice(0, index).toReversed()) || isSibling(lines.slice(index + 1));
}

function spaces(count: number): string {
  return count === 1 ? "1 space" : `${count} spaces`;
}
