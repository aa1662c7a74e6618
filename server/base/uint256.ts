/** The largest integer of a chain, in 256 bits. */
export const uint256Max: bigint = 2n ** 256n - 1n;

/** The largest integer in place of a larger one. */
export function saturated(value: bigint): bigint {
  return value > uint256Max ? uint256Max : value;
}
