import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { Comment, SchemaFile } from "../syntax/tree.ts";
import type { LintLocation } from "./rule.ts";

/** `#! ridlkit-ignore unused-types, missing-docs: sent to listeners only`; a private comment, so it is not documentation. */
const pattern = /^#!\s*ridlkit-ignore(-file)?\s+([^:\r]*)/;

/** The rules that comments of a file switch off. */
export class IgnoreComments {
  readonly #source: SourceFile;
  readonly #ofFile = new Set<string>();
  readonly #ofLine = new Map<number, ReadonlySet<string>>();
  readonly #comments = new Map<number, Comment>();
  /** Every rule name in these comments, with its location. */
  readonly ruleNames: { readonly name: string; readonly span: Span }[] = [];

  constructor(file: SchemaFile) {
    this.#source = file.source;
    // Finding comments is slow, so files without this text skip it.
    if (!file.source.text.includes("ridlkit-ignore")) return;
    for (const comment of file.comments) this.#read(comment);
  }

  /** Whether a comment ignores the rule: for the file, on the same line, or right above the finding or its owner. */
  has(rule: string, { span, owner }: LintLocation): boolean {
    if (this.#ofFile.has(rule)) return true;
    if (this.#ofLine.size === 0) return false;
    return [span, owner.span].some(({ start }) => this.#isAbove(rule, this.#source.lineAt(start)));
  }

  #isAbove(rule: string, line: number): boolean {
    if (this.#ofLine.get(line)?.has(rule)) return true;
    for (let above = line - 1; this.#comments.get(above)?.trailing === false; above--)
      if (this.#ofLine.get(above)?.has(rule)) return true;
    return false;
  }

  #read(comment: Comment): void {
    const { start, end } = comment.span;
    const line = this.#source.lineAt(start);
    this.#comments.set(line, comment);
    const text = this.#source.text.slice(start, end);
    const [whole, file, list = ""] = pattern.exec(text) ?? [];
    if (whole === undefined) return;
    const names = [...list.matchAll(/[^\s,]+/g)];
    for (const { 0: name, index } of names) {
      const from = start + whole.length - list.length + index;
      this.ruleNames.push({ name, span: { start: from, end: from + name.length } });
    }
    const rules = new Set(names.map(([name]) => name));
    if (file === undefined) this.#ofLine.set(line, rules);
    else for (const name of rules) this.#ofFile.add(name);
  }
}
