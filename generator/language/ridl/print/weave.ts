import type { SourceFile } from "../../source/source-file.ts";
import type { SchemaFile } from "../../syntax/tree.ts";
import { type CommentPool, commentPool, takeComments } from "../reference-comments.ts";
import type { Line } from "./align.ts";
import { wantsBlankLine } from "./blank-lines.ts";
import type { Entry } from "./entry.ts";
import type { Piece } from "./piece.ts";
import { isLastLineHidden, placeComments } from "./place-comments.ts";

export interface Woven {
  readonly lines: readonly Line[];
  /** Whether there must be no line break at the end. */
  readonly isUnended: boolean;
}

/**
 * Puts the comments of a text back behind and between its pieces, and blank lines where they belong. The reference tool gives a
 * comment to what stands right below it or on its line, so a blank line is added or dropped only where no comment that is still
 * to be given away stands above it: the IR stays what it was.
 */
export function weave(pieces: readonly Piece[], file: SchemaFile): Woven {
  const { entries, trailing } = placeComments(pieces, file);
  const following = leadingTo(entries);
  const output = new Output(file.source);
  for (const [index, entry] of entries.entries()) {
    const comment = entry.kind === "comment" ? undefined : trailing.get(entry);
    output.add(entry, following[index], comment);
  }
  const isUnended = entries.at(-1)?.kind !== "comment" && isLastLineHidden(file.source);
  return { lines: output.lines, isUnended };
}

/** For each entry the piece that it is or leads to. */
function leadingTo(entries: readonly Entry[]): (Piece | undefined)[] {
  const found: (Piece | undefined)[] = new Array(entries.length);
  let piece: Piece | undefined;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index] as Entry;
    if (entry.kind !== "comment") piece = entry;
    found[index] = piece;
  }
  return found;
}

/** The lines so far, and the comments on them that the reference tool has not given away yet. */
class Output {
  readonly lines: Line[] = [];
  readonly #source: SourceFile;
  readonly #pool: CommentPool = new Map();
  #before: Entry | undefined;

  constructor(source: SourceFile) {
    this.#source = source;
  }

  add(entry: Entry, piece: Piece | undefined, comment: string | undefined): void {
    if (this.#before !== undefined && this.#isParted(this.#before, entry, piece))
      this.lines.push({ indent: 0, text: "" });
    this.lines.push(lineOf(entry, comment));
    const number = this.lines.length;
    const said = saidOn(entry.text, comment);
    if (said !== undefined) this.#pool.set(number, said);
    if (entry.kind !== "comment" && entry.takesComments) takeComments(this.#pool, number);
    this.#before = entry;
  }

  #isParted(before: Entry, entry: Entry, piece: Piece | undefined): boolean {
    const gap = this.#source.lineAt(entry.span.start) - this.#source.lineAt(before.span.end);
    const hasGap = gap > 1;
    return this.#pool.has(this.lines.length) ? hasGap : wantsBlankLine({ before, entry, piece, hasGap });
  }
}

/** The comment that the reference tool sees on a line; the many lines without a "#" are not looked at twice. */
function saidOn(text: string, comment = ""): string | undefined {
  if (comment === "" && !text.includes("#")) return undefined;
  return commentPool(`${text} ${comment}\n`).get(1);
}

function lineOf(entry: Entry, comment: string | undefined): Line {
  const line = { indent: entry.level, text: entry.text, ...(comment === undefined ? {} : { comment }) };
  return entry.kind === "comment" || entry.cells === undefined ? line : { ...line, cells: entry.cells };
}
