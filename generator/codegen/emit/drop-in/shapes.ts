/**
 * Prints types as data, which the file's own functions read: to find bigints in responses, and to check requests on a
 * server.
 */
import { isBytes, type MapKeyType, type ResolvedType } from "../../../language/model/types.ts";
import type { Plan, PlannedType } from "../../plan/plan.ts";
import { literal } from "../text.ts";
import type { FileNames } from "./names.ts";

/**
 * Prints lines such as `User: { fields: [["id", "uint64"], ["tags", ["list", "string"], 1]] }`. Only servers need
 * enums.
 */
export function shapeLines({ types }: Plan, names: FileNames, hasEnums: boolean): readonly string[] {
  return types
    .filter(({ kind }) => hasEnums || kind !== "enum")
    .map((type) => `${literal(names.type(type.name))}: ${entryText(type, names)},`);
}

function entryText(type: PlannedType, names: FileNames): string {
  switch (type.kind) {
    case "enum":
      return `{ values: [${type.values.map(({ wire }) => literal(wire)).join(", ")}] }`;
    case "alias":
      return `{ alias: ${shapeText(type.type, names)} }`;
    case "struct":
      return `{ fields: [${[
        ...type.fields.map(({ wireName, type: shape, optional, nullable, default: defaultValue }) => {
          const mark = nullable ? ", 2" : optional || defaultValue !== undefined ? ", 1" : "";
          return `[${literal(wireName)}, ${shapeText(shape, names)}${mark}]`;
        }),
        ...(type.files ?? []).map(
          ({ name, isList, optional }) =>
            `[${literal(name)}, ${isList ? '["list", "file"]' : '"file"'}${optional ? ", 1" : ""}]`,
        ),
      ].join(", ")}] }`;
  }
}

function shapeText(type: ResolvedType, names: FileNames): string {
  switch (type.kind) {
    case "list":
      if (isBytes(type)) return '"[]byte"';
      return `["list", ${shapeText(type.element, names)}]`;
    case "map":
      return `["map", ${literal(keyName(type.key, names))}, ${shapeText(type.value, names)}]`;
    case "unknown":
      return '"any"';
    case "core":
      return literal(type.name);
    default:
      return literal(names.type(type.name));
  }
}

function keyName({ kind, name }: MapKeyType, names: FileNames): string {
  return kind === "core" ? name : names.type(name);
}
