import { columnsOf } from "./visible.ts";

/** Splits a text at spaces into lines of at most `columns` columns. A longer word gets a line of its own. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let width = 0;
  for (const word of text.split(" ")) {
    const wordWidth = columnsOf(word);
    if (lines.length > 0 && width + 1 + wordWidth <= columns) {
      lines.push(`${lines.pop()} ${word}`);
      width += 1 + wordWidth;
    } else {
      lines.push(word);
      width = wordWidth;
    }
  }
  return lines;
}
