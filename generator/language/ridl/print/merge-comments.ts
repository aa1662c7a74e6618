import type { SourceFile } from "../../source/source-file.ts";
import type { SchemaFile } from "../../syntax/tree.ts";
import { type CommentPool, commentPool, takeComments } from "../reference-comments.ts";
import type { Line } from "./align.ts";
import { wantsBlankLine } from "./blank-lines.ts";
import type { Entry } from "./entry.ts";
import { isLastCommentIgnored, placeComments } from "./place-comments.ts";
import type { Statement } from "./statement.ts";

export interface MergedLines {
  readonly lines: readonly Line[];
  /** Whether the output must not end with a line break. */
  readonly omitsFinalNewline: boolean;
}

/**
 * Puts the comments of a file between and after its statements, and adds blank lines. The reference tool assigns a comment to the
 * statement on its line or directly below. To keep the IR, blank lines are added or removed only where the line above has no
 * unassigned comment.
 */
export function mergeComments(statements: readonly Statement[], file: SchemaFile): MergedLines {
  const { entries, trailing } = placeComments(statements, file);
  const following = nextStatements(entries);
  const output = new Output(file.source);
  for (const [index, entry] of entries.entries()) {
    const comment = entry.kind === "comment" ? undefined : trailing.get(entry);
    output.add(entry, following[index], comment);
  }
  const omitsFinalNewline = entries.at(-1)?.kind !== "comment" && isLastCommentIgnored(file.source);
  return { lines: output.lines, omitsFinalNewline };
}

/** For each entry, the statement itself or the next one. */
function nextStatements(entries: readonly Entry[]): (Statement | undefined)[] {
  const found: (Statement | undefined)[] = new Array(entries.length);
  let statement: Statement | undefined;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index] as Entry;
    if (entry.kind !== "comment") statement = entry;
    found[index] = statement;
  }
  return found;
}

/** The lines so far, and their comments that the reference tool has not assigned yet. */
class Output {
  readonly lines: Line[] = [];
  readonly #source: SourceFile;
  readonly #pool: CommentPool = new Map();
  #before: Entry | undefined;

  constructor(source: SourceFile) {
    this.#source = source;
  }

  add(entry: Entry, statement: Statement | undefined, comment: string | undefined): void {
    if (this.#before !== undefined && this.#needsBlankLine(this.#before, entry, statement))
      this.lines.push({ indent: 0, text: "" });
    this.lines.push(lineOf(entry, comment));
    const lineNumber = this.lines.length;
    const text = commentOnLine(entry.text, comment);
    if (text !== undefined) this.#pool.set(lineNumber, text);
    if (entry.kind !== "comment" && entry.takesComments) takeComments(this.#pool, lineNumber);
    this.#before = entry;
  }

  #needsBlankLine(before: Entry, entry: Entry, statement: Statement | undefined): boolean {
    const gap = this.#source.lineAt(entry.span.start) - this.#source.lineAt(before.span.end);
    const hasGap = gap > 1;
    return this.#pool.has(this.lines.length) ? hasGap : wantsBlankLine({ before, entry, statement, hasGap });
  }
}

/** Returns the comment that the reference tool reads from a line. Skips the lexer for lines without "#". */
function commentOnLine(text: string, comment = ""): string | undefined {
  if (comment === "" && !text.includes("#")) return undefined;
  return commentPool(`${text} ${comment}\n`).get(1);
}

function lineOf(entry: Entry, comment: string | undefined): Line {
  const line = { indent: entry.level, text: entry.text, ...(comment === undefined ? {} : { comment }) };
  return entry.kind === "comment" || entry.cells === undefined ? line : { ...line, cells: entry.cells };
}
