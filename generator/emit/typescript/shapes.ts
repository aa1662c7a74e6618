/** Types as data, which the file's own reader walks: bigints on the way in, and on a server all of a request. */
import type { MapKeyType, ResolvedType } from "../../model/types.ts";
import type { Plan, PlannedType } from "../../plan/plan.ts";
import { literal } from "../text.ts";

/** `User: { fields: [["id", "uint64"], ["tags", ["list", "string"], 1]] }` as lines. Only a server looks at enums. */
export function shapeLines(
  { types }: Plan,
  nameOf: (typeName: string) => string,
  hasEnums: boolean,
): readonly string[] {
  return types
    .filter(({ kind }) => hasEnums || kind !== "enum")
    .map((type) => `${literal(nameOf(type.name))}: ${entryText(type)},`);
}

function entryText(type: PlannedType): string {
  switch (type.kind) {
    case "enum":
      return `{ values: [${type.values.map(({ wire }) => literal(wire)).join(", ")}] }`;
    case "alias":
      return `{ alias: ${shapeText(type.type)} }`;
    case "struct":
      return `{ fields: [${type.fields
        .map(({ wireName, type: shape, optional, nullable, default: preset }) => {
          const mark = nullable ? ", 2" : optional || preset !== undefined ? ", 1" : "";
          return `[${literal(wireName)}, ${shapeText(shape)}${mark}]`;
        })
        .join(", ")}] }`;
  }
}

function shapeText(type: ResolvedType): string {
  switch (type.kind) {
    case "list":
      if (type.element.kind === "core" && type.element.name === "byte") return '"[]byte"';
      return `["list", ${shapeText(type.element)}]`;
    case "map":
      return `["map", ${literal(keyName(type.key))}, ${shapeText(type.value)}]`;
    case "unknown":
      return '"any"';
    default:
      return literal(type.name);
  }
}

function keyName({ name }: MapKeyType): string {
  return name;
}
