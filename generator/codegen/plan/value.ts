import { type CoreKind, coreTypes } from "../../language/model/core-types.ts";
import { isBytes, type ResolvedType } from "../../language/model/types.ts";
import type { Json } from "./json.ts";
import type { PlannedEnum } from "./plan.ts";
import type { TypeFinder } from "./type-finder.ts";

/**
 * Parses the value of a meta key, such as `default = 30`, as a JSON value of its type. Bigints become strings. `""` is the
 * empty list, map or struct. Returns undefined for an invalid value.
 */
export function parseValue(text: string, type: ResolvedType, types: TypeFinder): Json | undefined {
  const resolved = types.unaliased(type);
  switch (resolved.kind) {
    case "core":
      return readers[coreTypes[resolved.name].kind](text);
    case "enum":
      return enumValue(text, types.enum(resolved.name));
    case "list":
      if (isBytes(resolved)) return text;
      return text === "" ? [] : jsonValue(text, Array.isArray);
    case "map":
    case "struct":
      if (text === "") return {};
      return jsonValue(text, (value) => typeof value === "object" && value !== null && !Array.isArray(value));
    case "unknown":
      return readers.any(text);
  }
}

const readers: Readonly<Record<CoreKind, (text: string) => Json | undefined>> = {
  any: (text) => jsonValue(text, () => true) ?? text,
  null: (text) => (text === "null" ? null : undefined),
  boolean: (text) => jsonValue(text, (value) => typeof value === "boolean"),
  integer: (text) => jsonValue(text, Number.isSafeInteger),
  float: (text) => jsonValue(text, Number.isFinite),
  bigint: (text) => (/^-?[0-9]+$/.test(text) ? String(BigInt(text)) : undefined),
  text: (text) => text,
  formatted: (text) => text,
};

/** Accepts the entry's name or its JSON text. */
function enumValue(text: string, type: PlannedEnum): string | undefined {
  return type.values.find(({ wire, key }) => wire === text || key === text)?.wire;
}

function jsonValue(text: string, fits: (value: unknown) => boolean): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return fits(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
