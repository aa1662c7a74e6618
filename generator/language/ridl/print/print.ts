import type { SchemaFile } from "../../syntax/tree.ts";
import { alignLines } from "./align.ts";
import { linesFromTree } from "./lines-from-tree.ts";
import { mergeComments } from "./merge-comments.ts";
import { statementsOf } from "./statements.ts";
import { isRidlText } from "./text.ts";

/**
 * Canonical RIDL for a tree: `struct  A\n -a : int` → `struct A\n  - a: int`. A tree that was read from RIDL keeps its order, its
 * comments and, one at most, its blank lines; one from elsewhere gets its documentation as comments. Printing what was printed
 * changes nothing, and the IR is that of the original. Two blanks of indentation a level, one space before a comment, errors in
 * columns: as webrpc's own formatter writes it. What the parser reported as fault is not in the tree, so it is not printed either.
 */
export function print(file: SchemaFile): string {
  const statements = statementsOf(file);
  const { lines, omitsFinalNewline } = isRidlText(file)
    ? mergeComments(statements, file)
    : { lines: linesFromTree(statements, file.otherComments?.get(file.source)), omitsFinalNewline: false };
  const text = alignLines(lines).join("\n");
  return omitsFinalNewline || text === "" ? text : `${text}\n`;
}
