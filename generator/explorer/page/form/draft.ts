/** What a person has typed so far: text until it is sent, so that nothing is lost of numbers that JavaScript cannot hold. */
import type { JsonNode } from "../json/node.ts";
import { printJson } from "../json/node.ts";
import type { Schema } from "../schema/ir.ts";
import { type Field, type Shape, shapeOf, type TypeUse } from "../schema/shape.ts";

export type Draft =
  | { readonly kind: "absent" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Draft[] }
  | { readonly kind: "map"; readonly entries: readonly DraftEntry[] }
  | { readonly kind: "struct"; readonly fields: Readonly<Record<string, Draft>> };

export interface DraftEntry {
  readonly key: string;
  readonly value: Draft;
}

export const absent: Draft = { kind: "absent" };

/** A form as it first opens: what is needed is there with its example, what is optional is left out. */
export function firstDraft(schema: Schema, shape: Shape): Draft {
  return draftOf(schema, shape, 0);
}

/** Structs that need themselves would have no end. */
const depthMax = 6;

function draftOf(schema: Schema, shape: Shape, depth: number): Draft {
  switch (shape.kind) {
    case "struct":
      return {
        kind: "struct",
        fields: Object.fromEntries(
          shape.fields.map((field) => [field.name, fieldDraft(schema, field, depth)]),
        ),
      };
    case "list":
      return { kind: "list", items: depth > depthMax ? [] : [draftOfUse(schema, shape.item, depth)] };
    case "map":
      return { kind: "map", entries: [] };
    default:
      return { kind: "text", text: exampleOf(shape) };
  }
}

function fieldDraft(schema: Schema, { use, isOptional }: Field, depth: number): Draft {
  if (isOptional || depth > depthMax) return absent;
  return draftOfUse(schema, use, depth);
}

function draftOfUse(schema: Schema, use: TypeUse, depth: number): Draft {
  return draftOf(schema, shapeOf(schema, use), depth + 1);
}

/** Of a value that somebody adds. */
export function newDraft(schema: Schema, use: TypeUse): Draft {
  return firstDraft(schema, shapeOf(schema, use));
}

function exampleOf(shape: Shape): string {
  const { example, default: fallback, minimum } = shape.meta as Readonly<Record<string, string | undefined>>;
  const given = example ?? fallback;
  if (given !== undefined) return given;
  switch (shape.kind) {
    case "enum":
      return (shape.values.find(({ wire }) => wire !== "unknown") ?? shape.values[0])?.wire ?? "";
    case "integer":
    case "decimal":
    case "bigint":
      return minimum ?? "0";
    case "bool":
      return "false";
    case "timestamp":
      return "2026-01-31T12:00:00Z";
    case "any":
      return "{}";
    case "null":
      return "null";
    default:
      return "";
  }
}

/** The draft that gives this JSON: of the fields of the shape, since a form has no others. */
export function draftOfJson(schema: Schema, shape: Shape, node: JsonNode): Draft {
  if (shape.kind === "any" || shape.kind === "null") return { kind: "text", text: printJson(node) };
  if (node.kind === "literal" && node.text === "null") return absent;
  if (shape.kind === "struct" && node.kind === "object") {
    const given = new Map(node.entries);
    return {
      kind: "struct",
      fields: Object.fromEntries(
        shape.fields.map(({ name, use }) => {
          const value = given.get(name);
          return [name, value === undefined ? absent : draftOfJson(schema, shapeOf(schema, use), value)];
        }),
      ),
    };
  }
  if (shape.kind === "list" && node.kind === "array") {
    const item = shapeOf(schema, shape.item);
    return { kind: "list", items: node.items.map((one) => draftOfJson(schema, item, one)) };
  }
  if (shape.kind === "map" && node.kind === "object") {
    const value = shapeOf(schema, shape.value);
    const entries = node.entries.map(([key, one]) => ({ key, value: draftOfJson(schema, value, one) }));
    return { kind: "map", entries };
  }
  if (node.kind === "string") return { kind: "text", text: node.value };
  return {
    kind: "text",
    text: node.kind === "number" || node.kind === "literal" ? node.text : printJson(node),
  };
}
