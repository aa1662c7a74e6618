import type { PlannedField, PlannedStruct } from "../../plan/plan.ts";
import { camelCase, claimName } from "../../plan/names.ts";
import { valueOf } from "../../plan/value.ts";
import { literal } from "../text.ts";
import type { Check, FunctionBook } from "./book.ts";
import { fieldPath, getField, indent, negated, setField } from "./code.ts";
import { isSecret } from "./site.ts";

/** The function that reads a struct, field by field. */
export function structLines(struct: PlannedStruct, name: string, book: FunctionBook): string[] {
  const type = { kind: "struct", name: struct.name } as const;
  const takesDepth = book.depths.isNeeded(type);
  const fields = struct.fields.map((field) => new FieldPrinter(field, book));
  // Checks are made first: they claim the names of functions, which locals keep clear of.
  const checks = fields.map((field) => field.check());
  const locals = new Set(book.names);
  const lines = fields.flatMap((field, index) => field.lines(checks[index] as Check, locals));
  return [
    `function ${name}(value: unknown${takesDepth ? ", depth: number" : ""}): v.Faults | undefined {`,
    '  if (!v.isObject(value)) return v.fault(undefined, "", "an object", value);',
    ...(takesDepth ? ['  if (depth > v.maxDepth) return v.fault(undefined, "", v.tooDeep, value);'] : []),
    ...(lines.length === 0
      ? ["  return undefined;"]
      : ["  let faults: v.Faults | undefined;", ...indent(lines), "  return faults;"]),
    "}",
  ];
}

class FieldPrinter {
  readonly #field: PlannedField;
  readonly #book: FunctionBook;

  constructor(field: PlannedField, book: FunctionBook) {
    this.#field = field;
    this.#book = book;
  }

  check(): Check {
    return this.#book.check(this.#field);
  }

  lines(check: Check, locals: Set<string>): string[] {
    const { wireName, aliases, optional, nullable } = this.#field;
    const name = literal(wireName);
    const isRequest = this.#book.side === "request";
    const renames = isRequest ? aliases.map((alias) => `v.rename(value, ${literal(alias)}, ${name});`) : [];
    const mayLack = optional || nullable;
    if (!mayLack) return [...renames, ...this.#required(check, locals)];
    const local = claimName(camelCase(wireName), locals);
    const read = `const ${local} = ${getField(wireName)};`;
    const present = this.#present(check, local);
    if (isRequest) return [...renames, read, ...this.#optional(local, present)];
    const isThere = nullable ? `${local} !== undefined && ${local} !== null` : `${local} !== undefined`;
    if (present.length === 0) return [];
    return [read, ...guarded(`if (${isThere})`, present)];
  }

  /** `null` and nothing are the same: the default if there is one, null where the type says so, else the field goes. */
  #optional(local: string, present: readonly string[]): string[] {
    const { wireName, nullable, type, constraints } = this.#field;
    const byDefault = constraints.default === undefined ? undefined : valueOf(constraints.default, type, this.#book.types);
    if (byDefault !== undefined) {
      const missing = setField(wireName, this.#defaultCode(byDefault));
      return [`if (${local} === undefined || ${local} === null) ${missing}`, ...guarded("else", present)];
    }
    if (nullable) {
      return [
        `if (${local} === undefined) ${setField(wireName, "null")}`,
        ...guarded(`else if (${local} !== null)`, present),
      ];
    }
    return [
      `if (${local} === null) delete value[${literal(wireName)}];`,
      ...guarded(`else if (${local} !== undefined)`, present),
    ];
  }

  #defaultCode(value: unknown): string {
    const { type, constraints } = this.#field;
    const end = this.#book.types.end(type);
    if (end.kind === "core" && end.name === "bigint") return `${String(value)}n`;
    if (typeof value === "string") return literal(constraints.normalize === "lowercase" ? value.toLowerCase() : value);
    return JSON.stringify(value);
  }

  #required(check: Check, locals: Set<string>): string[] {
    const { wireName } = this.#field;
    const read = getField(wireName);
    if (check.kind === "faults") return [this.#within(check.call(read, "depth + 1"))];
    const local = claimName(camelCase(wireName), locals);
    if (check.kind === "decode") {
      return [
        `const ${local} = ${check.functionName}(${read});`,
        `if (${local} === undefined) ${this.#fault(check.expected, read)}`,
        `else ${setField(wireName, local)}`,
      ];
    }
    if (check.kind === "test") {
      return [
        `const ${local} = ${read};`,
        `if (${negated(check.test(local))}) ${this.#fault(check.expected, local)}`,
      ];
    }
    const lacks = `if (${local} === undefined) ${this.#fault('"any value"', local)}`;
    const inside = this.#book.side === "request" ? [`else ${this.#anyWithin(local)}`] : [];
    return [`const ${local} = ${read};`, lacks, ...inside];
  }

  /** Statements for a value that is there. */
  #present(check: Check, local: string): string[] {
    const { wireName } = this.#field;
    switch (check.kind) {
      case "faults":
        return [this.#within(check.call(local, "depth + 1"))];
      case "test":
        return [`if (${negated(check.test(local))}) ${this.#fault(check.expected, local)}`];
      case "decode":
        return [
          `const item = ${check.functionName}(${local});`,
          `if (item === undefined) ${this.#fault(check.expected, local)}`,
          `else ${setField(wireName, "item")}`,
        ];
      case "any":
        return this.#book.side === "request" ? [this.#anyWithin(local)] : [];
    }
  }

  #anyWithin(local: string): string {
    return this.#within(`v.faultsInAny(${local}, depth + 1)`);
  }

  #within(faults: string): string {
    const { wireName } = this.#field;
    const add = isSecret(this.#field) ? "inSecretField" : "inField";
    return `faults = v.${add}(faults, ${fieldPath(wireName)}, ${faults});`;
  }

  #fault(expected: string, value: string): string {
    const add = isSecret(this.#field) ? "secretFault" : "fault";
    return `faults = v.${add}(faults, ${fieldPath(this.#field.wireName)}, ${expected}, ${value});`;
  }
}

/** A statement under a condition, on one line if it is one. */
function guarded(condition: string, statements: readonly string[]): string[] {
  const [only] = statements;
  if (only === undefined) return [];
  if (statements.length > 1) return [`${condition} {`, ...indent(statements), "}"];
  return [`${condition} ${only}`];
}
