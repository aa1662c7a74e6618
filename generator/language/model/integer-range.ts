import type { IntegerType } from "./types.ts";

export interface IntegerRange {
  readonly low: number;
  readonly high: number;
}

const safe = Number.MAX_SAFE_INTEGER;

const ranges: Readonly<Record<IntegerType | "byte", IntegerRange>> = {
  byte: { low: 0, high: 255 },
  uint8: { low: 0, high: 255 },
  uint16: { low: 0, high: 65_535 },
  uint32: { low: 0, high: 4_294_967_295 },
  uint64: { low: 0, high: safe },
  uint: { low: 0, high: safe },
  int8: { low: -128, high: 127 },
  int16: { low: -32_768, high: 32_767 },
  int32: { low: -2_147_483_648, high: 2_147_483_647 },
  int64: { low: -safe, high: safe },
  int: { low: -safe, high: safe },
};

/** The integers of a type that JSON numbers hold exactly: types of 64 bits end at ±(2^53 - 1). Bounds are inclusive. */
export function integerRange(name: IntegerType | "byte"): IntegerRange {
  return ranges[name];
}

/** All integers of the types with 64 bits. */
export const wideRange: Readonly<
  Record<"int64" | "uint64", { readonly low: bigint; readonly high: bigint }>
> = {
  int64: { low: -(2n ** 63n), high: 2n ** 63n - 1n },
  uint64: { low: 0n, high: 2n ** 64n - 1n },
};

/** The largest magnitude of a float32, as a double. */
export const float32Max: number = 3.4028234663852886e38;
