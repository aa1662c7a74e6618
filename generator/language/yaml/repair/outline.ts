import type { SourceFile } from "../../source/source-file.ts";
import { type Line, lineOf } from "./repair.ts";

/** A line with content: neither empty nor a comment. */
export interface OutlineLine extends Line {
  /** 1-based. */
  readonly number: number;
  /** Number of leading spaces. */
  readonly indent: number;
  /** Whether lines with more indentation belong to it. */
  readonly opens: boolean;
}

/** Returns the lines with content from `from` to `to`, 1-based and inclusive. */
export function outline(file: SourceFile, from: number, to: number): OutlineLine[] {
  const lines: OutlineLine[] = [];
  for (let number = Math.max(1, from); number <= Math.min(to, file.lineStarts.length); number++) {
    const line = lineOf(file, number);
    const words = line.text.trimStart();
    if (words === "" || words.startsWith("#")) continue;
    const indent = line.text.length - words.length;
    lines.push({ ...line, number, indent, opens: /:\s*(?:#.*)?$/.test(words) });
  }
  return lines;
}

/** Returns the lines that are not empty, comments included, from `from` to `to`, 1-based and inclusive. */
export function nonEmptyLines(file: SourceFile, from: number, to: number): Line[] {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return numbers.map((number) => lineOf(file, number)).filter(({ text }) => text.trim() !== "");
}

/** The most common indentation step of a block, in spaces; 2 if there is none. */
export function indentStep(lines: readonly OutlineLine[]): number {
  const counts = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (before?.opens !== true || line.indent <= before.indent) continue;
    const step = line.indent - before.indent;
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const [commonest] = [...counts].toSorted(([, one], [, other]) => other - one);
  return commonest?.[0] ?? 2;
}
