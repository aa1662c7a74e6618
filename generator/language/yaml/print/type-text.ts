import type { TypeNode } from "../../syntax/tree.ts";
import { scalar } from "./scalar.ts";

export function printTypeText(type: TypeNode): string {
  return scalar(typeText(type));
}

/** `[]map<string,[]Pet>` → `map<string,Pet[]>[]`: YAML would read a leading bracket as a list. */
export function typeText(type: TypeNode): string {
  switch (type.kind) {
    case "named":
      return type.name;
    case "list":
      return `${typeText(type.element)}[]`;
    case "map":
      return `map<${typeText(type.key)},${typeText(type.value)}>`;
    case "missing":
      return "";
  }
}
