import type { CoreType } from "../model/types.ts";

/** What integers of 64 bits are in TypeScript. On the wire they are JSON numbers either way. */
export type Int64Form = "number" | "bigint";

/** Core types whose values are bigints that stand as numbers in JSON. Go's `int` and `uint` stay numbers: nobody promises their size. */
export function wideTypes(form: Int64Form): readonly WideType[] {
  return form === "bigint" ? ["int64", "uint64"] : [];
}

export type WideType = Extract<CoreType, "int64" | "uint64">;

export function isWide(name: CoreType, form: Int64Form): name is WideType {
  return form === "bigint" && (name === "int64" || name === "uint64");
}
