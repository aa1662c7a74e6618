import { valueIdentifier } from "../../plan/names.ts";
import type { PlannedField, PlannedStruct } from "../../plan/plan.ts";
import { coreTypeText } from "../../plan/type-text.ts";
import { excludedBy, type KindUnion, type Union, unionsOf } from "../../plan/unions.ts";
import type { Side } from "../../plan/values.ts";
import { literal, literalValue } from "../text.ts";
import {
  branch,
  type Check,
  type FaultCode,
  type FaultsCheck,
  type FunctionSource,
  faultCall,
  faultsFunction,
  faultsVariable,
  getField,
  indent,
  isSecret,
  lineWidth,
  nameList,
  negated,
  rulesCode,
  setField,
} from "./code.ts";

/** Prints the function that reads a struct, field by field. */
export function structLines(struct: PlannedStruct, name: string, functions: FunctionSource): string[] {
  const type = { kind: "struct", name: struct.name } as const;
  const takesDepth = functions.depths.takesDepth(type);
  const fields = struct.fields.map((field) => new FieldPrinter(field, functions));
  // These come first: they claim names of the file, which local variables must avoid.
  const checks = fields.map((field) => field.check());
  const unions = unionsOf(struct, functions.types).flatMap((union) => unionLines(union, struct, functions));
  const names = functions.side === "request" ? functions.fieldNames(struct) : undefined;
  const locals = new Set<string>();
  const collected = [
    ...fields.flatMap((field, index) => field.lines(checks[index] as Check, locals)),
    ...unions,
  ];
  const lines = declared(collected, faultsVariable(functions.dialect));
  const last = lines.at(-1) ?? "";
  const isReturned = functions.side === "response" && last.startsWith("const faults = ");
  return [
    faultsFunction(functions.dialect, name, takesDepth),
    '  if (!v.isObject(value)) return v.fault(undefined, [], "an object", value);',
    ...(functions.depths.checksDepth(type)
      ? ["  if (depth > v.maxDepth) return v.fault(undefined, [], v.tooDeep, value);"]
      : []),
    ...indent(isReturned ? [...lines.slice(0, -1), last.replace("const faults =", "return")] : lines),
    // Last, because aliases are moved to the names of their fields.
    ...(names === undefined ? [] : [`  v.keepOnly(value, ${names});`]),
    ...(isReturned ? [] : [`  return ${lines.length === 0 ? "undefined" : "faults"};`]),
    "}",
  ];
}

/** Adds the declaration of `faults` to the lines that collect them: as a constant if only one line assigns it. */
function declared(lines: readonly string[], variable: string): readonly string[] {
  if (lines.length === 0) return [];
  const [first, ...more] = lines.filter((line) => /\bfaults = /.test(line));
  if (first === undefined || more.length > 0 || !first.startsWith("faults = ")) return [variable, ...lines];
  return lines.map((line) =>
    line === first ? line.replace(/^faults = (v\.\w+)\(faults, /, "const faults = $1(undefined, ") : line,
  );
}

/** Prints the check that exactly one field of a group is set, or that the fields of the kind are. */
function unionLines(union: Union, struct: PlannedStruct, functions: FunctionSource): string[] {
  if (union.kind !== undefined) return kindLines(union, struct, functions);
  const { members } = union;
  const tests = members.map((member) => `Number(${isSet(member, functions.side)})`);
  return [
    "if (",
    ...indent(joinedBy([...tests.slice(0, -1), `${tests.at(-1)} !== 1`], " +")),
    ") {",
    `  faults = v.notOne(faults, value, ${nameList(members)});`,
    "}",
  ];
}

/**
 * Compares the number of fields that are set with those of the kind. A condition with the names of all other fields would
 * take compilers minutes in a struct with many kinds.
 */
function kindLines(union: KindUnion, struct: PlannedStruct, functions: FunctionSource): string[] {
  const { side } = functions;
  const kind = literal(union.kind.wireName);
  const number = (field: PlannedField): string => `Number(${isSet(field, side)})`;
  // Kinds with the same fields share a case. An invalid kind has a fault already.
  const labels = new Map<string, string[]>();
  for (const one of union.cases) {
    const { required, optional } = one;
    const count = [...(required.length === 0 ? [] : [required.length]), ...optional.map(number)].join(" + ");
    const wrong = [
      ...required.map((field) => isAbsent(field, side)),
      ...(excludedBy(one, union).length === 0 ? [] : [`setCount !== ${count || 0}`]),
    ];
    const names = `${nameList(required)}, ${nameList(optional)}, ${functions.kindFields(struct, union)}`;
    const add = `faults = v.notOfKind(faults, value, ${kind}, ${names});`;
    const head = `if (${wrong.join(" || ")})`;
    const check =
      head.length <= lineWidth
        ? branch(head, [add])
        : ["if (", ...indent(joinedBy(wrong, " ||")), ") {", ...indent([add]), "}"];
    const text = wrong.length === 0 ? "" : check.join("\n");
    labels.set(text, [...(labels.get(text) ?? []), `case ${literal(one.kind.wire)}:`]);
  }
  labels.delete("");
  const cases = [...labels].flatMap(([text, heads]) => [
    ...heads,
    ...indent([...text.split("\n"), "break;"]),
  ]);
  if (cases.length === 0) return [];
  const sum = joinedBy(union.members.map(number), " +");
  const isCounted = cases.some((line) => line.includes("setCount !=="));
  return [
    ...(isCounted ? ["const setCount =", ...indent([...sum.slice(0, -1), `${sum.at(-1)};`])] : []),
    `switch (${getField(union.kind.wireName)}) {`,
    ...indent(cases),
    "}",
  ];
}

/** Appends an operator to all lines but the last. */
function joinedBy(lines: readonly string[], operator: string): readonly string[] {
  return lines.map((line, index) => (index === lines.length - 1 ? line : line + operator));
}

/** The check of a field in a request deletes null. In responses, Go writes null for absent fields. */
function isSet({ wireName }: PlannedField, side: Side): string {
  const field = getField(wireName);
  return side === "request" ? `${field} !== undefined` : `${field} !== undefined && ${field} !== null`;
}

function isAbsent({ wireName }: PlannedField, side: Side): string {
  const field = getField(wireName);
  return side === "request" ? `${field} === undefined` : `${field} === undefined || ${field} === null`;
}

/** The statements for a field that is present, possibly with a condition. */
interface Step {
  readonly condition?: string;
  readonly statements: readonly string[];
}

class FieldPrinter {
  readonly #field: PlannedField;
  readonly #functions: FunctionSource;

  constructor(field: PlannedField, functions: FunctionSource) {
    this.#field = field;
    this.#functions = functions;
  }

  check(): Check {
    return this.#functions.check(this.#field, this.#field.wireName);
  }

  lines(check: Check, locals: Set<string>): string[] {
    const { wireName, aliases, optional, nullable } = this.#field;
    const name = literal(wireName);
    const isRequest = this.#functions.side === "request";
    const hasDefault = isRequest && this.#field.default !== undefined;
    const hasNull = nullable && !hasDefault;
    const renames = isRequest
      ? aliases.map(
          (alias) =>
            `faults = v.rename(faults, value, ${literal(alias)}, ${name}${hasNull ? ", true" : ""});`,
        )
      : [];
    const isRequired = !optional && !nullable && !hasDefault;
    const local = this.#claimLocal(valueIdentifier(wireName), locals);
    if (isRequired) return [...renames, ...this.#nullToEmpty(), ...this.#checkRequired(check, local)];
    if (hasDefault && check.kind === "faults") return [...renames, ...this.#checkWithDefault(check, local)];
    const read = `const ${local} = ${getField(wireName)};`;
    const step = this.#presentStep(check, local);
    if (isRequest) {
      const checks = this.#checkOptional(local, step);
      return [...renames, ...(checks.length === 0 ? [] : [read]), ...checks];
    }
    if (step.statements.length === 0) return [];
    const isPresent = nullable ? `${local} !== undefined && ${local} !== null` : `${local} !== undefined`;
    return [read, ...conditional("if", isPresent, step)];
  }

  /** Claims a name that is unique in the function and in the file. */
  #claimLocal(wanted: string, locals: Set<string>): string {
    let name = wanted;
    for (let count = 2; locals.has(name) || this.#functions.names.has(name); count++)
      name = `${wanted}${count}`;
    locals.add(name);
    return name;
  }

  /** Handles an absent or null field: sets its default, keeps null if the type has it, or deletes the field. */
  #checkOptional(local: string, step: Step): string[] {
    const { wireName, nullable } = this.#field;
    const defaultCode = this.#defaultCode();
    if (defaultCode !== undefined) {
      const isMissing = `${local} === undefined || ${local} === null`;
      return [
        ...branch(`if (${isMissing})`, [setField(wireName, defaultCode)]),
        ...conditional("else", undefined, step),
      ];
    }
    if (nullable) return conditional("if", `${local} !== undefined && ${local} !== null`, step);
    return [
      ...branch(`if (${local} === null)`, [`delete value[${literal(wireName)}];`]),
      ...conditional("else if", `${local} !== undefined`, step),
    ];
  }

  #defaultCode(): string | undefined {
    const { default: value, type } = this.#field;
    if (value === undefined) return undefined;
    const resolved = this.#functions.types.unaliased(type);
    const isDate = resolved.kind === "core" && coreTypeText(resolved.name, this.#functions.forms) === "Date";
    return isDate ? `v.dateOf(${literalValue(value)})` : literalValue(value);
  }

  /**
   * A default list or object is inserted as JSON and then read like a caller's value, because its own fields may have
   * defaults.
   */
  #checkWithDefault(check: FaultsCheck, local: string): string[] {
    const { wireName } = this.#field;
    const isMissing = `${local} === undefined || ${local} === null`;
    return [
      `let ${local} = ${getField(wireName)};`,
      ...branch(`if (${isMissing})`, [`${local} = ${this.#defaultCode()};`, setField(wireName, local)]),
      this.#addInnerFaults(check.call(local, "depth + 1")),
    ];
  }

  /** Replaces null with an empty list, map or byte string, because Go writes null for them. */
  #nullToEmpty(): string[] {
    const { wireName, type } = this.#field;
    const empty = this.#functions.side === "request" ? this.#functions.types.emptyText(type) : undefined;
    if (empty === undefined) return [];
    return branch(`if (${getField(wireName)} === null)`, [setField(wireName, empty)]);
  }

  #checkRequired(check: Check, local: string): string[] {
    const {
      wireName,
      constraints: { message },
    } = this.#field;
    const read = getField(wireName);
    switch (check.kind) {
      case "faults":
        return [this.#addInnerFaults(check.call(read, "depth + 1"))];
      case "decode":
        return this.#decode(check, local, read);
      case "test":
        return [`const ${local} = ${read};`, ...this.#checkTest(check, local)];
      case "any":
        return [
          `const ${local} = ${read};`,
          ...branch(`if (${local} === undefined)`, [
            this.#addFault({ expected: '"any value"', rules: rulesCode({ message }) }, local),
          ]),
          ...branch("else", [this.#addFaultsInAny(local)]),
        ];
    }
  }

  #presentStep(check: Check, local: string): Step {
    switch (check.kind) {
      case "faults":
        return { statements: [this.#addInnerFaults(check.call(local, "depth + 1"))] };
      case "test":
        return {
          condition: negated(check.test(local)),
          statements: [this.#addFault(check.fault, local)],
        };
      case "decode":
        return { statements: this.#decode(check, "item", local) };
      case "any":
        return { statements: [this.#addFaultsInAny(local)] };
    }
  }

  #checkTest(check: Extract<Check, { readonly kind: "test" }>, local: string): string[] {
    return branch(`if (${negated(check.test(local))})`, [this.#addFault(check.fault, local)]);
  }

  #decode(
    { functionName, fault }: Extract<Check, { readonly kind: "decode" }>,
    local: string,
    from: string,
  ): string[] {
    return [
      `const ${local} = ${functionName}(${from});`,
      ...branch(`if (${local} === undefined)`, [this.#addFault(fault, from)]),
      ...branch("else", [setField(this.#field.wireName, local)]),
    ];
  }

  #addFaultsInAny(local: string): string {
    return this.#addInnerFaults(faultsInAny(local, this.#functions));
  }

  #addInnerFaults(faults: string): string {
    const { wireName } = this.#field;
    const add = isSecret(this.#field) ? "inSecret" : "inField";
    return `faults = v.${add}(faults, ${literal(wireName)}, ${faults});`;
  }

  #addFault(fault: FaultCode, value: string): string {
    const add = isSecret(this.#field) ? "secretFault" : "fault";
    return `faults = ${faultCall(`v.${add}(faults`, `[${literal(this.#field.wireName)}]`, fault, value)};`;
  }
}

/** Prints the check of a value of type `any`. */
export function faultsInAny(value: string, { side, forms }: FunctionSource): string {
  if (side === "request") return `v.faultsInAny(${value}, depth + 1)`;
  return `v.${forms.int64 === "bigint" ? "faultsInInt64Json" : "faultsInJson"}(${value})`;
}

/** Adds a condition to a step: `if (a && b) …`, `else if (a) …`, `else …`. */
function conditional(
  keyword: "if" | "else if" | "else",
  condition: string | undefined,
  step: Step,
): string[] {
  if (step.statements.length === 0) return [];
  const both = [condition, step.condition].filter((one) => one !== undefined).join(" && ");
  const head = keyword === "else if" || keyword === "if" ? keyword : both === "" ? "else" : "else if";
  return branch(both === "" ? head : `${head} (${both})`, step.statements);
}
