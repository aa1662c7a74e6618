import type { Diagnostic } from "./diagnostic.ts";

export interface Tally {
  readonly errors: number;
  readonly warnings: number;
}

/** Counts what is shown; the note that more is hidden is no fault of its own. */
export function tallyOf(diagnostics: readonly Diagnostic[]): Tally {
  const faults = diagnostics.filter(({ name }) => name !== "too-many");
  const errors = faults.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: faults.length - errors };
}

/** `{ errors: 2, warnings: 1 }` → `"2 errors, 1 warning"`; nothing at all → `"no faults"`. */
export function tallyText({ errors, warnings }: Tally): string {
  const parts: string[] = [];
  if (errors > 0) parts.push(counted(errors, "error"));
  if (warnings > 0) parts.push(counted(warnings, "warning"));
  return parts.length === 0 ? "no faults" : parts.join(", ");
}

/** `1, "type"` → `"1 type"`; any other number gets the plural. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Each fault once, at its first place: two schemas that import one file both report what is wrong in it. */
export function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const byPlace = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const { code, path, at, message } = diagnostic;
    const key = JSON.stringify([code, path, at?.span.start, at?.span.end, message]);
    if (!byPlace.has(key)) byPlace.set(key, diagnostic);
  }
  return [...byPlace.values()];
}
