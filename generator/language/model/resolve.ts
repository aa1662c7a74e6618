import type { SchemaFile, TypeNode } from "../syntax/tree.ts";
import { isCoreType } from "./core-types/index.ts";
import { isIntegerType } from "./core-types/integers.ts";
import { foldCase } from "./names.ts";
import type { Scope, TypeDeclarationNode } from "./scope.ts";
import { fileType, type MapKeyType, type ResolvedType } from "./types.ts";

/** What a type means in a scope. `undefined` parts of it, which the rules report, come out as `unknown`. */
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
 * The key of a map: string, an integer, an enum, or an alias of an enum. Names are found without regard to letter case, as the
 * reference tool finds them. Otherwise what is wrong with it.
 */
export function resolveKey(key: TypeNode, scope: Scope): MapKeyType | "unknown-name" | "not-a-key" {
  if (key.kind !== "named") return "not-a-key";
  const { name } = key;
  if (name === "string" || isIntegerType(name)) return { kind: "core", name };
  if (isCoreType(name) || name === fileType) return "not-a-key";
  const declared = scope.typeByFoldedName.get(foldCase(name));
  if (declared === undefined) return "unknown-name";
  const found = declared.node;
  // An alias means what it meant in its own file, also where its target was not imported.
  return keyDeclaration(found, scopeOf(declared.file, scope) ?? scope)
    ? { kind: found.kind, name: found.name.text }
    : "not-a-key";
}

function keyDeclaration(
  node: TypeDeclarationNode,
  scope: Scope,
): node is Exclude<TypeDeclarationNode, { kind: "struct" }> {
  if (node.kind === "enum") return true;
  // An IR file's aliases are not resolved by the reference tool, so none of them can be a key.
  if (node.kind === "struct" || scope.file.format === "ir") return false;
  return node.type.kind === "named" && scope.typeByName.get(node.type.name)?.node.kind === "enum";
}

/** The scope of a file that this one imports, directly or not. */
function scopeOf(file: SchemaFile, scope: Scope): Scope | undefined {
  const seen = new Set([scope]);
  for (const next of seen) {
    if (next.file === file) return next;
    for (const imported of next.imports) seen.add(imported.scope);
  }
  return undefined;
}
