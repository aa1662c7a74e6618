import { coreTypes } from "../../../language/model/core-types.ts";
import { type Constraints, unconstrained } from "../../../language/model/meta/read.ts";
import type { Json } from "../../plan/json.ts";
import { withoutEscape } from "../../plan/names.ts";
import {
  type Documented,
  groupsOf,
  type PlannedEnum,
  type PlannedField,
  type PlannedStruct,
  type PlannedType,
  type TypeFinder,
} from "../../plan/plan.ts";
import { parseValue, type Side } from "../../plan/values.ts";
import { anyOf, orNull, type Schema, SchemaBuilder, type Views } from "./schema-builder.ts";

/** Returns the definition of a type in requests or responses. */
export function typeSchema(type: PlannedType, side: Side, views: Views, types: TypeFinder): Schema {
  const builder = new SchemaBuilder(side, views, types);
  const title = views.isCanonical ? {} : { title: withoutEscape(type.name) };
  switch (type.kind) {
    case "struct":
      return {
        ...title,
        ...documentationKeywords(type),
        ...structSchema(type, side, builder, types, views),
      };
    case "enum":
      return {
        ...title,
        ...documentationKeywords({ ...type, docs: enumDocs(type) }),
        ...(views.isCanonical ? { type: "string" } : {}),
        enum: enumForms(type, side, views),
      };
    case "alias":
      return {
        ...title,
        ...documentationKeywords({
          ...type,
          docs: [...type.docs, ...otherForms(type.constraints, {}, views)],
        }),
        ...builder.target(type.type, type.constraints),
        ...examples(type.constraints, type.type, types),
      };
  }
}

/** Whether the definitions of a type in requests and responses differ, without regard to the types that it contains. */
export function differsBySide(type: PlannedType, views: Views, types: TypeFinder): boolean {
  const request = new SchemaBuilder("request", views, types);
  const response = new SchemaBuilder("response", views, types);
  switch (type.kind) {
    case "struct":
      return type.fields.some(
        (field) =>
          field.default !== undefined ||
          (field.aliases.length > 0 && !views.isCanonical) ||
          (field.twins.length > 0 && !views.isCanonical) ||
          isRequired(field, "request") !== isRequired(field, "response") ||
          !isSame(
            valueSchema(field, "request", request, views),
            valueSchema(field, "response", response, views),
          ),
      );
    case "enum":
      return !isSame(enumForms(type, "request", views), enumForms(type, "response", views));
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
  views: Views,
): Schema {
  const { fields } = struct;
  const properties: Record<string, Json> = {};
  for (const field of fields) {
    define(properties, field.wireName, fieldSchema(field, side, builder, types, views));
    const others = side === "request" ? field.aliases : field.twins;
    for (const other of views.isCanonical ? [] : others) {
      define(properties, other, {
        ...valueSchema(field, side, builder, views),
        description: otherName(field, side),
      });
    }
  }
  const required = fields.filter((field) => isRequired(field, side));
  const hasOneName = side === "response" || views.isCanonical;
  const withoutAliases = required.filter(({ aliases }) => hasOneName || aliases.length === 0);
  const withAliases = required.filter((field) => !withoutAliases.includes(field));
  const groups = groupsOf(struct).map((members) => ({
    oneOf: members.map((member) =>
      views.isCanonical ? { required: [member.wireName] } : isSet(member, side, { not: { type: "null" } }),
    ),
  }));
  const [group, ...moreGroups] = groups;
  const all = [
    ...withAliases.map((field) => isSet(field, side, true)),
    ...(moreGroups.length === 0 ? [] : groups),
  ];
  return {
    type: "object",
    ...(fields.length === 0 ? {} : { properties }),
    ...(withoutAliases.length === 0 ? {} : { required: withoutAliases.map(({ wireName }) => wireName) }),
    ...(all.length === 0 ? {} : { allOf: all }),
    ...(moreGroups.length === 0 ? group : {}),
  };
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
  views: Views,
): Schema {
  const { type, constraints } = field;
  const schema = valueSchema(field, side, builder, views);
  // The definition of an alias describes its own forms.
  const forms = "$ref" in schema ? unconstrained : constraints;
  return {
    ...documentationKeywords({ ...field, docs: [...field.docs, ...otherForms(forms, field, views)] }),
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
  { isCanonical }: Views,
): readonly string[] {
  if (!isCanonical) return [];
  return [
    ...(accepts.length === 0 ? [] : [`Requests may also contain ${accepts.join(" or ")}.`]),
    ...(aliases.length === 0 ? [] : [`Requests may also use the name ${aliases.join(" or ")}.`]),
    ...(twins.length === 0 ? [] : [`Responses contain the same value as ${twins.join(" and ")}.`]),
  ];
}

function valueSchema(field: PlannedField, side: Side, builder: SchemaBuilder, views: Views): Schema {
  const schema = builder.schema(field);
  const mayBeAbsent = field.optional || field.default !== undefined;
  const acceptsNull = field.nullable || (mayBeAbsent && side === "request" && !views.isCanonical);
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
function enumForms({ values }: PlannedEnum, side: Side, { isCanonical }: Views): readonly Json[] {
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
