import { catalog, type ParametersOf } from "../../language/diagnostics/catalog.ts";
import {
  type Diagnostic,
  diagnose,
  type Location,
  type Note,
} from "../../language/diagnostics/diagnostic.ts";
import { IgnoreComments, unknownRules } from "../../language/lint/lint.ts";
import type { Scope } from "../../language/model/scope.ts";
import { type BreakingRuleName, breakingRules } from "./rules.ts";

/** A change that breaks callers, or may break them. */
export interface BreakingFinding extends Diagnostic {
  /** The items that the finding is about: `["Pet.age"]`. */
  readonly items?: readonly string[];
  /** Whether a server that speaks the earlier version converts its calls despite the change. Default: false. */
  readonly isConvertible?: boolean;
}

/** The item of the schema that a finding is about, or the closest item around it that the new version still has. */
export interface SchemaItem {
  /** The name in messages: `Pet.age`. */
  readonly name: string;
  /** Location in the new version. */
  readonly at: Location;
  /** Location in the old version. */
  readonly before?: Location | undefined;
}

export interface FindingExtras {
  readonly note?: string | undefined;
  /** Default: the item that the message names. */
  readonly items?: readonly string[];
  /** Default: as in the rule. */
  readonly isConvertible?: boolean;
}

/**
 * Collects findings, one for each edit. An edit that breaks both requests and responses, or forty methods, is reported once, where it
 * was made, with its worst consequence.
 */
export class Findings {
  readonly #byEdit = new Map<string, BreakingFinding & { readonly name: BreakingRuleName }>();

  /** `edit` distinguishes several edits of the same item, such as `type` and `bound:maxLength`. */
  add<Name extends BreakingRuleName>(
    rule: Name,
    parameters: ParametersOf<Name>,
    item: SchemaItem,
    edit: string,
    {
      note,
      items = [nameIn(parameters) ?? item.name],
      isConvertible = breakingRules[rule].isConvertible ?? false,
    }: FindingExtras = {},
  ): void {
    const { at } = item;
    const key = `${at.file.path}\0${at.span.start}\0${item.name}\0${edit}`;
    const known = this.#byEdit.get(key);
    if (known !== undefined && rank(known.name) >= rank(rule)) return;
    const notes: Note[] = [
      ...(note === undefined ? [] : [{ message: note }]),
      ...(item.before === undefined ? [] : [{ message: "The earlier version is here.", at: item.before }]),
    ];
    this.#byEdit.set(key, { ...diagnose(rule, parameters, at, { notes }), name: rule, items, isConvertible });
  }

  get isEmpty(): boolean {
    return this.#byEdit.size === 0;
  }

  /** Whether a finding affects calls, not only source code. */
  get changesCalls(): boolean {
    return [...this.#byEdit.values()].some(({ name }) => breakingRules[name].kind !== "source");
  }

  /** Whether a server that speaks both versions converts all changes of calls. */
  get isConvertible(): boolean {
    return [...this.#byEdit.values()].every(
      ({ name, isConvertible }) => isConvertible === true || breakingRules[name].kind === "source",
    );
  }

  get breaks(): boolean {
    return [...this.#byEdit.values()].some(({ name }) => catalog[name].severity === "error");
  }

  all(): readonly BreakingFinding[] {
    return [...this.#byEdit.values()];
  }

  /** The message of the first finding. */
  get reason(): string | undefined {
    const [first] = this.#byEdit.values();
    return first?.message;
  }
}

function rank(rule: BreakingRuleName): number {
  return (catalog[rule].severity === "error" ? 2 : 0) + (breakingRules[rule].kind === "source" ? 0 : 1);
}

function nameIn(parameters: Readonly<Record<string, string | number>>): string | undefined {
  const name = parameters["name"];
  return typeof name === "string" ? name : undefined;
}

/** Marks a finding that converters of a kept version cover. Such a finding never fails a run, not even with `--strict`. */
export function asConverted(finding: BreakingFinding, version: string): BreakingFinding {
  const note = { message: `Converted for ${version}.` };
  return { ...finding, severity: "warning", notes: [...finding.notes, note] };
}

/** Removes findings that a comment of the new version ignores: `#! ridlkit-ignore method-removed: no client calls it`. */
export function withoutIgnored<Finding extends Diagnostic>(
  found: readonly Finding[],
  scopes: readonly Scope[],
): readonly Finding[] {
  const ignores = new Map(
    scopes.map(({ file }) => [file.source, { file, ignores: new IgnoreComments(file) }]),
  );
  return found.filter(({ name, at }) => {
    const known = at === undefined ? undefined : ignores.get(at.file);
    if (known === undefined || at === undefined) return true;
    return !known.ignores.has(name, { file: known.file, span: at.span, owner: at });
  });
}

/** Reports comments that name no rule. They ignore nothing. */
export function unknownIgnores(scopes: readonly Scope[]): readonly Diagnostic[] {
  return scopes.flatMap(({ file }) => unknownRules(file, new IgnoreComments(file)));
}
