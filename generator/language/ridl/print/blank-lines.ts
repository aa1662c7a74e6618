import type { Entry } from "./entry.ts";
import type { Statement } from "./statement.ts";

export interface Neighbours {
  readonly before: Entry;
  readonly entry: Entry;
  /** The piece that `entry` is or leads to. */
  readonly statement: Statement | undefined;
  /** Whether the text has a blank line here. */
  readonly hasGap: boolean;
}

/**
 * Where blank lines stand: one between declarations, except that lines of one kind (errors, headers, imports, plain aliases) may
 * follow each other; none below the line that opens a body, among annotations and among meta lines; elsewhere as written, but
 * never two.
 */
export function wantsBlankLine({ before, entry, statement, hasGap }: Neighbours): boolean {
  if (entry.level === 0) {
    if (before.kind === "comment") return before.level > 0 || hasGap;
    return hasGap || !mayFollow(before, statement);
  }
  if (entry.kind === "comment" || before.kind === "comment") return hasGap && !opensBody(before);
  if (opensBody(before) || entry.kind === "meta" || before.kind === "annotations") return false;
  return hasGap;
}

function mayFollow(before: Statement, statement: Statement | undefined): boolean {
  if (statement === undefined) return false;
  return before.level === 0 && !isBlock(before) && !isBlock(statement) && before.root === statement.root;
}

function isBlock({ root, hasBody }: Statement): boolean {
  return hasBody || root === "struct" || root === "enum" || root === "service";
}

function opensBody(entry: Entry): boolean {
  return entry.kind !== "comment" && entry.level === 0;
}
