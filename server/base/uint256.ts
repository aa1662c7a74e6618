export const uint256Max: bigint = 2n ** 256n - 1n;

export function saturated(value: bigint): bigint {
  return value > uint256Max ? uint256Max : value;
}
