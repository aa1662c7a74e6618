import type { Severity } from "./diagnostic.ts";

/** How parts of a rendered diagnostic are set off from each other. */
export interface Paint {
  readonly severity: (severity: Severity, text: string) => string;
  readonly strong: (text: string) => string;
  readonly frame: (text: string) => string;
}

/** For pipes and files: no change. */
export const plain: Paint = { severity: (_, text) => text, strong: (text) => text, frame: (text) => text };

/** For terminals: the eight basic colours, which every theme keeps readable. */
export const coloured: Paint = {
  severity: (severity, text) => sgr(severity === "error" ? "1;31" : "1;33", text),
  strong: (text) => sgr("1", text),
  frame: (text) => sgr("34", text),
};

/** Select Graphic Rendition, ECMA-48 §8.3.117. */
function sgr(codes: string, text: string): string {
  return `\u001b[${codes}m${text}\u001b[0m`;
}
