import type { SchemaFile } from "../../syntax/tree.ts";

/** Maximum line width of bracketed lists. Longer lists get one line per item. */
export const maxWidth = 100;

export class Output {
  readonly #file: SchemaFile;
  readonly #lines: string[] = [];

  constructor(file: SchemaFile) {
    this.#file = file;
  }

  get text(): string {
    return this.#lines.length === 0 ? "" : `${this.#lines.join("\n")}\n`;
  }

  line(level: number, text: string): void {
    this.#lines.push(`${"  ".repeat(level)}${text}`);
  }

  /** Adds a blank line before an item, unless it is the first of a block or there is one already. */
  blankLine(level: number): void {
    const last = this.#lines.at(-1) ?? "";
    const indentation = last.length - last.trimStart().length;
    if (last !== "" && indentation >= level * 2) this.#lines.push("");
  }

  hasComments(node: object): boolean {
    return (
      (this.#file.docs?.get(node) ?? []).length > 0 || (this.#file.otherComments?.get(node) ?? []).length > 0
    );
  }

  /** Prints the comments above a node: other comments first, then its documentation. */
  comments(node: object, level: number): void {
    this.otherComments(node, level);
    for (const line of this.#file.docs?.get(node) ?? []) this.line(level, line === "" ? "#" : `# ${line}`);
  }

  /**
   * Private comments go where documentation does. Others are followed by a blank line, or they would be read as documentation.
   */
  otherComments(node: object, level: number): void {
    const otherComments = this.#file.otherComments?.get(node) ?? [];
    if (otherComments.some((text) => !text.startsWith("#!"))) this.blankLine(level);
    for (const [index, text] of otherComments.entries()) {
      if (text !== "") this.line(level, text);
      if (needsBlankLineAfter(text, otherComments[index + 1])) this.#lines.push("");
    }
  }
}

/** Whether a blank line follows a comment: before documentation, before private comments, and where the source had one. */
function needsBlankLineAfter(text: string, next: string | undefined): boolean {
  return text === "" || (!text.startsWith("#!") && (next?.startsWith("#!") ?? true));
}
