import { hashIr } from "./write.ts";

/* A kept version in the form in which most are stored: as its differences from the next kept version. */

export interface IrDifference {
  /** The next kept version: `v1.1.0`. */
  readonly next: string;
  /** SHA-1 of the whole text with line feeds. */
  readonly hash: string;
  /** `"7,2"` keeps 7 lines of the next version and drops 2; `"+text"` adds a line. */
  readonly lines: readonly string[];
}

/** Compares lists of lines, like `diffArrays` of the package `diff`. */
type CompareLines = (
  before: string[],
  after: string[],
) => readonly { readonly added?: boolean; readonly removed?: boolean; readonly value: readonly string[] }[];

/** Prints the difference of a version from the next one. */
export function printDifference(
  text: string,
  next: { readonly version: string; readonly text: string },
  compare: CompareLines,
): string {
  const lines: string[] = [];
  let kept = 0;
  let dropped = 0;
  const added: string[] = [];
  const flush = (): void => {
    if (dropped + added.length === 0) return;
    lines.push(`${kept},${dropped}`, ...added.splice(0));
    kept = dropped = 0;
  };
  const own = linesOf(text);
  for (const { added: isAdded, removed: isRemoved, value } of compare(linesOf(next.text), own)) {
    if (isAdded === true) added.push(...value.map((line) => `+${line}`));
    else if (isRemoved === true) dropped += value.length;
    else {
      flush();
      kept += value.length;
    }
  }
  flush();
  const difference: IrDifference = { next: next.version, hash: hashIr(own.join("\n")), lines };
  return `${JSON.stringify(difference, null, 1)}\n`;
}

/** Returns the difference that a file contains. Undefined if it is anything else, such as IR. */
export function readDifference(text: string): IrDifference | undefined {
  if (!/^\{\s*"next"/.test(text)) return undefined;
  try {
    const { next, hash, lines } = JSON.parse(text) as Partial<IrDifference>;
    if (typeof next !== "string" || !Array.isArray(lines)) return undefined;
    return { next, hash: String(hash), lines: lines.map(String) };
  } catch {
    return undefined;
  }
}

/** Returns the whole text of a version. Undefined if the next version is not the one that it was compared with. */
export function applyDifference({ lines, hash }: IrDifference, next: string): string | undefined {
  const given = linesOf(next);
  const restored: string[] = [];
  let at = 0;
  for (const line of lines) {
    if (line.startsWith("+")) restored.push(line.slice(1));
    else {
      const [kept = 0, dropped = 0] = line.split(",").map(Number);
      restored.push(...given.slice(at, at + kept));
      at += kept + dropped;
    }
  }
  const text = [...restored, ...given.slice(at)].join("\n");
  return hashIr(text) === hash ? text : undefined;
}

/** Git may have changed the line breaks. */
function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}
