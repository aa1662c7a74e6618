import type { TypeNode } from "./tree.ts";

/** A type as RIDL and the IR write it, without spaces: `map<string,[]User>`. Missing types become `missing`. */
export function typeText(type: TypeNode, missing = ""): string {
  switch (type.kind) {
    case "named":
      return type.name;
    case "list":
      return `[]${typeText(type.element, missing)}`;
    case "map":
      return `map<${typeText(type.key)},${typeText(type.value, missing)}>`;
    case "missing":
      return missing;
  }
}

/**
 * Maximum nesting depth of lists and maps, so that later stages can walk types recursively. No real schema comes close: servers
 * reject JSON deeper than 64 levels.
 */
export const maxTypeDepth = 1000;
