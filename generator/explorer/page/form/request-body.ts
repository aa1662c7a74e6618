/** Converts a draft to the JSON body. Values that the host would reject are sent anyway; only text that is not JSON is an error here. */
import { type JsonNode, JsonSyntaxError, nullNode, parseJson } from "../json/node.ts";
import type { Schema } from "../schema/ir.ts";
import { type Shape, shapeOf } from "../schema/shape.ts";
import { type Draft, fieldsOfKind, isBlank } from "./draft.ts";

/** Messages by JSON Pointer of their field: `/input/0/orderId`. */
export type FieldErrors = ReadonlyMap<string, string>;

export interface RequestBody {
  /** Null at the place of each file. */
  readonly node: JsonNode;
  readonly errors: FieldErrors;
  readonly files: readonly FilePart[];
}

/** A file, sent as a part of a form. Files of a list have the same name. */
export interface FilePart {
  readonly name: string;
  readonly file: File;
}

interface Collected {
  readonly errors: Map<string, string>;
  readonly files: FilePart[];
}

export function requestBody(schema: Schema, shape: Shape, draft: Draft): RequestBody {
  const collected: Collected = { errors: new Map(), files: [] };
  const node = nodeOf(schema, shape, draft, "", collected) ?? { kind: "object", entries: [] };
  return { node, ...collected };
}

/** Undefined if the value is absent. */
function nodeOf(
  schema: Schema,
  shape: Shape,
  draft: Draft,
  path: string,
  collected: Collected,
): JsonNode | undefined {
  switch (draft.kind) {
    case "absent":
      return undefined;
    case "text":
      if (shape.kind === "file") {
        collected.errors.set(path, "Choose a file.");
        collected.files.push(placeholder(partName(path)));
        return nullNode;
      }
      return scalarOf(shape, draft.text, path, collected.errors);
    case "file":
      collected.files.push({ name: partName(path), file: draft.file });
      return nullNode;
    case "list": {
      const item = shape.kind === "list" ? shapeOf(schema, shape.item) : shape;
      const items = draft.items.flatMap(
        (one, index) => nodeOf(schema, item, one, `${path}/${index}`, collected) ?? [],
      );
      return { kind: "array", items };
    }
    case "map": {
      const value = shape.kind === "map" ? shapeOf(schema, shape.value) : shape;
      const entries = draft.entries.flatMap(({ key, value: one }) => {
        const node = nodeOf(schema, value, one, `${path}/${escapePointer(key)}`, collected);
        return node === undefined ? [] : [[key, node] as const];
      });
      return { kind: "object", entries };
    }
    case "struct": {
      const fields = shape.kind === "struct" ? fieldsOfKind(shape.fields, draft.fields) : [];
      const entries = fields.flatMap(({ name, reference, isOptional }) => {
        const one = draft.fields[name];
        if (one === undefined || (isOptional && isBlank(one))) return [];
        const node = nodeOf(
          schema,
          shapeOf(schema, reference),
          one,
          `${path}/${escapePointer(name)}`,
          collected,
        );
        return node === undefined ? [] : [[name, node] as const];
      });
      return { kind: "object", entries };
    }
  }
}

/** `/form/pages/0` → `pages`: the name of the field, without the index in a list. */
function partName(path: string): string {
  const names = path.split("/").filter((name) => !/^[0-9]+$/.test(name));
  return (names.at(-1) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Shows in code where the file goes. The call is not sent without the file. */
function placeholder(name: string): FilePart {
  const isImage = /image|picture|photo|avatar|logo|icon/i.test(name);
  return { name, file: new File([], `${name}.${isImage ? "png" : "bin"}`) };
}

function scalarOf(
  shape: Shape,
  text: string,
  path: string,
  errors: Map<string, string>,
): JsonNode | undefined {
  const addError = (message: string): undefined => void errors.set(path, message);
  switch (shape.kind) {
    case "integer":
    case "decimal":
      if (/^-?(?:0|[1-9][0-9]*)$/.test(text)) return { kind: "number", text };
      if (shape.kind === "integer") return addError("Enter an integer, such as 42.");
      if (/^-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text))
        return { kind: "number", text };
      return addError("Enter a number, such as 0.5.");
    case "bool":
      if (text === "true" || text === "false") return { kind: "literal", text };
      return addError("Choose true or false.");
    case "any":
    case "null":
    case "struct":
    case "list":
    case "map":
      try {
        return parseJson(text);
      } catch (err) {
        if (!(err instanceof JsonSyntaxError)) throw err;
        return addError(`Enter JSON, such as {"a": 1} or "text": ${err.message}.`);
      }
    default:
      return { kind: "string", value: text };
  }
}

/** `["input", 0]` → `/input/0`. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((key) => `/${escapePointer(String(key))}`).join("");
}

/** RFC 6901. */
export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
