/** An example of a response, made from the schema: the page shows it before the first call. */
import type { JsonNode } from "../json/node.ts";
import type { Schema } from "./ir.ts";
import { fieldsOfKinds, type Meta, type Shape, shapeOf, type TypeReference } from "./shape.ts";

/** Levels that are filled in, for lists that contain themselves. */
const depthMax = 5;

/** After this number of values, lists, maps and structs are empty: types that use each other in many fields would fill megabytes. */
const valuesMax = 500;

/** What was filled in before. */
interface Filled {
  /** Names of the structs around a value. A struct in itself is empty. */
  readonly within: readonly string[];
  readonly depth: number;
  readonly count: { values: number };
}

/** `known`: values of fields by name, such as those of the example request, which responses repeat where their types allow it. */
export function exampleNode(
  schema: Schema,
  shape: Shape,
  known: ReadonlyMap<string, JsonNode>,
  { within, depth, count }: Filled = { within: [], depth: 0, count: { values: 0 } },
): JsonNode {
  const structs = shape.kind === "struct" ? [...within, shape.name] : within;
  const inner = (use: TypeReference): JsonNode =>
    exampleNode(schema, shapeOf(schema, use), known, { within: structs, depth: depth + 1, count });
  const isFull = ++count.values > valuesMax || depth > depthMax;
  switch (shape.kind) {
    case "struct": {
      const fields =
        isFull || within.includes(shape.name)
          ? []
          : fieldsOfKinds(shape.fields).filter(({ reference }) => reference.meta["secret"] !== "true");
      const entries = fields.map(({ name, reference }) => {
        // Deeper structs have an `id` of their own.
        const given = name === "id" && depth > 1 ? undefined : known.get(name);
        return [name, inForm(shapeOf(schema, reference), given) ?? inner(reference)] as const;
      });
      return { kind: "object", entries };
    }
    case "list":
      return { kind: "array", items: isFull ? [] : [inner(shape.item)] };
    case "map":
      return { kind: "object", entries: isFull ? [] : [["key", inner(shape.value)]] };
    case "text":
      return { kind: "string", value: shape.meta["example"] ?? shape.meta["default"] ?? textOf(shape.meta) };
    case "enum":
      return {
        kind: "string",
        value: shape.meta["example"] ?? memberAt(shape.values, count.values),
      };
    case "timestamp":
      return { kind: "string", value: shape.meta["example"] ?? "2026-01-31T12:00:00Z" };
    case "bigint":
      return { kind: "string", value: shape.meta["example"] ?? shape.meta["minimum"] ?? "1000000" };
    case "integer":
    case "decimal":
      return {
        kind: "number",
        text: shape.meta["example"] ?? shape.meta["default"] ?? shape.meta["minimum"] ?? "1",
      };
    case "bool":
      return { kind: "literal", text: shape.meta["example"] ?? "true" };
    case "null":
      return { kind: "literal", text: "null" };
    default:
      return { kind: "object", entries: [] };
  }
}

/** A value of the request in the form of a field: a chain may be "137" in a request and 137 in the response. */
function inForm(shape: Shape, given: JsonNode | undefined): JsonNode | undefined {
  const text = given?.kind === "string" ? given.value : given?.kind === "number" ? given.text : "";
  if (text === "") return undefined;
  switch (shape.kind) {
    case "text":
      return { kind: "string", value: text };
    case "enum":
      return shape.values.some(({ wire }) => wire === text) ? { kind: "string", value: text } : undefined;
    case "bigint":
      return /^\d+$/.test(text) ? { kind: "string", value: text } : undefined;
    case "integer":
      return /^(?:0|[1-9]\d*)$/.test(text) ? { kind: "number", text } : undefined;
    default:
      return undefined;
  }
}

/** Another value for each place of an example, so that not all are the first. */
function memberAt(values: readonly { readonly wire: string }[], place: number): string {
  const known = values.filter(({ wire }) => !/^unknown$/i.test(wire));
  return known[place % known.length]?.wire ?? "";
}

const texts: Readonly<Record<string, string>> = {
  email: "ada@example.com",
  uuid: "5f0c7a52-3e0d-4f4b-9d0e-6c1f2a8b9c01",
  uri: "https://example.com",
  url: "https://example.com",
  date: "2026-01-31",
  decimal: "12.50",
  ipv4: "192.0.2.1",
  hostname: "example.com",
};

/** A text with the rules of its meta keys, where they are common ones. */
export function textOf({ format = "", pattern = "", contentEncoding }: Meta): string {
  if (contentEncoding !== undefined) return "aGVsbG8=";
  // The commonest patterns: an address or hash in hexadecimal.
  const [, length] = /^\^0x\[[^\]]*\]\{(\d+)\}\$$/.exec(pattern) ?? [];
  return length === undefined ? (texts[format] ?? "text") : `0x${"5a".repeat(Number(length) / 2)}`;
}
