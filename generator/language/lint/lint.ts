import { breaking } from "../diagnostics/catalog/breaking.ts";
import { type Diagnostic, diagnose, diagnoseEntry } from "../diagnostics/diagnostic.ts";
import { suggest } from "../diagnostics/suggest.ts";
import type { Scope } from "../model/scope.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { Comment, SchemaFile } from "../syntax/tree.ts";
import type { LintedSchema, LintLocation, LintRule } from "./rule.ts";
import { lintRules } from "./rules/index.ts";
import { hasOptInRules, type LintSettings } from "./settings.ts";

/**
 * Runs the enabled rules on a schema without errors. Findings that a comment ignores are left out. `scopes`: one per file, with the
 * scope of the root file last.
 */
export async function lint(scopes: readonly Scope[], settings: LintSettings): Promise<readonly Diagnostic[]> {
  const root = scopes.at(-1);
  if (root === undefined || settings.size === 0) return [];
  const schema = { scopes, root };
  const ignores = new Map(scopes.map(({ file }) => [file, new IgnoreComments(file)]));
  const found: Diagnostic[] = hasOptInRules(settings)
    ? [...ignores].flatMap(([file, comments]) => unknownRules(file, comments))
    : [];
  for (const rule of lintRules) {
    const severity = settings.get(rule.name);
    if (severity !== undefined)
      for (const one of await findingsOf(rule, schema, ignores)) found.push({ ...one, severity });
  }
  return found;
}

async function findingsOf(
  rule: LintRule,
  schema: LintedSchema,
  ignores: ReadonlyMap<SchemaFile, IgnoreComments>,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  await rule.check(schema, (parameters, location, extra) => {
    if (ignores.get(location.file)?.has(rule.name, location)) return;
    const at = { file: location.file.source, span: location.span };
    found.push(diagnoseEntry(rule.name, rule, parameters, at, extra));
  });
  return found;
}

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

/** Reports unknown rule names in comments, which ignore nothing. Comments for `lint` and for `breaking` have one form. */
export function unknownRules(file: SchemaFile, { ruleNames }: IgnoreComments): Diagnostic[] {
  const known = [...lintRules.map(({ name }) => name), ...Object.keys(breaking)];
  return ruleNames
    .filter(({ name }) => !known.some((rule) => rule === name))
    .map(({ name, span }) => {
      const near = suggest(name, known);
      const extra = near === undefined ? {} : { advice: `Did you mean "${near}"?` };
      return diagnose("unknown-lint-rule", { name }, { file: file.source, span }, extra);
    });
}
