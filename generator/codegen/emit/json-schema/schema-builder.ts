import {
  type BigIntegerRange,
  type CoreType,
  coreTypes,
  type FormattedDescriptor,
  type IntegerDescriptor,
  type IntegerRange,
} from "../../../language/model/core-types.ts";
import type { AcceptedForm } from "../../../language/model/meta/keys.ts";
import { type Constraints, unconstrained } from "../../../language/model/meta/read.ts";
import { isBytes, type MapKeyType, type ResolvedType } from "../../../language/model/types.ts";
import type { Json } from "../../plan/json.ts";
import type { TypeFinder } from "../../plan/plan.ts";
import { bigintRange, type Int64Form } from "../../plan/type-text.ts";
import { constraintKey, type Side } from "../../plan/values.ts";

/** A schema object. */
export type Schema = { readonly [keyword: string]: Json };

/** What schemas describe, and the names of the definitions. */
export interface Variants {
  /** Prefix of references: `#/$defs/`. */
  readonly root: string;
  readonly int64: Int64Form;
  /**
   * Whether schemas describe one form of each value, from which generators make simple types, and the width of numbers, which
   * some generators need. Otherwise, they describe
   * exactly what a server reads and writes. Requests then show null for absent fields, other names and forms, and numbers
   * of enums; responses show that timestamps are in UTC and text is in lower case.
   */
  readonly isCanonical: boolean;
  /** Whether requests and responses have separate definitions. */
  isSplit(typeName: string): boolean;
  nameOf(typeName: string, side: Side): string;
  /** The name of the definition of one kind of a struct. Undefined if the definition of the struct contains all kinds. */
  kindNameOf?(typeName: string, side: Side, kind: string): string;
}

/** Returns `{ $ref: "#/$defs/Order.request" }`. */
export function reference(typeName: string, side: Side, variants: Variants): Schema {
  return { $ref: `${variants.root}${variants.nameOf(typeName, side)}` };
}

const safe = Number.MAX_SAFE_INTEGER;

/** Builds the schemas of constrained types: fields, items, and targets of aliases. */
export class SchemaBuilder {
  readonly #side: Side;
  readonly #variants: Variants;
  readonly #types: TypeFinder;

  constructor(side: Side, variants: Variants, types: TypeFinder) {
    this.#side = side;
    this.#variants = variants;
    this.#types = types;
  }

  /** Returns a reference if the definition of the type describes it completely. */
  schema({ type, constraints }: { readonly type: ResolvedType; readonly constraints: Constraints }): Schema {
    if (type.kind === "struct" || type.kind === "enum")
      return reference(type.name, this.#side, this.#variants);
    if (
      type.kind === "alias" &&
      constraintKey(this.#types.alias(type.name).constraints) === constraintKey(constraints)
    ) {
      return reference(type.name, this.#side, this.#variants);
    }
    return this.target(this.#types.unaliased(type), constraints);
  }

  /** Returns the schema of a type with aliases resolved. */
  target(type: ResolvedType, constraints: Constraints): Schema {
    const resolved = this.#types.unaliased(type);
    switch (resolved.kind) {
      case "core":
        return coreSchema(resolved.name, constraints, this.#side, this.#variants);
      case "list":
        return isBytes(resolved) ? bytesSchema(constraints) : this.#list(resolved.element, constraints);
      case "map":
        return this.#map(resolved.key, resolved.value, constraints);
      case "struct":
      case "enum":
        return reference(resolved.name, this.#side, this.#variants);
      case "unknown":
        return {};
    }
  }

  #list(element: ResolvedType, { minItems, maxItems }: Constraints): Schema {
    return {
      type: "array",
      items: this.#item(element),
      ...optionalKeyword("minItems", minItems),
      ...optionalKeyword("maxItems", maxItems),
    };
  }

  #map(key: MapKeyType, value: ResolvedType, { minItems, maxItems }: Constraints): Schema {
    const names = this.#keySchema(key);
    return {
      type: "object",
      ...(names === undefined ? {} : { propertyNames: names }),
      additionalProperties: this.#item(value),
      ...optionalKeyword("minProperties", minItems),
      ...optionalKeyword("maxProperties", maxItems),
    };
  }

  #item(type: ResolvedType): Schema {
    const constraints = type.kind === "alias" ? this.#types.alias(type.name).constraints : unconstrained;
    return this.schema({ type, constraints });
  }

  #keySchema(key: MapKeyType): Schema | undefined {
    const resolved = this.#types.unaliased(key);
    if (resolved.kind === "enum")
      return { enum: this.#types.enum(resolved.name).values.map(({ wire }) => wire) };
    const core = resolved.kind === "core" ? coreTypes[resolved.name] : undefined;
    return core?.kind === "integer" ? { pattern: integerText(core, this.#variants.int64) } : undefined;
  }
}

/** Adds `null` to a schema. */
export function orNull(schema: Schema): Schema {
  const { type } = schema;
  if (Object.keys(schema).length === 0) return schema;
  if (typeof type === "string" && type !== "null") return { ...schema, type: [type, "null"] };
  if (type === "null") return schema;
  return { anyOf: [...forms(schema), { type: "null" }] };
}

function forms(schema: Schema): readonly Json[] {
  const { anyOf } = schema;
  return Array.isArray(anyOf) && Object.keys(schema).length === 1 ? (anyOf as Json[]) : [schema];
}

export function anyOf(schemas: readonly Schema[]): Schema {
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas };
}

function coreSchema(name: CoreType, constraints: Constraints, side: Side, variants: Variants): Schema {
  const { int64 } = variants;
  const core = coreTypes[name];
  switch (core.kind) {
    case "any":
      return {};
    case "null":
      return { type: "null" };
    case "boolean":
      return anyOf([{ type: "boolean" }, ...accepted(constraints, side, variants, "boolean")]);
    case "text":
      return anyOf([
        textSchema(constraints, side, variants),
        ...accepted(constraints, side, variants, "string"),
      ]);
    case "formatted":
      return formattedSchema(core, constraints, variants.isCanonical ? "request" : side);
    case "bigint":
      return bigintSchema(side, variants);
    case "float":
      return anyOf([
        numberSchema(core.max, constraints, variants),
        ...accepted(constraints, side, variants, "number"),
      ]);
    case "integer": {
      const range64 = bigintRange(core, int64);
      return anyOf([
        range64 === undefined
          ? integerSchema(core.range, constraints, variants)
          : int64Schema(name, range64, constraints),
        ...accepted(constraints, side, variants, "integer", integerText(core, int64)),
      ]);
    }
  }
}

function textSchema(
  { minLength, maxLength, pattern, format, normalize }: Constraints,
  side: Side,
  { isCanonical }: Variants,
): Schema {
  const isLower = normalize === "lowercase" && side === "response" && !isCanonical;
  return {
    type: "string",
    ...optionalKeyword("minLength", minLength),
    ...optionalKeyword("maxLength", maxLength),
    ...optionalKeyword("pattern", pattern),
    ...optionalKeyword("format", format),
    ...(isLower ? { not: { pattern: "[A-Z]" } } : {}),
  };
}

function formattedSchema(
  { format, pattern: form }: FormattedDescriptor,
  { minLength, maxLength, pattern }: Constraints,
  side: Side,
): Schema {
  return {
    type: "string",
    ...optionalKeyword("format", format),
    pattern: form[side],
    ...optionalKeyword("minLength", minLength),
    ...optionalKeyword("maxLength", maxLength),
    ...(pattern === undefined ? {} : { allOf: [{ pattern }] }),
  };
}

function bigintSchema(side: Side, { isCanonical }: Variants): Schema {
  const text: Schema = { type: "string", pattern: "^(0|-?[1-9][0-9]{0,4299})$" };
  return side === "response" || isCanonical
    ? text
    : anyOf([text, { type: "integer", minimum: -safe, maximum: safe }]);
}

function integerSchema(
  { low, high }: IntegerRange,
  constraints: Constraints,
  { isCanonical }: Variants,
): Schema {
  const minimum = Math.max(low, Number(constraints.minimum ?? low));
  const maximum = Math.min(high, Number(constraints.maximum ?? high));
  const width = low < -(2 ** 31) || high >= 2 ** 31 ? "int64" : "int32";
  const format = constraints.format ?? (isCanonical ? width : undefined);
  return { type: "integer", minimum, maximum, ...optionalKeyword("format", format) };
}

/** Tools in JavaScript cannot represent 64-bit limits exactly, so `format` stands for them. */
function int64Schema(name: CoreType, { low }: BigIntegerRange, { minimum, maximum }: Constraints): Schema {
  const lowest = minimum ?? (low === 0n ? 0 : undefined);
  return {
    type: "integer",
    format: name,
    ...optionalKeyword("minimum", lowest === undefined ? undefined : Number(lowest)),
    ...optionalKeyword("maximum", maximum === undefined ? undefined : Number(maximum)),
  };
}

/** Returns the pattern of an integer as text. */
function integerText(core: IntegerDescriptor, int64: Int64Form): string {
  return canonicalInteger(bigintRange(core, int64) ?? core.range);
}

function numberSchema(
  max: number,
  { minimum, maximum, format }: Constraints,
  { isCanonical }: Variants,
): Schema {
  const width = Number.isFinite(max) ? "float" : "double";
  const low = Math.max(-max, Number(minimum ?? -max));
  const high = Math.min(max, Number(maximum ?? max));
  return {
    type: "number",
    ...optionalKeyword("minimum", Number.isFinite(low) ? low : undefined),
    ...optionalKeyword("maximum", Number.isFinite(high) ? high : undefined),
    ...optionalKeyword("format", format ?? (isCanonical ? width : undefined)),
  };
}

/** Limits count bytes, and base64 encodes three bytes as four characters, so they are rounded up to whole groups. */
function bytesSchema({ minItems, maxItems }: Constraints): Schema {
  return {
    type: "string",
    contentEncoding: "base64",
    pattern: "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    ...optionalKeyword("minLength", minItems === undefined ? undefined : Math.ceil(minItems / 3) * 4),
    ...optionalKeyword("maxLength", maxItems === undefined ? undefined : Math.ceil(maxItems / 3) * 4),
  };
}

/** Returns the schemas of the other forms that requests accept. */
function accepted(
  constraints: Constraints,
  side: Side,
  { isCanonical }: Variants,
  own: AcceptedForm,
  pattern?: string,
): readonly Schema[] {
  if (side === "response" || isCanonical) return [];
  const acceptsInteger = constraints.accepts.includes("integer");
  const byForm: Readonly<Record<AcceptedForm, () => readonly Schema[]>> = {
    string: () => textForms(own, pattern),
    integer: () => {
      if (own === "string") return integerForms(constraints);
      return own === "boolean" ? [{ enum: [0, 1] }] : [];
    },
    number: () => {
      if (own === "string") return [{ type: "number" }];
      return own === "boolean" && !acceptsInteger ? [{ enum: [0, 1] }] : [];
    },
    boolean: () => [{ type: "boolean" }],
  };
  return constraints.accepts.filter((form) => form !== own).flatMap((form) => byForm[form]());
}

/** Returns the schemas of text that represents a value of another type. */
function textForms(own: AcceptedForm, pattern: string | undefined): readonly Schema[] {
  if (own === "boolean") return [{ enum: ["true", "false"] }];
  if (own === "integer" && pattern !== undefined) return [{ type: "string", pattern }];
  return [{ type: "string", pattern: "^-?(0|[1-9][0-9]{0,99})([.][0-9]{1,100})?([eE][+-]?[0-9]{1,3})?$" }];
}

function optionalKeyword(keyword: string, value: Json | undefined): Schema {
  return value === undefined ? {} : { [keyword]: value };
}

/**
 * Returns a pattern for decimal text without leading zeros, with as many digits as the range needs: -128…127 →
 * `^(0|-?[1-9][0-9]{0,2})$`.
 */
function canonicalInteger({ low, high }: IntegerRange | BigIntegerRange): string {
  const digits = Math.max(String(low).replace("-", "").length, String(high).length);
  return `^(0|${low < 0 ? "-?" : ""}[1-9][0-9]{0,${digits - 1}})$`;
}

/**
 * Returns the integers that a string field accepts. JSON Schema cannot apply the field's pattern to numbers, so the range
 * covers only the sign and the number of digits.
 */
function integerForms({ pattern, maxLength }: Constraints): readonly Schema[] {
  const matches = (text: string): boolean => pattern === undefined || new RegExp(pattern, "u").test(text);
  const maximum = maxLength === undefined || maxLength >= 16 ? safe : 10 ** maxLength - 1;
  return [{ type: "integer", minimum: matches("-1") ? -maximum : 0, maximum }];
}
