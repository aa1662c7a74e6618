import type { Entry } from "./entry.ts";
import type { Statement } from "./statement.ts";

export interface Neighbours {
  readonly before: Entry;
  readonly entry: Entry;
  /** `entry` itself, or the next statement if `entry` is a comment. */
  readonly statement: Statement | undefined;
  /** Whether the source has a blank line here. */
  readonly hasGap: boolean;
}

/**
 * Decides whether a blank line goes before an entry. Declarations are separated by one; errors, headers, imports and plain
 * aliases may follow each other directly. There is none after the line that opens a body, between annotations, or between meta
 * lines. Elsewhere, one blank line of the source is kept.
 */
export function wantsBlankLine({ before, entry, statement, hasGap }: Neighbours): boolean {
  if (entry.level === 0) {
    if (before.kind === "comment") return before.level > 0 || hasGap;
    return hasGap || !mayFollow(before, statement);
  }
  if (entry.kind === "comment" || before.kind === "comment") return hasGap && !opensBody(before);
  if (opensBody(before) || entry.kind === "meta" || entry.kind === "route" || before.kind === "annotations")
    return false;
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
