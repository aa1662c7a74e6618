/** Converts documents of version 3.1 to 3.0, whose schemas are an older form of JSON Schema. */
import { isJsonObject, type Json, type JsonObject } from "../../plan/json.ts";

/** Parts that contain neither schemas nor keywords of this module. Their keys may have any name. */
const opaque: ReadonlySet<string> = new Set(["info", "servers", "securitySchemes", "x-annotations"]);

/** Converts all schemas in a part of a document. */
export function asVersion30(part: Json): Json {
  if (Array.isArray(part)) return part.map(asVersion30);
  if (!isJsonObject(part)) return part;
  return mapEntries(part, (value, key) => {
    if (opaque.has(key)) return value;
    if (key === "schema" || key === "x-item-schema") return schemaOf(value);
    return key === "schemas" && isJsonObject(value) ? mapEntries(value, schemaOf) : asVersion30(value);
  });
}

function schemaOf(schema: Json): Json {
  if (!isJsonObject(schema)) return schema;
  const {
    $ref,
    type,
    const: only,
    examples,
    propertyNames,
    contentEncoding,
    contentMediaType,
    ...others
  } = schema;
  const converted: JsonObject = {
    ...typeOf(type),
    ...(contentEncoding === "base64" ? { format: "byte" } : {}),
    ...mapEntries(others, keywordOf),
    ...(only === undefined ? {} : { enum: [only] }),
    ...(Array.isArray(examples) ? { example: examples[0] as Json } : {}),
  };
  if ($ref === undefined) return withoutNullForm(converted);
  // Version 3.0 ignores what is next to a reference.
  return Object.keys(converted).length === 0 ? { $ref } : { allOf: [{ $ref }], ...converted };
}

function keywordOf(value: Json, keyword: string): Json {
  if (keyword === "properties" && isJsonObject(value)) return mapEntries(value, schemaOf);
  if (["allOf", "anyOf", "oneOf"].includes(keyword) && Array.isArray(value)) return value.map(schemaOf);
  return ["items", "additionalProperties", "not"].includes(keyword) ? schemaOf(value) : value;
}

/** `["string", "null"]` is a nullable string. Null alone has no type. */
function typeOf(type: Json | undefined): JsonObject {
  if (type === undefined) return {};
  if (type === "null") return { type: "string", nullable: true, enum: [null] };
  if (!Array.isArray(type)) return { type };
  const [form = "string"] = type.filter((one) => one !== "null");
  return { type: form, nullable: true };
}

/** A choice between null and other forms is nullable. */
function withoutNullForm(schema: JsonObject): JsonObject {
  const { anyOf, ...others } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const forms = (anyOf as readonly Json[]).filter((form) => !isNullForm(form));
  if (forms.length === anyOf.length) return schema;
  return { nullable: true, ...(forms.length === 1 ? { allOf: forms } : { anyOf: forms }), ...others };
}

function isNullForm(form: Json): boolean {
  return (
    isJsonObject(form) && Array.isArray(form["enum"]) && form["enum"].length === 1 && form["enum"][0] === null
  );
}

function mapEntries(object: JsonObject, convert: (value: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value, key)]));
}
