import type { IntegerDescriptor, IntegerRange } from "./descriptor.ts";

/** The integer types, which may be map keys and enum bases. */
export type IntegerType = `${"" | "u"}int${"" | 8 | 16 | 32 | 64}`;

const safe = Number.MAX_SAFE_INTEGER;

/** JavaScript's safe integers. */
const signed: IntegerRange = { low: -safe, high: safe };
const unsigned: IntegerRange = { low: 0, high: safe };
const signedWords = "a whole number within ±(2^53 - 1)";
const unsignedWords = "a whole number from 0 to 2^53 - 1";

export const integers: Readonly<Record<IntegerType, IntegerDescriptor>> = {
  uint: integer(unsigned, unsignedWords),
  uint8: integer({ low: 0, high: 255 }, "a whole number from 0 to 255", "u8"),
  uint16: integer({ low: 0, high: 65_535 }, "a whole number from 0 to 65,535", "u16", "ushort"),
  uint32: integer({ low: 0, high: 4_294_967_295 }, "a whole number from 0 to 4,294,967,295", "u32"),
  uint64: withBigRange(integer(unsigned, unsignedWords, "ulong", "unsigned", "u64"), 0n, 2n ** 64n - 1n),
  int: integer(signed, signedWords),
  int8: integer({ low: -128, high: 127 }, "a whole number from -128 to 127", "i8"),
  int16: integer({ low: -32_768, high: 32_767 }, "a whole number from -32,768 to 32,767", "i16", "short"),
  int32: integer({ low: -2_147_483_648, high: 2_147_483_647 }, "a whole number within 32 bits", "i32"),
  int64: withBigRange(integer(signed, signedWords, "integer", "long", "i64"), -(2n ** 63n), 2n ** 63n - 1n),
};

export function isIntegerType(name: string): name is IntegerType {
  return Object.hasOwn(integers, name);
}

export function integer(
  range: IntegerRange,
  description: string,
  ...foreignNames: readonly string[]
): IntegerDescriptor {
  return {
    kind: "integer",
    shape: "number",
    foreignNames,
    description,
    json: "number",
    typescript: "number",
    recorded: "number",
    widensTo: { float: "always", bigint: "request" },
    invalid: [],
    isDefault: (text) => /^-?[0-9]+$/.test(text) && Number(text) >= range.low && Number(text) <= range.high,
    range,
  };
}

/** Excludes `int` and `uint`: their size in Go depends on the machine. */
function withBigRange(type: IntegerDescriptor, low: bigint, high: bigint): IntegerDescriptor {
  return { ...type, option: "int64", bigRange: { low, high } };
}
