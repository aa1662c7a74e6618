import type { SchemaFile } from "../../syntax/tree.ts";
import { alignLines } from "./align.ts";
import { linesFromTree } from "./lines-from-tree.ts";
import { mergeComments } from "./merge-comments.ts";
import { statementsOf } from "./statements-from-tree.ts";
import { isRidlText } from "./text.ts";

/**
 * Prints a tree as canonical RIDL: `struct  A\n -a : int` → `struct A\n  - a: int`. A tree from RIDL keeps its order, its
 * comments, and single blank lines. Any other tree gets its documentation as comments. Printing is idempotent and keeps the IR.
 * The style is that of webrpc's formatter: two spaces of indentation, one space before a comment, errors in columns. Content that
 * failed to parse is not in the tree and not printed.
 */
export function print(file: SchemaFile): string {
  const statements = statementsOf(file);
  const { lines, omitsFinalNewline } = isRidlText(file)
    ? mergeComments(statements, file)
    : { lines: linesFromTree(statements, file.otherComments?.get(file.source)), omitsFinalNewline: false };
  const text = alignLines(lines).join("\n");
  return omitsFinalNewline || text === "" ? text : `${text}\n`;
}
