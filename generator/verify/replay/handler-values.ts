import type { Json } from "../../codegen/plan/json.ts";
import type { PlannedFile } from "../../codegen/plan/plan.ts";
import { TypeFinder } from "../../codegen/plan/type-finder.ts";
import { coreTypeText } from "../../codegen/plan/value-forms.ts";
import { isBytes, type ResolvedType } from "../../language/model/types.ts";
import type { LoadedContract } from "../in-memory/load.ts";

/**
 * Converts a JSON body to the value that handlers and clients use. Converts bigints, numbers of enum values, and other forms that a field
 * `accepts`, renames aliases to field names, leaves out fields where null means absent, and adds files.
 */
export function toHandlerValue(
  { plan }: Pick<LoadedContract, "plan">,
  typeName: string,
  body: Json,
  files: readonly PlannedFile[],
): Record<string, unknown> {
  const types = new TypeFinder(plan);
  const value = convert({ kind: "struct", name: typeName }, body) as Record<string, unknown>;
  for (const { name, isList, within } of files) {
    const holder = within === undefined ? value : value[within.name];
    if (typeof holder !== "object" || holder === null) continue;
    Object.assign(holder, { [name]: isList ? [new Blob(["bytes"])] : new Blob(["bytes"]) });
  }
  return value;

  function convert(type: ResolvedType, json: Json | undefined): unknown {
    const resolved = types.unaliased(type);
    if (json === null || json === undefined) return json;
    switch (resolved.kind) {
      case "core":
        return typed(coreTypeText(resolved.name, plan), json);
      case "list":
        return Array.isArray(json) && !isBytes(resolved)
          ? json.map((item: Json) => convert(resolved.element, item))
          : json;
      case "map":
        return Object.fromEntries(
          Object.entries(json).map(([key, item]) => [key, convert(resolved.value, item as Json)]),
        );
      case "enum":
        return typeof json === "number" ? (enumName(resolved.name, json) ?? json) : json;
      case "struct":
        return struct(resolved.name, json as Readonly<Record<string, Json>>);
      default:
        return json;
    }
  }

  function enumName(name: string, value: number): string | undefined {
    return types.enum(name).values.find(({ number }) => number === String(value))?.wire;
  }

  function struct(name: string, json: Readonly<Record<string, Json>>): Record<string, unknown> {
    const converted: Record<string, unknown> = {};
    for (const { wireName, aliases, type, nullable } of types.struct(name).fields) {
      const sentName = [wireName, ...aliases].find((name) => Object.hasOwn(json, name));
      const item = sentName === undefined ? undefined : json[sentName];
      if (item === undefined || (item === null && !nullable)) continue;
      Object.defineProperty(converted, wireName, {
        value: convert(type, item),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    return converted;
  }
}

/** Converts a scalar from any form that a field may accept to its type in TypeScript. */
function typed(typeText: string, json: Json): unknown {
  if (typeText === "bigint") return BigInt(json as string);
  if (typeText === "number" && typeof json === "string") return Number(json);
  if (typeText === "boolean" && typeof json === "string") return json === "true";
  if (typeText === "string" && (typeof json === "number" || typeof json === "boolean")) return String(json);
  return json;
}
