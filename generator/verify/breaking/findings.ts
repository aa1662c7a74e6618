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
  /** Whether a server that keeps the earlier version converts its calls despite the change. Default: false. */
  readonly isConvertible?: boolean;
  /** Such a server omits what it cannot convert: data of an error. Default: false. */
  readonly isOmitted?: boolean;
}

/** The item of the schema that a finding is about, or the closest item around it that the new version still has. */
export interface SchemaItem {
  /** The name in messages: `Pet.age`. */
  readonly name: string;
  /** Location in the new version. */
  readonly at: Location;
  /** Location in the old version. */
  readonly before?: Location | undefined;
  /** The derived struct that is or contains the item. */
  readonly derived?: { readonly struct: string; readonly source: string } | undefined;
}

export interface FindingExtras {
  readonly note?: string | undefined;
  /** Default: the item that the message names. */
  readonly items?: readonly string[];
  /** Default: as in the rule. */
  readonly isConvertible?: boolean;
}

/** A finding of an edit, which may be reported under another name, at another location, and with more notes. */
interface FoundEdit {
  readonly rule: BreakingRuleName;
  readonly item: SchemaItem;
  readonly edit: string;
  readonly finding: BreakingFinding;
  reported(nameOf: (name: string) => string, at: Location, note: string): BreakingFinding;
}

/**
 * Collects findings, one for each edit. An edit that breaks both requests and responses, or forty methods, is reported once, where it
 * was made, with its worst consequence.
 */
export class Findings {
  readonly #byEdit = new Map<string, FoundEdit>();
  readonly #part: "calls" | "error data";

  constructor(part: "calls" | "error data" = "calls") {
    this.#part = part;
  }

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
    if (known !== undefined && rank(known.rule) >= rank(rule)) return;
    const notes: Note[] = [
      ...(note === undefined ? [] : [{ message: note }]),
      ...(item.before === undefined ? [] : [{ message: "The earlier version is here.", at: item.before }]),
    ];
    const isOmitted = this.#part === "error data" && !isConvertible;
    const shared = { items, isConvertible: isConvertible || isOmitted, isOmitted };
    this.#byEdit.set(key, {
      rule,
      item,
      edit,
      finding: { ...diagnose(rule, parameters, at, { notes }), ...shared },
      reported: (nameOf, place, message) => {
        const name = nameIn(parameters);
        const renamed = { ...parameters, ...(name !== undefined && { name: nameOf(name) }) };
        const found = diagnose(rule, renamed, place, { notes: [...notes, { message }] });
        return { ...found, ...shared, items: items.map(nameOf) };
      },
    });
  }

  /** Adds the findings of another part, unless the same edit has one that is as bad. */
  addAll(others: Findings): void {
    for (const [key, other] of others.#byEdit) {
      const known = this.#byEdit.get(key);
      if (known === undefined || rank(known.rule) < rank(other.rule)) this.#byEdit.set(key, other);
    }
  }

  get isEmpty(): boolean {
    return this.#byEdit.size === 0;
  }

  /** Whether a finding affects calls, not only source code. */
  get changesCalls(): boolean {
    return [...this.#byEdit.values()].some(({ rule }) => breakingRules[rule].kind !== "source");
  }

  /** Whether a server that speaks both versions converts all changes of calls. */
  get isConvertible(): boolean {
    return [...this.#byEdit.values()].every(
      ({ rule, finding }) => finding.isConvertible === true || breakingRules[rule].kind === "source",
    );
  }

  get breaks(): boolean {
    return [...this.#byEdit.values()].some(({ rule }) => catalog[rule].severity === "error");
  }

  /** An edit of a field is reported once, even if derived structs have the field, too. */
  all(): readonly BreakingFinding[] {
    const byField = new Map<string, FoundEdit[]>();
    for (const found of this.#byEdit.values()) {
      const key = `${sourceName(found.item, found.item.name)}\0${found.edit}`;
      byField.set(key, [...(byField.get(key) ?? []), found]);
    }
    return [...byField.values()].flatMap((found) =>
      found.length > 1 && found.some(({ item }) => item.derived !== undefined)
        ? merged(found)
        : found.map(({ finding }) => finding),
    );
  }

  /** The message of the first finding. */
  get reason(): string | undefined {
    const [first] = this.#byEdit.values();
    return first?.finding.message;
  }
}

/** Returns the name of an item with the source of its derived struct: `Pet.age` for `NewPet.age`. */
function sourceName({ derived }: SchemaItem, name: string): string {
  if (derived === undefined || name.split(".")[0] !== derived.struct) return name;
  return `${derived.source}${name.slice(derived.struct.length)}`;
}

/** Returns the worst finding of an edit, about the struct from which the others are derived. */
function merged(edits: readonly FoundEdit[]): readonly BreakingFinding[] {
  const badness = ({ rule, finding }: FoundEdit): number =>
    2 * rank(rule) + (finding.isConvertible === true ? 0 : 1);
  const found = [...edits].sort(byLocation);
  const own = found.find(({ item }) => item.derived === undefined);
  const [worst] = [...found].sort((a, b) => badness(b) - badness(a));
  if (worst === undefined) return [];
  const derived = found.flatMap(({ item }) => item.derived ?? []);
  const names = [...new Set(derived.map(({ struct }) => `"${struct}"`))];
  const [are, change] = names.length === 1 ? ["is", "changes"] : ["are", "change"];
  const note = `${names.join(" and ")}, which ${are} derived from "${derived[0]?.source}", ${change} with it.`;
  return [worst.reported((name) => sourceName(worst.item, name), (own ?? worst).item.at, note)];
}

function byLocation({ item: { at: a } }: FoundEdit, { item: { at: b } }: FoundEdit): number {
  if (a.file.path !== b.file.path) return a.file.path < b.file.path ? -1 : 1;
  return a.span.start - b.span.start;
}

function rank(rule: BreakingRuleName): number {
  return (catalog[rule].severity === "error" ? 2 : 0) + (breakingRules[rule].kind === "source" ? 0 : 1);
}

function nameIn(parameters: Readonly<Record<string, string | number>>): string | undefined {
  const name = parameters["name"];
  return typeof name === "string" ? name : undefined;
}

/**
 * Marks a finding that converters of a kept version cover. Such a finding never fails a run, not even with `--strict`.
 * `byHand`: the compiler requires functions for some of the changes.
 */
export function asConverted(
  finding: BreakingFinding,
  { version, byHand }: { readonly version: string; readonly byHand: boolean },
): BreakingFinding {
  const message =
    finding.isOmitted === true
      ? `Clients of ${version} get the error without data that they cannot read.`
      : `Converted for ${version}${byHand ? ", by your function where no rule converts it" : ""}.`;
  return { ...finding, severity: "warning", notes: [...finding.notes, { message }] };
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
