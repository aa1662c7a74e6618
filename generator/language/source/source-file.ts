/** A place as people count: both 1-based, the column in UTF-16 code units as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** How far the next line that is asked for may be: a declaration with its comments. */
const forwardWindow = 16;

/**
 * One text and the path it is known by. Stages speak of offsets; lines are worked out only when somebody asks,
 * because a clean run never does.
 */
export class SourceFile {
  readonly path: string;
  readonly text: string;
  #lineStarts: readonly number[] | undefined;
  /** The line that was asked for last: whoever goes through a text asks for the same or the next one. */
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

  /** 1-based number of the line that holds `offset`; past the end it is the last line. */
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

  /** Text of a 1-based line, without its line break. */
  lineText(line: number): string {
    const start = this.lineStarts[line - 1];
    if (start === undefined) return "";
    const end = this.lineStarts[line] ?? this.text.length + 1;
    return this.text.slice(start, end - 1).replace(/\r$/, "");
  }
}
