import type { TypeNode } from "../../syntax/tree.ts";
import { coreTypes, isCoreType } from "../core-types/index.ts";
import type { Scope } from "../scope.ts";
import type { Shape } from "./keys.ts";
import { aliasesOf } from "./read.ts";

/** Returns the shape behind all aliases; undefined if any value is allowed or the type is unknown. */
export function shapeOf(type: TypeNode, scope: Scope): Shape | undefined {
  const end = aliasesOf(type, scope).at(-1)?.type ?? type;
  if (end.kind === "missing") return undefined;
  if (end.kind !== "named") return end.kind;
  if (isCoreType(end.name)) return coreTypes[end.name].shape;
  const found = scope.typeByName.get(end.name)?.node.kind;
  return found === "struct" || found === "enum" ? "other" : undefined;
}
