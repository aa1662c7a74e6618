/** A position as editors count: line and column are 1-based, the column in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Number of lines after its last result that `lineAt` searches first: enough for a declaration and its comments. */
const forwardWindow = 16;

/**
 * The text of a file, and its path. Stages work with offsets. Line starts are computed lazily, because a run without diagnostics needs none.
 */
export class SourceFile {
  readonly path: string;
  readonly text: string;
  #lineStarts: readonly number[] | undefined;
  /** Last result of `lineAt`. Callers usually walk through a text, so the same line or a following one is likely next. */
  #lastLine = 1;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  /** Offset of the first character of each line; a line ends with "\n". */
  get lineStarts(): readonly number[] {
    if (this.#lineStarts === undefined) {
      const starts = [0];
      for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1))
        starts.push(at + 1);
      this.#lineStarts = starts;
    }
    return this.#lineStarts;
  }

  /** Returns the 1-based number of the line that contains `offset`, or the last line past the end. */
  lineAt(offset: number): number {
    const starts = this.lineStarts;
    const last = this.#lastLine;
    let low = (starts[last - 1] ?? 0) <= offset ? last - 1 : 0;
    const near = Math.min(low + forwardWindow, starts.length - 1);
    let high = (starts[near] ?? 0) > offset ? near : starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    this.#lastLine = low + 1;
    return low + 1;
  }

  /** `"ab\ncd"`, 4 → `{ line: 2, column: 2 }`. */
  positionAt(offset: number): Position {
    const line = this.lineAt(offset);
    return { line, column: offset - (this.lineStarts[line - 1] ?? 0) + 1 };
  }

  /** Returns the text of a 1-based line, without its line break. */
  lineText(line: number): string {
    const start = this.lineStarts[line - 1];
    if (start === undefined) return "";
    const end = this.lineStarts[line] ?? this.text.length + 1;
    return this.text.slice(start, end - 1).replace(/\r$/, "");
  }
}
