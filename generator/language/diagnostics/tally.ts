import type { Diagnostic } from "./diagnostic.ts";

export interface Tally {
  readonly errors: number;
  readonly warnings: number;
}

/** Counts the shown diagnostics, except `too-many`, which reports the number of hidden ones. */
export function tallyOf(diagnostics: readonly Diagnostic[]): Tally {
  const problems = diagnostics.filter(({ name }) => name !== "too-many");
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: problems.length - errors };
}

/** `{ errors: 2, warnings: 1 }` → `"2 errors, 1 warning"`; none → `"no problems"`. */
export function tallyText({ errors, warnings }: Tally): string {
  const parts: string[] = [];
  if (errors > 0) parts.push(counted(errors, "error"));
  if (warnings > 0) parts.push(counted(warnings, "warning"));
  return parts.length === 0 ? "no problems" : parts.join(", ");
}

/** `1, "type"` → `"1 type"`; any other number gets the plural. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Removes duplicates: two schemas that import the same file both report the problems of that file. */
export function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const byKey = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const { code, path, at, message } = diagnostic;
    const key = JSON.stringify([code, path, at?.span.start, at?.span.end, message]);
    if (!byKey.has(key)) byKey.set(key, diagnostic);
  }
  return [...byKey.values()];
}
