import type { TypeNode } from "../../syntax/tree.ts";
import type { Scope } from "../scope.ts";
import { isIntegerType } from "../types.ts";
import { aliasesOf } from "./read.ts";
import type { Shape } from "./vocabulary.ts";

/** The shape behind all aliases; undefined where anything may stand, or nothing is known. */
export function shapeOf(type: TypeNode, scope: Scope): Shape | undefined {
  const end = aliasesOf(type, scope).at(-1)?.type ?? type;
  if (end.kind === "missing") return undefined;
  if (end.kind !== "named") return end.kind;
  if (end.name === "any") return undefined;
  if (end.name === "string" || end.name === "timestamp") return "text";
  if (end.name === "bool") return "boolean";
  if (isIntegerType(end.name) || /^(byte|bigint|float32|float64)$/.test(end.name)) return "number";
  const found = scope.typeByName.get(end.name)?.node.kind;
  return found === "struct" || found === "enum" || end.name === "null" ? "other" : undefined;
}
