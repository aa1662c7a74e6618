/** From what was typed to the JSON that is sent. What a host would refuse is sent all the same, save what is no JSON at all. */
import { JsonFault, type JsonNode, parseJson } from "../json/node.ts";
import type { Schema } from "../schema/ir.ts";
import { type Shape, shapeOf } from "../schema/shape.ts";
import type { Draft } from "./draft.ts";

/** Words for fields, by their JSON Pointer: `/input/0/orderId`. */
export type FieldFaults = ReadonlyMap<string, string>;

export interface Wire {
  readonly node: JsonNode;
  readonly faults: FieldFaults;
}

export function wireOf(schema: Schema, shape: Shape, draft: Draft): Wire {
  const faults = new Map<string, string>();
  const node = nodeOf(schema, shape, draft, "", faults) ?? { kind: "object", entries: [] };
  return { node, faults };
}

/** Undefined: it is left out. */
function nodeOf(
  schema: Schema,
  shape: Shape,
  draft: Draft,
  path: string,
  faults: Map<string, string>,
): JsonNode | undefined {
  switch (draft.kind) {
    case "absent":
      return undefined;
    case "text":
      return scalarOf(shape, draft.text, path, faults);
    case "list": {
      const item = shape.kind === "list" ? shapeOf(schema, shape.item) : shape;
      const items = draft.items.flatMap(
        (one, index) => nodeOf(schema, item, one, `${path}/${index}`, faults) ?? [],
      );
      return { kind: "array", items };
    }
    case "map": {
      const value = shape.kind === "map" ? shapeOf(schema, shape.value) : shape;
      const entries = draft.entries.flatMap(({ key, value: one }) => {
        const node = nodeOf(schema, value, one, `${path}/${step(key)}`, faults);
        return node === undefined ? [] : [[key, node] as const];
      });
      return { kind: "object", entries };
    }
    case "struct": {
      const fields = shape.kind === "struct" ? shape.fields : [];
      const entries = fields.flatMap(({ name, use, isOptional }) => {
        const one = draft.fields[name];
        if (one === undefined || (isOptional && isBlank(one))) return [];
        const node = nodeOf(schema, shapeOf(schema, use), one, `${path}/${step(name)}`, faults);
        return node === undefined ? [] : [[name, node] as const];
      });
      return { kind: "object", entries };
    }
  }
}

/** An optional field that nothing is typed into is left out. */
function isBlank(draft: Draft): boolean {
  return draft.kind === "absent" || (draft.kind === "text" && draft.text === "");
}

function scalarOf(
  shape: Shape,
  text: string,
  path: string,
  faults: Map<string, string>,
): JsonNode | undefined {
  const refuse = (words: string): undefined => void faults.set(path, words);
  switch (shape.kind) {
    case "integer":
    case "decimal":
      if (/^-?(?:0|[1-9][0-9]*)$/.test(text)) return { kind: "number", text };
      if (shape.kind === "integer") return refuse("Type a whole number, as 42.");
      if (/^-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text))
        return { kind: "number", text };
      return refuse("Type a number, as 0.5.");
    case "bool":
      if (text === "true" || text === "false") return { kind: "literal", text };
      return refuse("Choose true or false.");
    case "any":
    case "null":
    case "struct":
    case "list":
    case "map":
      try {
        return parseJson(text);
      } catch (err) {
        if (!(err instanceof JsonFault)) throw err;
        return refuse(`Type JSON, as {"a": 1} or "text": ${err.message}.`);
      }
    default:
      return { kind: "string", value: text };
  }
}

/** `["input", 0]` → `/input/0`. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((key) => `/${step(String(key))}`).join("");
}

/** RFC 6901. */
export function step(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
