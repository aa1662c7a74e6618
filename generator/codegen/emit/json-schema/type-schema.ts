import { coreTypes } from "../../../language/model/core-types.ts";
import { type Constraints, unconstrained } from "../../../language/model/meta/read.ts";
import type { Json } from "../../plan/json.ts";
import { withoutEscape } from "../../plan/names.ts";
import type {
  Documented,
  PlannedEnum,
  PlannedField,
  PlannedStruct,
  PlannedType,
  TypeFinder,
} from "../../plan/plan.ts";
import {
  excludedBy,
  type KindUnion,
  kindUnionOf,
  type Union,
  type UnionCase,
  unionsOf,
} from "../../plan/unions.ts";
import { parseValue, type Side } from "../../plan/values.ts";
import { anyOf, orNull, type Schema, SchemaBuilder, type Variants } from "./schema-builder.ts";

/** Returns the definition of a type in requests or responses. */
export function typeSchema(type: PlannedType, side: Side, variants: Variants, types: TypeFinder): Schema {
  const builder = new SchemaBuilder(side, variants, types);
  const title = variants.isCanonical ? {} : { title: withoutEscape(type.name) };
  switch (type.kind) {
    case "struct":
      return {
        ...title,
        ...documentationKeywords(type),
        ...structSchema(type, side, builder, types, variants),
      };
    case "enum":
      return {
        ...title,
        ...documentationKeywords({ ...type, docs: enumDocs(type) }),
        ...(variants.isCanonical ? { type: "string" } : {}),
        enum: enumForms(type, side, variants),
      };
    case "alias":
      return {
        ...title,
        ...documentationKeywords({
          ...type,
          docs: [...type.docs, ...otherForms(type.constraints, {}, variants)],
        }),
        ...builder.target(type.type, type.constraints),
        ...examples(type.constraints, type.type, types),
      };
  }
}

/** Returns the definitions of a type by name: of a struct with kinds also one for each kind, if they have names. */
export function typeDefinitions(
  type: PlannedType,
  side: Side,
  variants: Variants,
  types: TypeFinder,
): readonly (readonly [name: string, schema: Schema])[] {
  const name = variants.nameOf(type.name, side);
  const { kindNameOf, root } = variants;
  const union = type.kind === "struct" ? kindUnionOf(type, types) : undefined;
  if (type.kind !== "struct" || union === undefined || kindNameOf === undefined)
    return [[name, typeSchema(type, side, variants, types)]];
  const kinds = union.cases.map((one) => {
    const schema = kindSchema(type, union, one, side, variants, types);
    return { name: kindNameOf(type.name, side, one.kind.wire), schema, wire: one.kind.wire };
  });
  const schema = {
    ...documentationKeywords(type),
    oneOf: kinds.map((one) => ({ $ref: root + one.name })),
    discriminator: {
      propertyName: union.kind.wireName,
      mapping: Object.fromEntries(kinds.map((one) => [one.wire, root + one.name])),
    },
  };
  return [[name, schema], ...kinds.map((one) => [one.name, one.schema] as const)];
}

/** Returns the schema of a struct for one kind. */
function kindSchema(
  struct: PlannedStruct,
  union: KindUnion,
  one: KindUnion["cases"][number],
  side: Side,
  variants: Variants,
  types: TypeFinder,
): Schema {
  const excluded = excludedBy(one, union);
  const fields = struct.fields
    .filter((field) => !excluded.includes(field))
    .map(({ when, ...field }) =>
      when === undefined
        ? field
        : { ...field, optional: one.optional.some((each) => each.wireName === field.wireName) },
    );
  const schema = typeSchema({ ...struct, docs: one.kind.docs, fields }, side, variants, types);
  const tag = { ...documentationKeywords(union.kind), type: "string", enum: [one.kind.wire] };
  const surplus = excluded.map(({ wireName }) => ({ required: [wireName] }));
  return {
    ...schema,
    properties: { ...(schema["properties"] as Schema), [union.kind.wireName]: tag },
    ...(surplus.length === 0 ? {} : { not: anyOf(surplus) }),
  };
}

/** Whether the definitions of a type in requests and responses differ, without regard to the types that it contains. */
export function differsBySide(type: PlannedType, variants: Variants, types: TypeFinder): boolean {
  const request = new SchemaBuilder("request", variants, types);
  const response = new SchemaBuilder("response", variants, types);
  switch (type.kind) {
    case "struct":
      return type.fields.some(
        (field) =>
          field.default !== undefined ||
          (field.aliases.length > 0 && !variants.isCanonical) ||
          (field.twins.length > 0 && !variants.isCanonical) ||
          isRequired(field, "request") !== isRequired(field, "response") ||
          !isSame(
            valueSchema(field, "request", request, variants),
            valueSchema(field, "response", response, variants),
          ),
      );
    case "enum":
      return !isSame(enumForms(type, "request", variants), enumForms(type, "response", variants));
    case "alias":
      return !isSame(
        request.target(type.type, type.constraints),
        response.target(type.type, type.constraints),
      );
  }
}

function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function structSchema(
  struct: PlannedStruct,
  side: Side,
  builder: SchemaBuilder,
  types: TypeFinder,
  variants: Variants,
): Schema {
  const { fields } = struct;
  const properties: Record<string, Json> = {};
  for (const field of fields) {
    define(properties, field.wireName, fieldSchema(field, side, builder, types, variants));
    const others = side === "request" ? field.aliases : field.twins;
    for (const other of variants.isCanonical ? [] : others) {
      define(properties, other, {
        ...valueSchema(field, side, builder, variants),
        description: otherName(field, side),
      });
    }
  }
  const required = fields.filter((field) => isRequired(field, side));
  const hasOneName = side === "response" || variants.isCanonical;
  const withoutAliases = required.filter(({ aliases }) => hasOneName || aliases.length === 0);
  const withAliases = required.filter((field) => !withoutAliases.includes(field));
  const unions = unionsOf(struct, types).map((union) => ({
    oneOf: union.cases.map((one) => caseSchema(one, union, side, variants)),
  }));
  const [union, ...moreUnions] = unions;
  const all = [
    ...withAliases.map((field) => isSet(field, side, true)),
    ...(moreUnions.length === 0 ? [] : unions),
  ];
  return {
    type: "object",
    ...(fields.length === 0 ? {} : { properties }),
    ...(withoutAliases.length === 0 ? {} : { required: withoutAliases.map(({ wireName }) => wireName) }),
    ...(all.length === 0 ? {} : { allOf: all }),
    ...(moreUnions.length === 0 ? union : {}),
  };
}

/** Returns which fields a case of a union sets, in addition to the properties of the struct. */
function caseSchema(one: UnionCase, union: Union, side: Side, variants: Variants): Schema {
  const { isCanonical } = variants;
  const present = one.required.map((field) =>
    isCanonical ? { required: [field.wireName] } : isSet(field, side, { not: { type: "null" } }),
  );
  if (union.kind === undefined || one.kind === undefined) return present[0] ?? {};
  const values = enumForms({ values: [one.kind] }, side, variants);
  const absent: Record<string, Json> = {};
  for (const { wireName, aliases } of isCanonical ? [] : excludedBy(one, union))
    for (const name of [wireName, ...(side === "request" ? aliases : [])])
      define(absent, name, { type: "null" });
  const excluded = Object.keys(absent).length === 0 ? [] : [{ properties: absent }];
  return { allOf: [isSet(union.kind, side, { enum: values }), ...present, ...excluded] };
}

/** Sets an own property, even for the name `__proto__`. */
function define(properties: Record<string, Json>, name: string, value: Json): void {
  Object.defineProperty(properties, name, { value, writable: true, enumerable: true, configurable: true });
}

function isRequired(field: PlannedField, side: Side): boolean {
  if (side === "request" && field.default !== undefined) return false;
  return field.nullable ? side === "response" : !field.optional;
}

/**
 * Requires a field under any of its names. Its properties satisfy validators that expect required properties to be declared in
 * the same place.
 */
function isSet({ wireName, aliases }: PlannedField, side: Side, value: Json): Schema {
  const names = [wireName, ...(side === "request" ? aliases : [])];
  const schemas = names.map((name) => ({ properties: { [name]: value }, required: [name] }));
  return anyOf(schemas);
}

function otherName({ wireName }: PlannedField, side: Side): string {
  return side === "request" ? `Another name of ${wireName}.` : `The same as ${wireName}.`;
}

function fieldSchema(
  field: PlannedField,
  side: Side,
  builder: SchemaBuilder,
  types: TypeFinder,
  variants: Variants,
): Schema {
  const { type, constraints } = field;
  const schema = valueSchema(field, side, builder, variants);
  // The definition of an alias describes its own forms.
  const forms = "$ref" in schema ? unconstrained : constraints;
  return {
    ...documentationKeywords({ ...field, docs: [...field.docs, ...otherForms(forms, field, variants)] }),
    ...schema,
    ...defaultOf(field, side, types),
    ...(isDescribedByAlias(field, types) ? {} : examples(constraints, type, types)),
  };
}

export function defaultOf({ default: value, type }: PlannedField, side: Side, types: TypeFinder): Schema {
  if (side === "response" || value === undefined) return {};
  if (typeof value !== "bigint") return { default: value };
  const resolved = types.unaliased(type);
  // In JSON, a `bigint` of the schema is text, and a 64-bit integer is a number.
  const isText = resolved.kind === "core" && coreTypes[resolved.name].kind === "bigint";
  return { default: isText ? String(value) : Number(value) };
}

/** What canonical schemas do not show. */
function otherForms(
  { accepts }: Constraints,
  { aliases = [], twins = [] }: Partial<Pick<PlannedField, "aliases" | "twins">>,
  { isCanonical }: Variants,
): readonly string[] {
  if (!isCanonical) return [];
  return [
    ...(accepts.length === 0 ? [] : [`Requests may also contain ${accepts.join(" or ")}.`]),
    ...(aliases.length === 0 ? [] : [`Requests may also use the name ${aliases.join(" or ")}.`]),
    ...(twins.length === 0 ? [] : [`Responses contain the same value as ${twins.join(" and ")}.`]),
  ];
}

function valueSchema(field: PlannedField, side: Side, builder: SchemaBuilder, variants: Variants): Schema {
  const schema = builder.schema(field);
  const mayBeAbsent = field.optional || field.default !== undefined;
  const acceptsNull = field.nullable || (mayBeAbsent && side === "request" && !variants.isCanonical);
  return acceptsNull ? orNull(schema) : schema;
}

/** The definition of the alias already contains its examples. */
export function isDescribedByAlias({ type, constraints }: PlannedField, types: TypeFinder): boolean {
  if (type.kind !== "alias") return false;
  return JSON.stringify(types.alias(type.name).constraints.examples) === JSON.stringify(constraints.examples);
}

export function examples(
  constraints: Constraints,
  type: Parameters<typeof parseValue>[1],
  types: TypeFinder,
): { readonly examples?: readonly Json[] } {
  const values = constraints.examples.flatMap((text) => {
    const value = parseValue(text, type, types);
    return value === undefined ? [] : [value];
  });
  return values.length === 0 ? {} : { examples: values };
}

function enumDocs({ docs, values }: PlannedEnum): readonly string[] {
  const entries = values.filter((value) => value.docs.length > 0);
  return [...docs, ...entries.map((value) => `- ${value.wire}: ${value.docs.join(" ")}`)];
}

/** Requests may contain the number of an integer enum instead of its name. */
function enumForms(
  { values }: Pick<PlannedEnum, "values">,
  side: Side,
  { isCanonical }: Variants,
): readonly Json[] {
  const numbers = values.flatMap(({ number }) => (number === undefined ? [] : [Number(number)]));
  return [...values.map(({ wire }) => wire), ...(side === "request" && !isCanonical ? numbers : [])];
}

/** Converts docs to keywords of JSON Schema and OpenAPI. The reason for a deprecation becomes the last line. */
export function documentationKeywords({ docs, deprecated }: Documented): {
  readonly description?: string;
  readonly deprecated?: true;
} {
  const lines = deprecated === undefined || deprecated === "" ? docs : [...docs, `Deprecated: ${deprecated}`];
  const description = lines.join("\n").trim();
  return {
    ...(description === "" ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated: true }),
  };
}
