import { unconstrained } from "../../../language/model/meta/read.ts";
import type { EmittedFile } from "../../options.ts";
import { camelCase, withoutEscape } from "../../plan/names.ts";
import type { Plan, PlannedType } from "../../plan/plan.ts";
import { withHolders } from "../../plan/type-graph.ts";
import { contractExport, Imports } from "../imports.ts";
import { header, literal } from "../text.ts";
import { type Check, type ConstrainedType, isSecret, joinElse } from "../validators/code.ts";
import { type Declaration, FunctionRegistry } from "../validators/function-registry.ts";
import { jsonSchemaFile } from "./json-schema-file.ts";

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
    ...(usesRuntime ? ["", contractExport] : []),
  ];
  return [{ path: "standard-schema.ts", text: textOf([head, ...blocks]) }, jsonSchemaFile(plan, included)];
}

function readerOf({ type }: SchemaType): string {
  return `read${type.name}`;
}

function schemaLines(one: SchemaType, imports: Imports): readonly string[] {
  const input = imports.type("./types.ts", one.input);
  const output = imports.type("./types.ts", one.output);
  return [
    `export const ${one.constant}: v.StandardSchema<${input}, ${output}> =`,
    `  /* @__PURE__ */ v.standardSchema(${readerOf(one)});`,
  ];
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
  const faultOf = (expected: string): string => `v.${add}(undefined, [], ${expected}, ${value})`;
  switch (check.kind) {
    case "faults": {
      const call = check.call(value, "1");
      return [`return ${isHidden ? `${call} && ${faultOf(secretExpected)}` : call};`];
    }
    case "test":
      return [
        `const { value } = holder;`,
        `return ${check.test("value")} ? undefined : ${faultOf(check.expected)};`,
      ];
    case "decode":
      return [
        `const own = ${check.functionName}(${value});`,
        `if (own === undefined) return ${faultOf(check.expected)};`,
        `${value} = own;`,
        "return undefined;",
      ];
    case "any":
      return [
        `return ${value} === undefined ? ${faultOf(literal("any value"))} : v.faultsInAny(${value}, 1);`,
      ];
  }
}

function blocksOf(declarations: readonly Declaration[]): readonly (readonly string[])[] {
  const isConstant = ({ lines: [first = ""] }: Declaration): boolean => first.startsWith("const ");
  const constants = declarations.filter(isConstant).flatMap(({ lines }) => lines);
  const functions = declarations.filter((one) => !isConstant(one)).map(({ lines }) => lines);
  return constants.length === 0 ? functions : [constants, ...functions];
}

function textOf(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map((lines) => joinElse(lines).join("\n")).join("\n\n")}\n`;
}

/** A type that gets a schema. */
export interface SchemaType {
  readonly type: PlannedType;
  /** Name of its constant: `orderSchema`. */
  readonly constant: string;
  /** The TypeScript type that callers write: `OrderInput`. */
  readonly input: string;
  /** The TypeScript type of the validated value: `OrderWithDefaults`. */
  readonly output: string;
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
  const withFiles = withHolders(
    types.filter((type) => type.kind === "struct" && type.files !== undefined).map(({ name }) => name),
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
    })),
    withFiles: wanted.filter(({ name }) => withFiles.has(name)).map(({ name }) => name),
  };
}

function constrainedType(type: PlannedType): ConstrainedType {
  const constraints = type.kind === "alias" ? type.constraints : unconstrained;
  return { type: { kind: type.kind, name: type.name }, constraints };
}
