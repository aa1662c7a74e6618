import type { SchemaFile, TypeNode } from "../syntax/tree.ts";
import { isCoreType } from "./core-types/index.ts";
import { isIntegerType } from "./core-types/integers.ts";
import { foldCase } from "./names.ts";
import type { Scope, TypeDeclarationNode } from "./scope.ts";
import { fileType, type MapKeyType, type ResolvedType } from "./types.ts";

/** Resolves a type in a scope. Undeclared names, which the rules report, become `unknown`. */
export function resolveType(type: TypeNode, scope: Scope): ResolvedType {
  switch (type.kind) {
    case "list":
      return { kind: "list", element: resolveType(type.element, scope) };
    case "map": {
      const value = resolveType(type.value, scope);
      const key = resolveKey(type.key, scope);
      return typeof key === "object" ? { kind: "map", key, value } : { kind: "unknown" };
    }
    case "named": {
      if (isCoreType(type.name)) return { kind: "core", name: type.name };
      const found = scope.typeByName.get(type.name)?.node;
      return found === undefined ? { kind: "unknown" } : { kind: found.kind, name: found.name.text };
    }
    case "missing":
      return { kind: "unknown" };
  }
}

/**
 * Resolves a map key: string, an integer, an enum, or an alias of an enum. Looks names up case-insensitively, as the reference
 * tool does. Returns the reason if the type is not a valid key.
 */
export function resolveKey(key: TypeNode, scope: Scope): MapKeyType | "unknown-name" | "not-a-key" {
  if (key.kind !== "named") return "not-a-key";
  const { name } = key;
  if (name === "string" || isIntegerType(name)) return { kind: "core", name };
  if (isCoreType(name) || name === fileType) return "not-a-key";
  const declared = scope.typeByFoldedName.get(foldCase(name));
  if (declared === undefined) return "unknown-name";
  const found = declared.node;
  // An alias keeps its meaning from its own file, even if its target was not imported here.
  return keyDeclaration(found, scopeOf(declared.file, scope) ?? scope)
    ? { kind: found.kind, name: found.name.text }
    : "not-a-key";
}

function keyDeclaration(
  node: TypeDeclarationNode,
  scope: Scope,
): node is Exclude<TypeDeclarationNode, { kind: "struct" }> {
  if (node.kind === "enum") return true;
  // The reference tool does not resolve aliases of an IR file, so none can be a key.
  if (node.kind === "struct" || scope.file.format === "ir") return false;
  return node.type.kind === "named" && scope.typeByName.get(node.type.name)?.node.kind === "enum";
}

/** Returns the scope of a file that this one imports, directly or indirectly. */
function scopeOf(file: SchemaFile, scope: Scope): Scope | undefined {
  const seen = new Set([scope]);
  for (const next of seen) {
    if (next.file === file) return next;
    for (const imported of next.imports) seen.add(imported.scope);
  }
  return undefined;
}
