import { type Constraints, unconstrained } from "../../../language/model/meta/read.ts";
import { isAny, type ResolvedType, ridlText } from "../../../language/model/types.ts";
import { pascalCase, withoutEscape } from "../../plan/names.ts";
import type { Facts, PlannedEnum, PlannedField, PlannedStruct, TypeFinder } from "../../plan/plan.ts";
import { innermost, isNamed } from "../../plan/type-graph.ts";
import type { ValueForms } from "../../plan/type-text.ts";
import type { KindUnion } from "../../plan/unions.ts";
import { constraintKey, type Side } from "../../plan/values.ts";
import { literal } from "../text.ts";

/** How a value is checked where it is used. */
export type Check =
  /** An expression that is true if the variable is valid. */
  | { readonly kind: "test"; readonly test: (name: string) => string; readonly fault: FaultCode }
  /** A function that returns the canonical value, or undefined. */
  | { readonly kind: "decode"; readonly functionName: string; readonly fault: FaultCode }
  | FaultsCheck
  | { readonly kind: "any" };

/** A function that returns the faults inside. `call` prints its call; `depth` is an expression. */
export interface FaultsCheck {
  readonly kind: "faults";
  readonly functionName: string;
  readonly call: (value: string, depth: string) => string;
}

/** The arguments of a fault, as expressions. */
export interface FaultCode {
  readonly expected: string;
  /** Undefined if an issue needs none. */
  readonly rules: string | undefined;
}

/** Prints `v.fault(faults, ["name"], "text", name)`. */
export function faultCall(add: string, path: string, { expected, rules }: FaultCode, value: string): string {
  return `${add}, ${path}, ${expected}, ${value}${rules === undefined ? "" : `, ${rules}`})`;
}

/** Prints the rules of a value. Undefined if there are none. `find`: the name of a function of the runtime. */
export function rulesCode({
  find,
  ...rules
}: Readonly<Record<string, number | bigint | string | undefined>>): string | undefined {
  const entries = Object.entries(rules).flatMap(([name, value]) => {
    if (value === undefined || value === Infinity || value === -Infinity) return [];
    const printed = typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    return [`${name}: ${typeof printed === "number" ? printed : literal(String(printed))}`];
  });
  if (find !== undefined) entries.push(`find: v.${find}`);
  return entries.length === 0 ? undefined : `{ ${entries.join(", ")} }`;
}

/** Provides the functions of a file. */
export interface FunctionSource {
  readonly types: TypeFinder;
  readonly side: Side;
  readonly forms: ValueForms;
  readonly depths: DepthRules;
  readonly dialect: Dialect;
  /** All names of the file, which local variables must avoid. */
  readonly names: ReadonlySet<string>;
  /** Returns the check of a type. `name`: for the constant of its pattern, unless the type is an alias. */
  check(constrained: ConstrainedType, name?: string): Check;
  /** Returns the name of a function that tests whether a value is an entry of an enum. */
  enumTest(type: PlannedEnum): string;
  /** Returns the name of a set of the names of a struct's fields. */
  fieldNames(struct: PlannedStruct): string;
  /** Returns the name of a list of the fields that depend on the kind of a struct. */
  kindFields(struct: PlannedStruct, union: KindUnion): string;
}

/** A type with the constraints that apply where it is used: in a field, as an item, or as the target of an alias. */
export interface ConstrainedType {
  readonly type: ResolvedType;
  readonly constraints: Constraints;
}

/** Prints a list of the names of fields. */
export function nameList(fields: readonly PlannedField[]): string {
  return `[${fields.map(({ wireName }) => literal(wireName)).join(", ")}]`;
}

/** Returns the type of list items or map values. If it is an alias, its constraints apply. */
export function itemType(type: ResolvedType, types: TypeFinder): ConstrainedType {
  return { type, constraints: type.kind === "alias" ? types.alias(type.name).constraints : unconstrained };
}

/** Whether faults must not quote the value. */
export function isSecret({ constraints }: ConstrainedType): boolean {
  return constraints.secret || constraints.pii;
}

/** Returns the alias whose function can be shared. Undefined if the field has constraints of its own. */
export function aliasOf({ type, constraints }: ConstrainedType, types: TypeFinder): string | undefined {
  if (type.kind !== "alias") return undefined;
  const alias = types.alias(type.name);
  return constraintKey(constraints) === constraintKey(alias.constraints) ? alias.name : undefined;
}

/** Returns a key that is equal for types that can share one function. */
export function constrainedTypeKey(constrained: ConstrainedType, types: TypeFinder): string {
  const alias = aliasOf(constrained, types);
  if (alias !== undefined) return `alias ${alias}`;
  const resolved = types.unaliased(constrained.type);
  if (resolved.kind === "struct" || resolved.kind === "enum") return `${resolved.kind} ${resolved.name}`;
  const key = ridlText(resolved, ({ kind, name }) => `${kind} ${name}`);
  return `${key} ${constraintKey(constrained.constraints)}`;
}

/** How the functions of validators are declared: in TypeScript for files, or in JavaScript to run them at once. */
export interface Dialect {
  /** Returns the first line of a function. `parameters`: names and types. */
  function(name: string, parameters: Readonly<Record<string, string>>, returns: string): string;
  /** Returns `const NAME: TYPE`. */
  constant(name: string, type: string): string;
  /** Returns `let NAME: TYPE`. */
  variable(name: string, type: string): string;
}

export const typescript: Dialect = {
  function: (name, parameters, returns) => {
    const typed = Object.entries(parameters).map(([parameter, type]) => `${parameter}: ${type}`);
    return `function ${name}(${typed.join(", ")}): ${returns} {`;
  },
  constant: (name, type) => `const ${name}: ${type}`,
  variable: (name, type) => `let ${name}: ${type}`,
};

export const javascript: Dialect = {
  function: (name, parameters) => `function ${name}(${Object.keys(parameters).join(", ")}) {`,
  constant: (name) => `const ${name}`,
  variable: (name) => `let ${name}`,
};

/** Returns the first line of a function that returns the faults inside a value. */
export function faultsFunction(dialect: Dialect, name: string, takesDepth: boolean): string {
  const parameters = takesDepth ? { value: "unknown", depth: "number" } : { value: "unknown" };
  return dialect.function(name, parameters, faultsType);
}

/** Returns the declaration of the faults that a function collects. */
export function faultsVariable(dialect: Dialect): string {
  return `${dialect.variable("faults", faultsType)};`;
}

const faultsType = "v.Faults | undefined";

/**
 * Decides which functions count nesting levels: those of recursive types, of types that contain a recursive type, and in
 * requests of types that contain `any`. All other types have a fixed depth.
 */
export class DepthRules {
  readonly #isAnyCounted: boolean;
  readonly #endless: ReadonlySet<string>;
  readonly #counted: ReadonlySet<string>;

  constructor({ endless, counted }: Facts, side: Side) {
    this.#isAnyCounted = side === "request";
    this.#endless = endless;
    this.#counted = this.#isAnyCounted ? counted : endless;
  }

  /** Whether the function of a type has a depth parameter. */
  takesDepth(type: ResolvedType): boolean {
    const end = innermost(type);
    if (isAny(end)) return this.#isAnyCounted;
    return isNamed(end) && this.#counted.has(end.name);
  }

  /** Whether the function must check the depth. Values of other types have a limited depth. */
  checksDepth(type: ResolvedType): boolean {
    const end = innermost(type);
    return isNamed(end) && this.#endless.has(end.name);
  }
}

/** Indents lines by two spaces. */
export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}

/** Longest line with both a condition and its statement, or with all fields of an object. */
export const lineWidth = 100;

/** Moves each `else` to the line of the preceding brace. */
export function joinElse(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    // Few lines contain `else`, and this test is cheaper than looking at the line before.
    const before = line.includes("else") ? joined.at(-1) : undefined;
    if (before?.trim() === "}" && line.startsWith(`${before.slice(0, -1)}else`)) {
      joined[joined.length - 1] = `${before} ${line.trim()}`;
    } else joined.push(line);
  }
  return joined;
}

/**
 * Prints `if (x) y = 1;` on one line if it is short, otherwise as a block. `head` is the part before the statement:
 * `if (x)`, `else`.
 */
export function branch(head: string, statements: readonly string[]): string[] {
  const [only] = statements;
  if (statements.length === 1 && only !== undefined && head.length + only.length < lineWidth)
    return [`${head} ${only}`];
  return [`${head} {`, ...indent(statements), "}"];
}

/** Prints a regular expression literal. `source` escapes slashes: `a/b` → `/a\/b/u`. */
export function regexLiteral(pattern: string): string {
  return `/${new RegExp(pattern, "u").source}/u`;
}

/** Reads a field. Inherited names need a function: `value["name"]`, `v.own(value, "constructor")`. */
export function getField(name: string, object = "value"): string {
  return isInherited(name) ? `v.own(${object}, ${literal(name)})` : `${object}[${literal(name)}]`;
}

/** Prints the assignment of a field of `value`. */
export function setField(name: string, to: string): string {
  return isInherited(name) ? `v.set(value, ${literal(name)}, ${to});` : `value[${literal(name)}] = ${to};`;
}

function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** Negates an expression: `!isAddress(x)`, `typeof x !== "string"`, otherwise with brackets. */
export function negated(test: string): string {
  if (/^[\w$.]+\([\w$.]+\)$/.test(test)) return `!${test}`;
  const comparison = /^((?:typeof )?[\w$]+) === ("[a-z]+"|null)$/.exec(test);
  return comparison === null ? `!(${test})` : `${comparison[1]} !== ${comparison[2]}`;
}

/** Returns a name for a type without one: `[]Address` → `AddressList`. */
export function shapeName(type: ResolvedType): string {
  switch (type.kind) {
    case "list":
      return `${shapeName(type.element)}List`;
    case "map":
      return `${shapeName(type.value)}Map`;
    case "unknown":
      return "Any";
    default:
      return pascalCase(withoutEscape(type.name));
  }
}
