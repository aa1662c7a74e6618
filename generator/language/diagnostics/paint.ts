import type { Severity } from "./diagnostic.ts";

/** Colors and links the parts of a text. */
export interface Paint {
  readonly severity: (severity: Severity, text: string) => string;
  readonly strong: (text: string) => string;
  readonly good: (text: string) => string;
  readonly frame: (text: string) => string;
  /** The location of a file. */
  readonly file: (path: string, text: string) => string;
}

/** For pipes and files: no colors. */
export const plain: Paint = {
  severity: (_, text) => text,
  strong: (text) => text,
  good: (text) => text,
  frame: (text) => text,
  file: (_, text) => text,
};

/** For terminals: only the eight basic colors, which are readable in every theme. */
export const colored: Paint = {
  severity: (severity, text) => sgr(severity === "error" ? "1;31" : "1;33", text),
  strong: (text) => sgr("1", text),
  good: (text) => sgr("32", text),
  frame: (text) => sgr("34", text),
  file: (_, text) => text,
};

/** Checks the flag, FORCE_COLOR, NO_COLOR, and whether the output goes to a terminal with colors, in this order. */
export function shouldUseColor(
  env: Readonly<Record<string, string | undefined>>,
  flag: boolean | undefined,
  isTerminal: boolean,
): boolean {
  const { FORCE_COLOR: force = "", NO_COLOR: none = "", TERM: terminal } = env;
  if (flag !== undefined) return flag;
  if (force !== "") return force !== "0" && force !== "false";
  return none === "" && isTerminal && terminal !== "dumb";
}

/** Select Graphic Rendition, ECMA-48 §8.3.117. */
function sgr(codes: string, text: string): string {
  return `\u001b[${codes}m${text}\u001b[0m`;
}
