import type { SourceFile } from "../../source/source-file.ts";
import { type Line, lineOf } from "./repair.ts";

/** A line that says something: neither empty nor a comment. */
export interface OutlineLine extends Line {
  /** 1-based. */
  readonly number: number;
  /** Blanks before its first sign. */
  readonly indent: number;
  /** Whether lines that are indented further belong to it. */
  readonly opens: boolean;
}

/** The lines from the 1-based number `from` to `to`, both included. */
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

/** The lines from one 1-based number to another, comments with them, without those that are empty. */
export function everyLine(file: SourceFile, from: number, to: number): Line[] {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return numbers.map((number) => lineOf(file, number)).filter(({ text }) => text.trim() !== "");
}

/** Blanks that most lines stand further in than the one that opens them; 2 if nothing says so. */
export function indentStep(lines: readonly OutlineLine[]): number {
  const counts = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (before?.opens !== true || line.indent <= before.indent) continue;
    const step = line.indent - before.indent;
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? 2;
}
