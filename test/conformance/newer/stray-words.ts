import type { NewerRow } from "./rows.ts";

const service = (lines: string): string => `service S\n  ${lines}\n`;

/** A word after a method ends the service since v0.48. Releases up to v0.47 skip it, or read it as a part of the method. */
export const strayWordRows: readonly NewerRow[] = [
  ["after arguments", service("- P() foo"), "RK120"],
  ["after a response", service("- P() => () foo"), "RK120"],
  ["after a succinct method", `struct A\n${service("- P(A) => (A) foo")}`, "RK120"],
  ["on the next line", service("- P()\n  foo\n  - Q()"), "RK129"],
  ["before another method", service("- P() foo - Q()"), "RK120"],
  ["before a comment", service("- P() foo # why"), "RK120"],
  ["at the end of the file", "service S\n  - P() foo", "RK120"],
  ["a declaration on the next line", `${service("- P()")}struct A\n`],
  ["a declaration on the line", service("- P() struct A"), "RK128"],
  ["a declaration below a succinct method", `struct A\n${service("- P(A) => (A)")}struct B\n`, "RK128"],
  ["an indented declaration", `struct A\n${service("- P(A) => (A)")}\t enum B: int\n`, "RK128"],
  ["a comment and a declaration", `struct A\n${service("- P(A) => (A) # why")}struct B\n`],
  ["a declaration below a route", `struct A\n${service("- P(A) => (A)\n    GET /a")}struct B\n`],
  ["a declaration below errors", `error 1 Gone gone\n${service("- P() errors Gone")}struct B\n`],
  ["a declaration that cannot be skipped", `struct A\n${service("- P(A) => (A)")}error\nstruct B\n`, "RK120"],
  ["after errors", 'error 1 Gone "gone"\nservice S\n  - P() errors Gone foo\n', "RK101"],
  ["a misspelt clause", 'error 1 Gone "gone"\nservice S\n  - P() error Gone\n', "RK101"],
];
