import type { ParametersOf } from "../../language/diagnostics/catalog.ts";
import { catalog } from "../../language/diagnostics/catalog.ts";
import {
  type Diagnostic,
  diagnose,
  type Location,
  type Note,
} from "../../language/diagnostics/diagnostic.ts";
import { type BreakingRuleName, breakingRules } from "./rules.ts";

/** A thing of the schema that both versions have, or its nearest holder in the new one. */
export interface SchemaItem {
  /** As messages call it: `Pet.age`. */
  readonly name: string;
  /** In the new version. */
  readonly at: Location;
  /** In the old one. */
  readonly before?: Location | undefined;
}

interface Finding {
  readonly rule: BreakingRuleName;
  readonly diagnostic: Diagnostic;
}

/**
 * What was found, once for each edit: an edit that breaks requests and answers, or forty methods, is told where it was made and
 * once, by its worst consequence.
 */
export class Findings {
  readonly #byEdit = new Map<string, Finding>();

  /** `edit` tells the edits of one place apart, as `type` and `bound:maxLength`. */
  add<Name extends BreakingRuleName>(
    rule: Name,
    parameters: ParametersOf<Name>,
    site: SchemaItem,
    edit: string,
    note?: string,
  ): void {
    const { at } = site;
    const key = `${at.file.path}\0${at.span.start}\0${site.name}\0${edit}`;
    const known = this.#byEdit.get(key);
    if (known !== undefined && rank(known.rule) >= rank(rule)) return;
    const notes: Note[] = [
      ...(note === undefined ? [] : [{ message: note }]),
      ...(site.before === undefined ? [] : [{ message: "The other version is here.", at: site.before }]),
    ];
    this.#byEdit.set(key, { rule, diagnostic: diagnose(rule, parameters, at, { notes }) });
  }

  get isEmpty(): boolean {
    return this.#byEdit.size === 0;
  }

  /** Whether something of it is more than a matter of code. */
  get changesCalls(): boolean {
    return [...this.#byEdit.values()].some(({ rule }) => breakingRules[rule].kind !== "source");
  }

  get breaks(): boolean {
    return [...this.#byEdit.values()].some(({ rule }) => catalog[rule].severity === "error");
  }

  diagnostics(): readonly Diagnostic[] {
    return [...this.#byEdit.values()].map(({ diagnostic }) => diagnostic);
  }

  /** The first of what was found, in words. */
  get reason(): string | undefined {
    const [first] = this.#byEdit.values();
    return first?.diagnostic.message;
  }
}

function rank(rule: BreakingRuleName): number {
  return (catalog[rule].severity === "error" ? 2 : 0) + (breakingRules[rule].kind === "source" ? 0 : 1);
}
