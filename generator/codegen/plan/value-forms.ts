import {
  type BigIntegerRange,
  type CoreType,
  coreTypes,
  type IntegerDescriptor,
} from "../../language/model/core-types.ts";

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

/** Returns the runtime function that converts a value for JSON.stringify. */
export function writerOf(
  name: CoreType,
  forms: ValueForms,
): "writeAny" | "writeAnyInt64" | "writeBigint" | "writeDate" | "writeScalar" {
  const { kind } = coreTypes[name];
  if (kind === "any") return forms.int64 === "bigint" ? "writeAnyInt64" : "writeAny";
  if (kind === "bigint") return "writeBigint";
  return coreTypeText(name, forms) === "Date" ? "writeDate" : "writeScalar";
}
