import type { SchemaFile } from "../../syntax/tree.ts";
import { alignLines } from "./align.ts";
import { layOut } from "./lay-out.ts";
import { piecesOf } from "./pieces.ts";
import { isRidlText } from "./text.ts";
import { weave } from "./weave.ts";

/**
 * Canonical RIDL for a tree: `struct  A\n -a : int` → `struct A\n  - a: int`. A tree that was read from RIDL keeps its order, its
 * comments and, one at most, its blank lines; one from elsewhere gets its documentation as comments. Printing what was printed
 * changes nothing, and the IR is that of the original. Two blanks of indentation a level, one space before a comment, errors in
 * columns: as webrpc's own formatter writes it. What the parser reported as fault is not in the tree, so it is not printed either.
 */
export function print(file: SchemaFile): string {
  const pieces = piecesOf(file);
  const { lines, isUnended } = isRidlText(file)
    ? weave(pieces, file)
    : { lines: layOut(pieces, file.otherComments?.get(file.source)), isUnended: false };
  const text = alignLines(lines).join("\n");
  return isUnended || text === "" ? text : `${text}\n`;
}
