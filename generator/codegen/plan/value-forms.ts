import type { BigIntegerRange, IntegerDescriptor } from "../../language/model/core-types/descriptor.ts";
import { type CoreType, coreTypes } from "../../language/model/core-types/index.ts";

/** What integers of 64 bits are in TypeScript. On the wire they are JSON numbers either way. */
export type Int64Form = "number" | "bigint";

/** What timestamps are in TypeScript. On the wire they are text either way, with up to nine digits of a fraction; a Date holds three. */
export type TimestampForm = "string" | "Date";

/** What values are in TypeScript where there is a choice. */
export interface ValueForms {
  readonly int64: Int64Form;
  readonly timestamps: TimestampForm;
}

/** The TypeScript type of a core type's values. */
export function coreTypeText(name: CoreType, forms: ValueForms): string {
  const { option, typescript } = coreTypes[name];
  return option === undefined ? typescript : forms[option];
}

/** The integers of a type whose values are bigints, and numbers in JSON; undefined where they are numbers. */
export function bigintRange({ bigRange }: IntegerDescriptor, form: Int64Form): BigIntegerRange | undefined {
  return form === "bigint" ? bigRange : undefined;
}

/** The function of the runtime that turns a value into what JSON.stringify writes right; undefined if it is that already. */
export function writerOf(name: CoreType, forms: ValueForms): "writeBigint" | "writeDate" | undefined {
  if (coreTypes[name].kind === "bigint") return "writeBigint";
  return coreTypeText(name, forms) === "Date" ? "writeDate" : undefined;
}
