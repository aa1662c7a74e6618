import { commentPool } from "../reference-comments.ts";
import type { Line } from "./align.ts";
import { wantsBlankLine } from "./blank-lines.ts";
import type { Piece } from "./piece.ts";

/** The lines of a tree that no RIDL text stands behind: documentation above what it is of, and air around what has some. */
export function layOut(pieces: readonly Piece[], last: readonly string[] = []): Line[] {
  const lines: Line[] = [];
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1];
    const hasGap = before !== undefined && isAiry(piece, before);
    if (before !== undefined && wantsBlankLine({ before, entry: piece, piece, hasGap }))
      lines.push({ indent: 0, text: "" });
    lines.push(...remarkLines(piece));
    const docs = unspoken(piece, lines.at(-1)?.text === "" ? undefined : before);
    for (const text of docs.flatMap((doc) => doc.split("\n")))
      lines.push({ indent: piece.level, text: text === "" ? "#" : `# ${text}` });
    const line = { indent: piece.level, text: piece.text };
    lines.push(piece.cells === undefined ? line : { ...line, cells: piece.cells });
  }
  if (last.length > 0) lines.push({ indent: 0, text: "" }, ...last.map((text) => ({ indent: 0, text })));
  return lines;
}

/** Private comments stand where documentation does; the others stay apart from what follows, or they would become some. */
function remarkLines({ remarks, level }: Piece): Line[] {
  return remarks.flatMap((text, index) => {
    const isApart = text !== "" && !text.startsWith("#!") && (remarks[index + 1]?.startsWith("#!") ?? true);
    const line = text === "" ? { indent: 0, text } : { indent: level, text };
    return isApart ? [line, { indent: 0, text: "" }] : [line];
  });
}

/** Without what the reference tool reads anyway behind a "#" in a value: in the line itself, or in the meta line right above. */
function unspoken({ docs, text }: Piece, before: Piece | undefined): readonly string[] {
  const above = before?.kind === "meta" ? commentPool(`${before.text}\n`).get(1) : undefined;
  const own = commentPool(`${text}\n`).get(1);
  const from = above !== undefined && docs[0] === above ? 1 : 0;
  return docs.slice(from, own !== undefined && docs.at(-1) === own ? -1 : undefined);
}

/** Documented errors and headers stand apart, and so do methods as soon as one of the two has more than its own line. */
function isAiry(piece: Piece, before: Piece): boolean {
  if (piece.remarks.length > 0) return true;
  if (piece.level === 0) return piece.docs.length > 0;
  const isMethod = piece.kind === "method" || piece.kind === "annotations";
  return isMethod && (piece.docs.length > 0 || piece.kind === "annotations" || before.docs.length > 0);
}
