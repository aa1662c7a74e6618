import { coreTypeNames } from "../../../language/model/core-types.ts";
import { unconstrained } from "../../../language/model/meta/read.ts";
import type { EmittedFile } from "../../options.ts";
import type { Json } from "../../plan/json.ts";
import { camelCase, claimName, withoutEscape } from "../../plan/names.ts";
import type { Plan, PlannedField, PlannedType } from "../../plan/plan.ts";
import { reachable } from "../../plan/type-graph.ts";
import { coreTypeText } from "../../plan/type-text.ts";
import type { Side } from "../../plan/values.ts";
import { isConstant } from "../equal-code.ts";
import { contractCheck, Imports } from "../imports.ts";
import type { Schema } from "../json-schema/schema-builder.ts";
import { typeSchema } from "../json-schema/type-schema.ts";
import { header, literal, literalKey, literalValue } from "../text.ts";
import { type Check, type ConstrainedType, faultCall, isSecret, joinElse } from "../validators/code.ts";
import { FunctionRegistry, type ValidatorDeclaration } from "../validators/function-registry.ts";

/**
 * Emits `standard-schema.ts` with a constant for each type and each request. The file has its own validators instead of
 * those of the server, so that each constant includes only what it uses. `standard-json-schema.ts` has the same constants with JSON
 * Schemas.
 */
export function emitStandardSchema(plan: Plan): readonly EmittedFile[] {
  const registry = new FunctionRegistry(plan, "request");
  const { included, withFiles } = schemaTypes(plan, (wanted) => registry.claim(wanted));
  for (const one of included) {
    const name = readerOf(one);
    registry.root(name, () => readerLines(name, one, registry));
  }
  const declarations = registry.printAll();
  const imports = new Imports([
    ...included.map(({ constant }) => constant),
    ...declarations.map(({ name }) => name),
  ]);
  const schemas = included.map((one) => schemaLines(one, imports));
  const notes = withFiles.map((name) => [`// ${literal(name)} is omitted: it contains files.`]);
  const blocks = [...schemas, ...notes, ...blocksOf(declarations)];
  const runtime = 'import * as v from "ridlkit-runtime/validation";';
  const usesRuntime = included.length > 0;
  const head = [
    header(plan.schemaFile),
    ...(usesRuntime ? [runtime] : []),
    ...imports.lines(),
    ...(usesRuntime ? ["", contractCheck] : []),
  ];
  return [{ path: "standard-schema.ts", text: textOf([head, ...blocks]) }, jsonSchemaFile(plan, included)];
}

function readerOf({ type }: SchemaType): string {
  return `read${type.name}`;
}

function schemaLines(one: SchemaType, imports: Imports): readonly string[] {
  return [
    `export const ${one.constant}: v.StandardSchema<${typeArguments(one, imports)}> =`,
    `  /* @__PURE__ */ v.standardSchema(${readerOf(one)});`,
  ];
}

/** Forms have plain values, which validation brands. */
function typeArguments({ input, output, isBranded }: SchemaType, imports: Imports): string {
  const type = imports.type("./types.ts", input);
  const written = isBranded ? `${imports.type("ridlkit-runtime/brand", "Unbranded")}<${type}>` : type;
  return `${written}, ${imports.type("./types.ts", output)}`;
}

function readerLines(name: string, { type }: SchemaType, registry: FunctionRegistry): string[] {
  const constrained = constrainedType(type);
  const lines = statements(registry.check(constrained), isSecret(constrained));
  return [
    `function ${name}(holder: v.Holder): v.Faults | undefined {`,
    ...lines.map((line) => `  ${line}`),
    "}",
  ];
}

/** The kind of a value that is secret as a whole is all that an issue says. */
const secretExpected = literal("a valid value");

function statements(check: Check, isHidden: boolean): readonly string[] {
  const value = "holder.value";
  const add = isHidden ? "secretFault" : "fault";
  const faultOf = (expected: string, rules?: string): string =>
    faultCall(`v.${add}(undefined`, "[]", { expected, rules }, value);
  switch (check.kind) {
    case "faults": {
      const call = check.call(value, "1");
      return [`return ${isHidden ? `${call} && ${faultOf(secretExpected)}` : call};`];
    }
    case "test":
      return [
        `const { value } = holder;`,
        `return ${check.test("value")} ? undefined : ${faultOf(check.fault.expected, check.fault.rules)};`,
      ];
    case "decode":
      return [
        `const own = ${check.functionName}(${value});`,
        `if (own === undefined) return ${faultOf(check.fault.expected, check.fault.rules)};`,
        `${value} = own;`,
        "return undefined;",
      ];
    case "any":
      return [
        `return ${value} === undefined ? ${faultOf(literal("any value"))} : v.faultsInAny(${value}, 1);`,
      ];
  }
}

function blocksOf(declarations: readonly ValidatorDeclaration[]): readonly (readonly string[])[] {
  const constants = declarations.filter(({ lines }) => isConstant(lines)).flatMap(({ lines }) => lines);
  const functions = declarations.filter(({ lines }) => !isConstant(lines)).map(({ lines }) => lines);
  return constants.length === 0 ? functions : [constants, ...functions];
}

function textOf(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map((lines) => joinElse(lines).join("\n")).join("\n\n")}\n`;
}

/** A type that gets a schema. */
interface SchemaType {
  readonly type: PlannedType;
  /** Name of its constant: `orderSchema`. */
  readonly constant: string;
  /** The TypeScript type that callers write: `OrderInput`. */
  readonly input: string;
  /** The TypeScript type of the validated value: `OrderWithDefaults`. */
  readonly output: string;
  /** Whether its values contain branded ones. */
  readonly isBranded: boolean;
}

interface SchemaTypes {
  readonly included: readonly SchemaType[];
  /** Names of types with files, which JSON cannot represent. */
  readonly withFiles: readonly string[];
}

/** Returns the types of the schema and the requests of its methods. `claim` returns a unique name. */
function schemaTypes(plan: Plan, claim: (wanted: string) => string): SchemaTypes {
  const { types, services, facts, callerTypes, handlerTypes } = plan;
  const responses = services.flatMap(({ methods }) =>
    methods.flatMap(({ response }) => (response.isOwn ? [response.typeName] : [])),
  );
  const ownResponses = new Set(responses);
  const withFiles = reachable(
    types.filter((type) => type.kind === "struct" && type.files !== undefined).map(({ name }) => name),
    facts.holders,
  );
  const brands = types.filter((type) => type.kind === "alias" && type.brander !== undefined);
  const branded = reachable(
    brands.map(({ name }) => name),
    facts.holders,
  );
  const wanted = types.filter(({ name }) => !ownResponses.has(name));
  const included = wanted.filter(({ name }) => !withFiles.has(name));
  return {
    included: included.map((type) => ({
      type,
      constant: claim(`${camelCase(withoutEscape(type.name))}Schema`),
      input: callerTypes.get(type.name) ?? type.name,
      output: handlerTypes.get(type.name) ?? type.name,
      isBranded: branded.has(type.name),
    })),
    withFiles: wanted.filter(({ name }) => withFiles.has(name)).map(({ name }) => name),
  };
}

function constrainedType(type: PlannedType): ConstrainedType {
  const constraints = type.kind === "alias" ? type.constraints : unconstrained;
  return { type: { kind: type.kind, name: type.name }, constraints };
}

/** The JSON Schema of a type on one side. */
interface Definition {
  readonly schema: Schema;
  /** Names of the types to which the schema refers. */
  readonly uses: ReadonlySet<string>;
}

/**
 * Emits `standard-json-schema.ts`. Each definition is a constant, so that a bundle includes only those of the types that it
 * uses.
 */
function jsonSchemaFile(plan: Plan, included: readonly SchemaType[]): EmittedFile {
  const taken = new Set(["j", "s", ...included.map(({ constant }) => constant)]);
  const inputs = definitionsOf(plan.types, "request", plan);
  const outputs = definitionsOf(plan.types.map(asValidated), "response", plan);
  const differing = plan.types.filter(({ name }) => !isSame(inputs.get(name), outputs.get(name)));
  const split = reachable(
    differing.map(({ name }) => name),
    plan.facts.holders,
  );
  const claimFor = ({ type: { name } }: SchemaType, suffix: string): readonly [string, string] => [
    name,
    claimName(camelCase(withoutEscape(name)) + suffix, taken),
  ];
  const inputNames = new Map(
    included.map((one) => claimFor(one, split.has(one.type.name) ? "Input" : "Definition")),
  );
  const outputNames = new Map(
    included.filter(({ type }) => split.has(type.name)).map((one) => claimFor(one, "Output")),
  );
  const inputOf = (name: string): string => inputNames.get(name) ?? name;
  const outputOf = (name: string): string => outputNames.get(name) ?? inputOf(name);
  const hidden = withoutJson(plan);
  const imports = new Imports(taken);
  const schemas = included.map((one) => {
    const { type, constant } = one;
    const outputDefinition = hidden.has(type.name) ? "undefined" : outputOf(type.name);
    return [
      `export const ${constant}: j.StandardJsonSchema<${typeArguments(one, imports)}> =`,
      `  /* @__PURE__ */ j.withJsonSchema(s.${constant}, ${inputOf(type.name)}, ${outputDefinition});`,
    ].join("\n");
  });
  const print = (
    name: string,
    all: typeof inputs,
    constantOf: (name: string) => string,
  ): readonly string[] => {
    const definition = all.get(name);
    return definition === undefined ? [] : [definitionText(constantOf(name), name, definition, constantOf)];
  };
  const printed = included.flatMap(({ type: { name } }) => [
    ...print(name, inputs, inputOf),
    ...(split.has(name) && !hidden.has(name) ? print(name, outputs, outputOf) : []),
  ]);
  const namespaces =
    included.length === 0
      ? []
      : ['import * as j from "ridlkit-runtime/validation";', 'import * as s from "./standard-schema.ts";'];
  const head = [header(plan.schemaFile), ...namespaces, ...imports.lines()].join("\n");
  // Constants are initialized in their order, so definitions come first.
  return { path: "standard-json-schema.ts", text: `${[head, ...printed, ...schemas].join("\n\n")}\n` };
}

function definitionsOf(
  types: readonly PlannedType[],
  side: Side,
  { finder, int64 }: Plan,
): ReadonlyMap<string, Definition> {
  return new Map(
    types.map((type) => {
      const uses = new Set<string>();
      const nameOf = (name: string): string => {
        uses.add(name);
        return withoutEscape(name);
      };
      const variants = { root: "#/$defs/", int64, isCanonical: false, isSplit: () => false, nameOf };
      return [type.name, { schema: typeSchema(type, side, variants, finder), uses }];
    }),
  );
}

/** Returns a type as validation returns its values: with defaults, under their own names. */
function asValidated(type: PlannedType): PlannedType {
  return type.kind === "struct" ? { ...type, fields: type.fields.map(validatedField) } : type;
}

function validatedField(field: PlannedField): PlannedField {
  const { default: value, ...rest } = field;
  const filled = value === undefined ? {} : { optional: false, nullable: false };
  return { ...rest, ...filled, twins: [] };
}

function isSame(one: Definition | undefined, other: Definition | undefined): boolean {
  return JSON.stringify(one?.schema) === JSON.stringify(other?.schema);
}

/** Returns the names of types whose validated values contain bigints or Dates. */
function withoutJson(plan: Plan): ReadonlySet<string> {
  const cores = coreTypeNames.filter((name) => ["bigint", "Date"].includes(coreTypeText(name, plan)));
  return reachable(cores, plan.facts.holders);
}

function definitionText(
  constant: string,
  name: string,
  { schema, uses }: Definition,
  constantOf: (name: string) => string,
): string {
  const used = [...uses].map(constantOf).join(", ");
  return [
    `const ${constant}: j.Definition = {`,
    `  name: ${literal(withoutEscape(name))},`,
    `  schema: ${jsonText(schema, "  ")},`,
    `  uses: () => [${used}],`,
    "};",
  ].join("\n");
}

/** Longest object or list on one line. */
const lineWidth = 100;

/** Prints JSON as code, over several lines if it is long. */
function jsonText(value: Json, indent: string): string {
  const line = literalValue(value);
  if (line.length + indent.length <= lineWidth || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => jsonText(item, inner))
    : Object.entries(value).map(([key, item]) => `${literalKey(key)}: ${jsonText(item, inner)}`);
  const [start, end] = Array.isArray(value) ? "[]" : "{}";
  return `${start}\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}${end}`;
}
