import type { BigIntegerRange, IntegerDescriptor } from "../../language/model/core-types/descriptor.ts";
import { type CoreType, coreTypes } from "../../language/model/core-types/index.ts";

/** The TypeScript type of 64-bit integers. On the wire they are always JSON numbers. */
export type Int64Form = "number" | "bigint";

/**
 * The TypeScript type of timestamps. On the wire they are always text with up to nine fraction digits, of which a Date
 * keeps three.
 */
export type TimestampForm = "string" | "Date";

/**
 * The TypeScript type of enums in responses. A newer server may send values that the schema of a client lacks: open types
 * admit them, and with closed types the client rejects them.
 */
export type EnumForm = "open" | "closed";

export const enumForms: readonly EnumForm[] = ["open", "closed"];

/** The TypeScript types that the configuration can choose. */
export interface ValueForms {
  readonly int64: Int64Form;
  readonly timestamps: TimestampForm;
  readonly enums: EnumForm;
}

/** Returns the TypeScript type of a core type. */
export function coreTypeText(name: CoreType, forms: ValueForms): string {
  const { option, typescript } = coreTypes[name];
  return option === undefined ? typescript : forms[option];
}

/** Returns the range of an integer type that is a bigint in TypeScript. Undefined if it is a number. */
export function bigintRange({ bigRange }: IntegerDescriptor, form: Int64Form): BigIntegerRange | undefined {
  return form === "bigint" ? bigRange : undefined;
}

/** Returns the runtime function that converts a value for JSON.stringify. Undefined if none is needed. */
export function writerOf(name: CoreType, forms: ValueForms): "writeBigint" | "writeDate" | undefined {
  if (coreTypes[name].kind === "bigint") return "writeBigint";
  return coreTypeText(name, forms) === "Date" ? "writeDate" : undefined;
}
