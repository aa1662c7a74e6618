import { anything } from "./any.ts";
import { bigint } from "./bigint.ts";
import { bool } from "./bool.ts";
import { byte } from "./byte.ts";
import type { CoreTypeDescriptor } from "./descriptor.ts";
import { type FloatType, floats } from "./floats.ts";
import { type IntegerType, integers } from "./integers.ts";
import { nothing } from "./null.ts";
import { string } from "./string.ts";
import { timestamp } from "./timestamp.ts";

export type CoreType =
  | ("null" | "any" | "byte" | "bool" | "bigint" | "string" | "timestamp")
  | IntegerType
  | FloatType;

/** The built-in types by RIDL name, in the order in which editors list them. */
export const coreTypes: Readonly<Record<CoreType, CoreTypeDescriptor>> = {
  null: nothing,
  any: anything,
  byte,
  bool,
  ...integers,
  bigint,
  ...floats,
  string,
  timestamp,
};

export const coreTypeNames: readonly CoreType[] = Object.keys(coreTypes) as CoreType[];

const names: ReadonlySet<string> = new Set(coreTypeNames);

export function isCoreType(name: string): name is CoreType {
  return names.has(name);
}

/** Whether values in other languages can exceed JavaScript's safe integers. */
export function mayExceedSafeInteger(name: CoreType): boolean {
  const type = coreTypes[name];
  return type.kind === "integer" && type.range.high === Number.MAX_SAFE_INTEGER;
}

/** Finds the core type for a name from another language: `"boolean"` → `"bool"`. Ignores a trailing semicolon: `"number;"`. */
export function coreTypeNamedLike(name: string): CoreType | undefined {
  const word = name.toLowerCase().replace(/;$/, "");
  return coreTypeNames.find((native) => coreTypes[native].foreignNames.includes(word));
}
