import type { SchemaFile } from "../../syntax/tree.ts";

/** Widest line with brackets; what is longer stands line by line. */
export const maxWidth = 100;

/** The lines of a YAML text so far. */
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

  /** A blank line before what starts at a level, unless it opens a block or there is one. */
  blankLine(level: number): void {
    const last = this.#lines.at(-1) ?? "";
    const indentation = last.length - last.trimStart().length;
    if (last !== "" && indentation >= level * 2) this.#lines.push("");
  }

  /** Whether comments stand above a node. */
  hasComments(node: object): boolean {
    return (
      (this.#file.docs?.get(node) ?? []).length > 0 || (this.#file.otherComments?.get(node) ?? []).length > 0
    );
  }

  /** The comments above a node: remarks, then its documentation. */
  comments(node: object, level: number): void {
    this.otherComments(node, level);
    for (const line of this.#file.docs?.get(node) ?? []) this.line(level, line === "" ? "#" : `# ${line}`);
  }

  /** Private remarks stand where documentation does; the others stay apart from what follows, or they would become some. */
  otherComments(node: object, level: number): void {
    const otherComments = this.#file.otherComments?.get(node) ?? [];
    if (otherComments.some((text) => !text.startsWith("#!"))) this.blankLine(level);
    for (const [index, text] of otherComments.entries()) {
      if (text !== "") this.line(level, text);
      if (needsBlankLineAfter(text, otherComments[index + 1])) this.#lines.push("");
    }
  }
}

/** Whether a blank line follows a remark: before documentation, before private remarks, and where one was. */
function needsBlankLineAfter(text: string, next: string | undefined): boolean {
  return text === "" || (!text.startsWith("#!") && (next?.startsWith("#!") ?? true));
}
