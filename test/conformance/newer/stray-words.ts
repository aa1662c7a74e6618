import type { NewerRow } from "./rows.ts";

const service = (lines: string): string => `service S\n  ${lines}\n`;

/** A word after a method ends the service since v0.48. Older versions skipped it, so it is a warning, and an error with --strict. */
export const strayWordRows: readonly NewerRow[] = [
  ["after arguments", service("- P() foo"), "RK120"],
  ["after a response", service("- P() => () foo"), "RK120"],
  ["after a succinct method", `struct A\n${service("- P(A) => (A) foo")}`, "RK120"],
  ["on the next line", service("- P()\n  foo\n  - Q()"), "RK129"],
  ["before another method", service("- P() foo - Q()"), "RK120"],
  ["before a comment", service("- P() foo # why"), "RK120"],
  ["at the end of the file", "service S\n  - P() foo", "RK120"],
  ["after errors", 'error 1 Gone "gone"\nservice S\n  - P() errors Gone foo\n', "RK101"],
  ["a misspelt clause", 'error 1 Gone "gone"\nservice S\n  - P() error Gone\n', "RK101"],
];
