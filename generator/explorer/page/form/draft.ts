/** The values typed into a form. They stay text until they are sent, so that big numbers lose no digit. */
import type { JsonNode } from "../json/node.ts";
import { printJson } from "../json/node.ts";
import type { Schema } from "../schema/ir.ts";
import { type Field, hasFiles, type Shape, shapeOf, type TypeReference } from "../schema/shape.ts";

export type Draft =
  | { readonly kind: "absent" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly file: File }
  | { readonly kind: "list"; readonly items: readonly Draft[] }
  | { readonly kind: "map"; readonly entries: readonly DraftEntry[] }
  | { readonly kind: "struct"; readonly fields: Readonly<Record<string, Draft>> };

export interface DraftEntry {
  readonly key: string;
  readonly value: Draft;
}

export const absent: Draft = { kind: "absent" };

/** Whether an optional field is not sent. */
export function isBlank(draft: Draft): boolean {
  return draft.kind === "absent" || (draft.kind === "text" && draft.text === "");
}

/** Sets a field of a struct, and removes the other fields of its group. */
export function withField(
  all: readonly Field[],
  fields: Readonly<Record<string, Draft>>,
  { name, group }: Field,
  changed: Draft,
): Draft {
  const others = isBlank(changed) || group === undefined ? [] : all.filter((field) => field.group === group);
  const removed = Object.fromEntries(others.map((field) => [field.name, absent]));
  return { kind: "struct", fields: { ...fields, ...removed, [name]: changed } };
}

/** The fields of a struct without those of other kinds than the chosen one, which also decides which of them are optional. */
export function fieldsOfKind(
  all: readonly Field[],
  fields: Readonly<Record<string, Draft>>,
): readonly Field[] {
  return all.flatMap((field) => {
    if (field.when === undefined) return [field];
    const kind = fields[field.when.kind];
    const isOptional = kind?.kind === "text" ? field.when.isOptional.get(kind.text) : undefined;
    return isOptional === undefined ? [] : [{ ...field, isOptional }];
  });
}

/**
 * The initial form: required fields, one field of each group and the fields that any kind requires have their example, other
 * fields are absent.
 */
export function firstDraft(schema: Schema, shape: Shape): Draft {
  return draftOf(schema, shape, 0);
}

/** Levels that are filled in. A struct that requires itself would never end. */
const depthMax = 6;

function draftOf(schema: Schema, shape: Shape, depth: number): Draft {
  switch (shape.kind) {
    case "struct": {
      const fields: Record<string, Draft> = {};
      const groups = new Set<string>();
      for (const field of shape.fields) {
        const { name, group, when, isOptional, reference } = field;
        const isRequired = !isOptional || [...(when?.isOptional.values() ?? [])].includes(false);
        const isWanted = group === undefined ? isRequired : !groups.has(group);
        const draft = isWanted && depth <= depthMax ? draftOfUse(schema, reference, depth) : absent;
        fields[name] = draft;
        if (group !== undefined && !isBlank(draft)) groups.add(group);
      }
      return { kind: "struct", fields };
    }
    case "list":
      return { kind: "list", items: depth > depthMax ? [] : [draftOfUse(schema, shape.item, depth)] };
    case "map":
      return { kind: "map", entries: [] };
    default:
      return { kind: "text", text: exampleOf(shape) };
  }
}

function draftOfUse(schema: Schema, use: TypeReference, depth: number): Draft {
  return draftOf(schema, shapeOf(schema, use), depth + 1);
}

/** The draft of a value that a person adds to a list or map. */
export function newDraft(schema: Schema, use: TypeReference): Draft {
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

/** Converts JSON to a draft. Fields that the shape does not have are dropped, because the form cannot show them. */
export function draftOfJson(schema: Schema, shape: Shape, node: JsonNode): Draft {
  // A file must be chosen again.
  if (shape.kind === "file") return { kind: "text", text: "" };
  if (shape.kind === "any" || shape.kind === "null") return { kind: "text", text: printJson(node) };
  if (node.kind === "literal" && node.text === "null") return absent;
  if (shape.kind === "struct" && node.kind === "object") {
    const given = new Map(node.entries);
    return {
      kind: "struct",
      fields: Object.fromEntries(
        shape.fields.map(({ name, reference, isOptional }) => {
          const value = given.get(name);
          const inner = shapeOf(schema, reference);
          if (value !== undefined) return [name, draftOfJson(schema, inner, value)];
          return [name, !isOptional && hasFiles(schema, inner) ? firstDraft(schema, inner) : absent];
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
