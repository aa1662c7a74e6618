/** Parses a safe integer, or decimal or hex text. Returns undefined for anything else: a number above 2^53 - 1 has already lost digits. */
export function readInteger(value: unknown): bigint | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value !== "string") return undefined;
  if (/^-?[0-9]{1,78}$/.test(value) || /^0[xX][0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value);
  return undefined;
}

/** Writes 32 bytes, big endian, negative integers in two's complement. */
export function writeWord(integer: bigint, target: Buffer, offset: number): void {
  if (integer >= 0n && integer <= 0xffff_ffffn) {
    target.fill(0, offset, offset + 28);
    target.writeUInt32BE(Number(integer), offset + 28);
    return;
  }
  for (let part = 0; part < 4; part++)
    target.writeBigUInt64BE(BigInt.asUintN(64, integer >> BigInt(192 - 64 * part)), offset + 8 * part);
}
