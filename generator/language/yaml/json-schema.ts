import { knownFormats, metaKeys } from "../model/meta/keys.ts";
import { routeVerbs } from "../syntax/route-verbs.ts";
import {
  enumKeys,
  enumValueKeys,
  errorKeys,
  fileKeys,
  methodKeys,
  serviceKeys,
  structKeys,
  typedKeys,
} from "./keys.ts";

type Schema = Readonly<Record<string, unknown>>;

/**
 * The YAML format as JSON Schema (draft 7, which editors support), for `# yaml-language-server: $schema=…`. It sees values with
 * YAML's types, so it accepts `code: 0x10` as a number, which ridlkit rejects. In all else both agree.
 */
export function yamlJsonSchema(): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A ridlkit schema in YAML",
    ...record(fileKeys, ["webrpc"], {
      webrpc: { enum: ["v1"] },
      name: text,
      version: text,
      basepath: text,
      imports: anyOf(nothing, ref("imports")),
      types: entries(ref("type"), word),
      errors: entries(ref("error"), word),
      services: entries(anyOf(nothing, ref("service")), undefined, true),
    }),
    definitions: {
      ...shared(),
      type: typeSchema(),
      error: errorSchema(),
      service: serviceSchema(),
      method: methodSchema(),
    },
  };
}

const nothing: Schema = { type: "null" };
const text: Schema = { type: ["string", "number", "boolean"], not: { const: "" } };
const docs: Schema = anyOf(
  nothing,
  { type: ["string", "number", "boolean"] },
  { type: "array", items: { type: ["string", "number", "boolean"] } },
);

const word = '^[A-Za-z0-9_][^\\0 \\t\\r\\n\\[\\]()<>{}=:\\u00bf?\\u00a1!,"\\\\]*$';
/** The name of an optional field or argument ends with "?". */
const optionalWord: string = word.replace("$", "\\??$");

function ref(name: string): Schema {
  return { $ref: `#/definitions/${name}` };
}

function anyOf(...schemas: readonly Schema[]): Schema {
  return { anyOf: schemas };
}

/** An object with exactly these keys, each described by the table. */
function record<Keys extends string>(
  words: Readonly<Record<Keys, string>>,
  required: readonly NoInfer<Keys>[],
  schemas: Readonly<Record<NoInfer<Keys>, Schema>>,
): Schema {
  const keys = Object.keys(words) as Keys[];
  const properties = Object.fromEntries(
    keys.map((key) => [key, { description: words[key], ...schemas[key] }]),
  );
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** A map of named items, or a list of single-entry maps. With `mayBeBare`, list items may be plain names. */
function entries(value: Schema, names?: string, mayBeBare = false, known: Schema = {}): Schema {
  const propertyNames = names === undefined ? { not: { const: "" } } : { pattern: names };
  const map = { type: "object", propertyNames, ...known, additionalProperties: value };
  const one = { ...map, minProperties: 1, maxProperties: 1 };
  return anyOf(nothing, map, { type: "array", items: mayBeBare ? anyOf(name(names), one) : one });
}

function name(pattern: string | undefined): Schema {
  return pattern === undefined ? text : anyOf({ type: ["number", "boolean"] }, { type: "string", pattern });
}

function shared(): Readonly<Record<string, Schema>> {
  const one: Schema = { type: ["string", "number", "boolean"] };
  return {
    imports: entries(anyOf(nothing, { type: "array", items: text, minItems: 1 }), undefined, true),
    scalar: one,
    metaValue: anyOf(one, { type: "array", items: one, minItems: 1 }),
    meta: entries(ref("metaValue"), undefined, false, { properties: metaProperties }),
    digits: anyOf({ type: "integer", minimum: 0 }, { type: "string", pattern: "^[0-9]+$" }),
    field: anyOf(text, typed()),
    enumValue: anyOf(nothing, text, enumValueSchema()),
    side: anyOf(nothing, name(word), entries(text, optionalWord)),
  };
}

function typeSchema(): Schema {
  const struct = record(structKeys, ["fields"], { docs, fields: entries(ref("field"), optionalWord) });
  const values = entries(ref("enumValue"), word, true);
  return anyOf(text, struct, record(enumKeys, ["enum"], { docs, enum: name(word), values }), typed());
}

const decimal: Schema = anyOf({ type: "number" }, { type: "string", pattern: "^-?[0-9]" });
const flag: Schema = { enum: [true, false, "true", "false"] };

/** Values of meta keys, for those that do not take any text. */
const metaValues: Readonly<Record<string, Schema>> = {
  minimum: decimal,
  maximum: decimal,
  minLength: ref("digits"),
  maxLength: ref("digits"),
  minItems: ref("digits"),
  maxItems: ref("digits"),
  format: anyOf({ enum: knownFormats }, { type: "string", pattern: "[.]|^x-" }),
  "default.empty": flag,
  normalize: { enum: ["lowercase"] },
  nullable: { enum: ["read", "always"] },
  secret: flag,
  pii: flag,
  brand: flag,
  partial: flag,
};

const metaProperties: Schema = Object.fromEntries(
  Object.entries(metaKeys).map(([key, { repeatable }]) => [
    key,
    metaValues[key] ?? ref(repeatable === true ? "metaValue" : "scalar"),
  ]),
);

/** A field or an alias as a map: meta keys are siblings of its type. */
function typed(): Schema {
  const { properties, ...rest } = record(typedKeys, ["type"], { docs, type: text, meta: ref("meta") }) as {
    readonly properties: Schema;
  };
  return {
    ...rest,
    properties: { ...properties, ...metaProperties },
    patternProperties: { "[.]": ref("metaValue") },
  };
}

function enumValueSchema(): Schema {
  const keys = record(enumValueKeys, [], {
    docs,
    value: anyOf(nothing, text),
    json: ref("scalar"),
    meta: ref("meta"),
  });
  return { ...keys, patternProperties: { "[.]": ref("metaValue") } };
}

function errorSchema(): Schema {
  return record(errorKeys, ["code", "message"], {
    docs,
    code: ref("digits"),
    message: text,
    status: ref("digits"),
  });
}

function serviceSchema(): Schema {
  return record(serviceKeys, [], { docs, path: text, methods: entries(ref("method"), word, true) });
}

/** A proxied method does not describe its body. */
function methodSchema(): Schema {
  const { annotations, proxy, route, docs: docsWords } = methodKeys;
  const heads = {
    docs,
    annotations: entries(anyOf(nothing, text), word, true),
    route: { type: "string", pattern: `^(${routeVerbs.join("|")})[ \\t]+\\S` },
  };
  const proxied = record({ docs: docsWords, annotations, proxy, route }, ["proxy"], {
    ...heads,
    proxy: { enum: [true, "true"] },
  });
  const plain = record(methodKeys, [], {
    ...heads,
    input: ref("side"),
    output: ref("side"),
    stream: { enum: ["input", "output", "both"] },
    errors: anyOf(nothing, { type: "array", items: name(word) }),
    proxy: { enum: [false, "false"] },
  });
  return anyOf(nothing, plain, proxied);
}
