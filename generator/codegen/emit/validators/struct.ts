import { valueIdentifier } from "../../plan/names.ts";
import type { PlannedField, PlannedStruct } from "../../plan/plan.ts";
import { coreTypeText } from "../../plan/value-forms.ts";
import { literal, literalValue } from "../text.ts";
import type { Check, FunctionSource } from "./check.ts";
import { branch, getField, indent, negated, setField } from "./code.ts";
import { isSecret } from "./constrained-type.ts";

/** The function that reads a struct, field by field. */
export function structLines(struct: PlannedStruct, name: string, book: FunctionSource): string[] {
  const type = { kind: "struct", name: struct.name } as const;
  const takesDepth = book.depths.takesDepth(type);
  const fields = struct.fields.map((field) => new FieldPrinter(field, book));
  // Checks are made first: they claim the names of functions, which locals keep clear of.
  const checks = fields.map((field) => field.check());
  const locals = new Set<string>();
  const lines = fields.flatMap((field, index) => field.lines(checks[index] as Check, locals));
  return [
    `function ${name}(value: unknown${takesDepth ? ", depth: number" : ""}): v.Faults | undefined {`,
    '  if (!v.isObject(value)) return v.fault(undefined, [], "an object", value);',
    ...(book.depths.checksDepth(type)
      ? ["  if (depth > v.maxDepth) return v.fault(undefined, [], v.tooDeep, value);"]
      : []),
    ...(lines.length === 0
      ? ["  return undefined;"]
      : ["  let faults: v.Faults | undefined;", ...indent(lines), "  return faults;"]),
    "}",
  ];
}

/** What is done with a field that is there: statements, perhaps under a condition. */
interface Step {
  readonly condition?: string;
  readonly statements: readonly string[];
}

class FieldPrinter {
  readonly #field: PlannedField;
  readonly #book: FunctionSource;

  constructor(field: PlannedField, book: FunctionSource) {
    this.#field = field;
    this.#book = book;
  }

  check(): Check {
    return this.#book.check(this.#field, this.#field.wireName);
  }

  lines(check: Check, locals: Set<string>): string[] {
    const { wireName, aliases, optional, nullable } = this.#field;
    const name = literal(wireName);
    const isRequest = this.#book.side === "request";
    const renames = isRequest
      ? aliases.map((alias) => `faults = v.rename(faults, value, ${literal(alias)}, ${name});`)
      : [];
    const hasDefault = isRequest && this.#field.default !== undefined;
    const isRequired = !optional && !nullable && !hasDefault;
    const local = this.#claimLocal(valueIdentifier(wireName), locals);
    if (isRequired) return [...renames, ...this.#emptied(), ...this.#required(check, local)];
    if (hasDefault && check.kind === "faults") return [...renames, ...this.#filled(check, local)];
    const read = `const ${local} = ${getField(wireName)};`;
    const step = this.#present(check, local);
    if (isRequest) return [...renames, read, ...this.#optional(local, step)];
    if (step.statements.length === 0) return [];
    const isThere = nullable ? `${local} !== undefined && ${local} !== null` : `${local} !== undefined`;
    return [read, ...under("if", isThere, step)];
  }

  /** A name that nothing else in the function or the file has. */
  #claimLocal(wanted: string, locals: Set<string>): string {
    let name = wanted;
    for (let count = 2; locals.has(name) || this.#book.names.has(name); count++) name = `${wanted}${count}`;
    locals.add(name);
    return name;
  }

  /** `null` and nothing are the same: the default if there is one, null where the type says so, else the field goes. */
  #optional(local: string, step: Step): string[] {
    const { wireName, nullable } = this.#field;
    const byDefault = this.#defaultCode();
    if (byDefault !== undefined) {
      const isMissing = `${local} === undefined || ${local} === null`;
      return [
        ...branch(`if (${isMissing})`, [setField(wireName, byDefault)]),
        ...under("else", undefined, step),
      ];
    }
    if (nullable) {
      return [
        ...branch(`if (${local} === undefined)`, [setField(wireName, "null")]),
        ...under("else if", `${local} !== null`, step),
      ];
    }
    return [
      ...branch(`if (${local} === null)`, [`delete value[${literal(wireName)}];`]),
      ...under("else if", `${local} !== undefined`, step),
    ];
  }

  #defaultCode(): string | undefined {
    const { default: value, type } = this.#field;
    if (value === undefined) return undefined;
    const end = this.#book.types.unaliased(type);
    const isDate = end.kind === "core" && coreTypeText(end.name, this.#book.forms) === "Date";
    return isDate ? `v.dateOf(${literalValue(value)})` : literalValue(value);
  }

  /** A list or an object stands there as JSON has it, and is read like one that the caller sent: its own parts may have defaults. */
  #filled(check: Extract<Check, { readonly kind: "faults" }>, local: string): string[] {
    const { wireName } = this.#field;
    const isMissing = `${local} === undefined || ${local} === null`;
    return [
      `let ${local} = ${getField(wireName)};`,
      ...branch(`if (${isMissing})`, [`${local} = ${this.#defaultCode()};`, setField(wireName, local)]),
      this.#within(check.call(local, "depth + 1")),
    ];
  }

  /** Go writes an empty list, map or bytes as null. */
  #emptied(): string[] {
    const { wireName, type } = this.#field;
    const empty = this.#book.side === "request" ? this.#book.types.emptyText(type) : undefined;
    if (empty === undefined) return [];
    return branch(`if (${getField(wireName)} === null)`, [setField(wireName, empty)]);
  }

  #required(check: Check, local: string): string[] {
    const { wireName } = this.#field;
    const read = getField(wireName);
    switch (check.kind) {
      case "faults":
        return [this.#within(check.call(read, "depth + 1"))];
      case "decode":
        return this.#decoded(check, local, read);
      case "test":
        return [`const ${local} = ${read};`, ...this.#tested(check, local)];
      case "any":
        return [
          `const ${local} = ${read};`,
          ...branch(`if (${local} === undefined)`, [this.#fault('"any value"', local)]),
          ...(this.#book.side === "request" ? branch("else", [this.#anyWithin(local)]) : []),
        ];
    }
  }

  #present(check: Check, local: string): Step {
    switch (check.kind) {
      case "faults":
        return { statements: [this.#within(check.call(local, "depth + 1"))] };
      case "test":
        return {
          condition: negated(check.test(local)),
          statements: [this.#fault(check.expected, local)],
        };
      case "decode":
        return { statements: this.#decoded(check, "item", local) };
      case "any":
        return { statements: this.#book.side === "request" ? [this.#anyWithin(local)] : [] };
    }
  }

  #tested(check: Extract<Check, { readonly kind: "test" }>, local: string): string[] {
    return branch(`if (${negated(check.test(local))})`, [this.#fault(check.expected, local)]);
  }

  #decoded(
    { functionName, expected }: Extract<Check, { readonly kind: "decode" }>,
    local: string,
    from: string,
  ): string[] {
    return [
      `const ${local} = ${functionName}(${from});`,
      ...branch(`if (${local} === undefined)`, [this.#fault(expected, from)]),
      ...branch("else", [setField(this.#field.wireName, local)]),
    ];
  }

  #anyWithin(local: string): string {
    return this.#within(`v.faultsInAny(${local}, depth + 1)`);
  }

  #within(faults: string): string {
    const { wireName } = this.#field;
    const add = isSecret(this.#field) ? "inSecret" : "inField";
    return `faults = v.${add}(faults, ${literal(wireName)}, ${faults});`;
  }

  #fault(expected: string, value: string): string {
    const add = isSecret(this.#field) ? "secretFault" : "fault";
    return `faults = v.${add}(faults, [${literal(this.#field.wireName)}], ${expected}, ${value});`;
  }
}

/** A step under one more condition: `if (a && b) …`, `else if (a) …`, `else …`. */
function under(keyword: "if" | "else if" | "else", condition: string | undefined, step: Step): string[] {
  if (step.statements.length === 0) return [];
  const both = [condition, step.condition].filter((one) => one !== undefined).join(" && ");
  const head = keyword === "else if" || keyword === "if" ? keyword : both === "" ? "else" : "else if";
  return branch(both === "" ? head : `${head} (${both})`, step.statements);
}
