import type { Terminal } from "../process-context.ts";

/** Maximum width of sentences: longer lines are hard to read. */
const maxTextColumns = 100;

/** Width of standard output. Unlimited in a pipe, for programs such as `grep`. */
export function outColumns({ outIsTerminal, columns }: Terminal): number {
  return (outIsTerminal ? columns : undefined) ?? Number.POSITIVE_INFINITY;
}

/** Width of standard error. */
export function errColumns({ errIsTerminal, columns }: Terminal): number {
  return (errIsTerminal ? columns : undefined) ?? Number.POSITIVE_INFINITY;
}

/** Width of sentences on a stream. */
export function textColumns(columns: number): number {
  return Math.min(maxTextColumns, columns);
}
