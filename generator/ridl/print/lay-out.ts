import type { Line } from "./align.ts";
import { wantsBlankLine } from "./blank-lines.ts";
import type { Piece } from "./piece.ts";

/** The lines of a tree that no RIDL text stands behind: documentation above what it is of, and air around what has some. */
export function layOut(pieces: readonly Piece[]): Line[] {
  const lines: Line[] = [];
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1];
    const hasGap = before !== undefined && isAiry(piece, before);
    if (before !== undefined && wantsBlankLine({ before, entry: piece, piece, hasGap }))
      lines.push({ indent: 0, text: "" });
    for (const text of piece.docs.flatMap((doc) => doc.split("\n")))
      lines.push({ indent: piece.level, text: text === "" ? "#" : `# ${text}` });
    const line = { indent: piece.level, text: piece.text };
    lines.push(piece.cells === undefined ? line : { ...line, cells: piece.cells });
  }
  return lines;
}

/** Documented errors and headers stand apart, and so do methods as soon as one of the two has more than its own line. */
function isAiry(piece: Piece, before: Piece): boolean {
  if (piece.level === 0) return piece.docs.length > 0;
  const isMethod = piece.kind === "method" || piece.kind === "annotations";
  return isMethod && (piece.docs.length > 0 || piece.kind === "annotations" || before.docs.length > 0);
}
