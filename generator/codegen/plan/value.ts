import type { CoreType, ResolvedType } from "../../language/model/types.ts";
import { isIntegerType } from "../../language/model/types.ts";
import type { Json } from "./json.ts";
import type { PlannedEnum } from "./plan.ts";
import type { TypeFinder } from "./type-finder.ts";

/**
 * What a meta line such as `default = 30` means as a value of its type, in the form that JSON has for it; a bigint is decimal
 * text. No text at all is the empty value. Undefined if it is no value of the type.
 */
export function parseValue(text: string, type: ResolvedType, types: TypeFinder): Json | undefined {
  const end = types.end(type);
  switch (end.kind) {
    case "core":
      return coreValue(text, end.name);
    case "enum":
      return enumValue(text, types.enum(end.name));
    case "list":
      if (types.isBytes(end)) return text;
      return text === "" ? [] : jsonValue(text, Array.isArray);
    case "map":
    case "struct":
      if (text === "") return {};
      return jsonValue(text, (value) => typeof value === "object" && value !== null && !Array.isArray(value));
    case "unknown":
      return jsonValue(text, () => true) ?? text;
  }
}

function coreValue(text: string, name: CoreType): Json | undefined {
  if (name === "string" || name === "timestamp") return text;
  if (name === "any") return jsonValue(text, () => true) ?? text;
  if (name === "bigint") return /^-?[0-9]+$/.test(text) ? String(BigInt(text)) : undefined;
  if (name === "byte" || isIntegerType(name)) return jsonValue(text, Number.isSafeInteger);
  if (name === "float32" || name === "float64") return jsonValue(text, Number.isFinite);
  if (name === "bool") return jsonValue(text, (value) => typeof value === "boolean");
  return text === "null" ? null : undefined;
}

/** By the name of the entry, or by what stands for it in JSON. */
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
