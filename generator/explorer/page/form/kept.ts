/** The parts of a value that may be stored and shared: no private data, no files, and only what the contract declares. */
import type { JsonNode } from "../json/node.ts";
import type { Schema } from "../schema/ir.ts";
import { hasParts, type Shape, shapeOf } from "../schema/shape.ts";
import { escapePointer } from "./request-body.ts";

export interface Kept {
  readonly node: JsonNode;
  readonly omitted: readonly Omitted[];
}

export interface Omitted {
  /** JSON Pointer. */
  readonly path: string;
  /** `private`: the schema marks the field `secret` or `pii`. `undeclared`: not in the contract, or of another kind. */
  readonly reason: "private" | "file" | "undeclared";
}

export function keptOf(schema: Schema, shape: Shape, node: JsonNode): Kept {
  const omitted: Omitted[] = [];
  const kept = keep({ schema, omitted }, shape, node, "");
  return { node: kept ?? { kind: "object", entries: [] }, omitted };
}

interface Keeping {
  readonly schema: Schema;
  readonly omitted: Omitted[];
}

/** Undefined if nothing may be kept. */
function keep(keeping: Keeping, shape: Shape, node: JsonNode, path: string): JsonNode | undefined {
  const { schema } = keeping;
  const omit = (reason: Omitted["reason"], at = path): undefined => {
    keeping.omitted.push({ path: at, reason });
  };
  if (isPrivate(schema, shape)) return omit("private");
  if (shape.kind === "file") return omit("file");
  if (shape.kind === "any" || (node.kind === "literal" && node.text === "null")) return node;
  switch (node.kind) {
    case "object": {
      const shapeAt = memberShapes(schema, shape);
      // The contract does not declare this value, so it may be private.
      if (shapeAt === undefined) return omit("undeclared");
      const entries = node.entries.flatMap(([key, value]) => {
        const at = `${path}/${escapePointer(key)}`;
        const member = shapeAt(key);
        const kept = member === undefined ? omit("undeclared", at) : keep(keeping, member, value, at);
        return kept === undefined ? [] : [[key, kept] as const];
      });
      return { kind: "object", entries };
    }
    case "array": {
      if (shape.kind !== "list") return omit("undeclared");
      const item = shapeOf(schema, shape.item);
      const items = node.items.flatMap((one, index) => keep(keeping, item, one, `${path}/${index}`) ?? []);
      return { kind: "array", items };
    }
    default:
      return hasParts(shape) ? omit("undeclared") : node;
  }
}

/** The shape of a member by its name; undefined if the shape has no members. */
function memberShapes(schema: Schema, shape: Shape): ((name: string) => Shape | undefined) | undefined {
  if (shape.kind === "map") {
    const value = shapeOf(schema, shape.value);
    return () => value;
  }
  if (shape.kind !== "struct") return undefined;
  const fields = new Map(shape.fields.map(({ name, reference }) => [name, reference]));
  return (name) => {
    const reference = fields.get(name);
    return reference === undefined ? undefined : shapeOf(schema, reference);
  };
}

/** Whether a value is marked, or an item or a key in it. `seen`: types may contain themselves. */
function isPrivate(schema: Schema, shape: Shape, seen = new Set<string>()): boolean {
  if (shape.meta["secret"] !== undefined || shape.meta["pii"] !== undefined) return true;
  const parts = shape.kind === "list" ? [shape.item] : shape.kind === "map" ? [shape.key, shape.value] : [];
  return parts.some((part) => {
    if (seen.has(part.type)) return false;
    seen.add(part.type);
    return isPrivate(schema, shapeOf(schema, part), seen);
  });
}
