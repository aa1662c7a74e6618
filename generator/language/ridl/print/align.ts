/** A line of output: its text without indentation, or columns, and its trailing comment. */
export interface Line {
  readonly indent: number;
  readonly text: string;
  readonly cells?: readonly string[];
  readonly comment?: string;
}

/** Renders lines. Aligns the columns of consecutive lines, such as error declarations. */
export function alignLines(lines: readonly Line[]): string[] {
  const texts: string[] = [];
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (lines[end]?.cells !== undefined) end++;
    if (end === start) end++;
    const run = lines.slice(start, end);
    const widths = columnWidths(run);
    for (const line of run) texts.push(renderLine(line, widths));
    start = end;
  }
  return texts;
}

function columnWidths(run: readonly Line[]): number[] {
  const widths: number[] = [];
  for (const { cells = [] } of run) {
    for (const [index, cell] of cells.entries()) {
      // The last column of a line needs no padding.
      if (index < cells.length - 1) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    }
  }
  return widths;
}

function renderLine({ indent, text, cells, comment }: Line, widths: readonly number[]): string {
  const content = cells === undefined ? text : joinCells(cells, widths);
  const whole = comment === undefined ? content : `${content} ${comment}`;
  return whole === "" ? "" : `${"  ".repeat(indent)}${whole}`;
}

function joinCells(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => (index === cells.length - 1 ? cell : pad(cell, widths[index] ?? 0)))
    .join(" ");
}

function pad(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - widthOf(cell)));
}

/** Counts characters, so that a surrogate pair is one. */
function widthOf(text: string): number {
  return [...text].length;
}
