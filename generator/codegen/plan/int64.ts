import type { CoreType } from "../../language/model/types.ts";

/** What integers of 64 bits are in TypeScript. On the wire they are JSON numbers either way. */
export type Int64Form = "number" | "bigint";

/** What timestamps are in TypeScript. On the wire they are text either way, with up to nine digits of a fraction; a Date holds three. */
export type TimestampForm = "string" | "Date";

/** What values are in TypeScript where there is a choice. */
export interface ValueForms {
  readonly int64: Int64Form;
  readonly timestamps: TimestampForm;
}

/** Core types whose values are bigints that stand as numbers in JSON. Go's `int` and `uint` stay numbers: nobody promises their size. */
export function wideTypes(form: Int64Form): readonly WideType[] {
  return form === "bigint" ? ["int64", "uint64"] : [];
}

export type WideType = Extract<CoreType, "int64" | "uint64">;

export function isWide(name: CoreType, form: Int64Form): name is WideType {
  return form === "bigint" && (name === "int64" || name === "uint64");
}
