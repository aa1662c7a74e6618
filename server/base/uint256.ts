/** The largest 256-bit integer. */
export const uint256Max: bigint = 2n ** 256n - 1n;

/** Caps a value at the largest 256-bit integer. */
export function saturated(value: bigint): bigint {
  return value > uint256Max ? uint256Max : value;
}
