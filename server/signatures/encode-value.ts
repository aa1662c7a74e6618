import { keccak_256 } from "@noble/hashes/sha3";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils";
import { TypedDataError } from "./typed-data-error.ts";

/** One value of an elementary Solidity type as 32 bytes, as EIP-712's `encodeData` has it. Throws TypedDataError. */
export function encodeValue(type: string, value: unknown, path: string): Uint8Array {
  switch (type) {
    case "string":
      if (typeof value !== "string") throw wrong(path, "text");
      return keccak_256(utf8ToBytes(value));
    case "bytes":
      return keccak_256(readHex(value, path));
    case "bool":
      if (typeof value !== "boolean") throw wrong(path, "true or false");
      return word(value ? 1n : 0n);
    case "address":
      return encodeAddress(value, path);
  }
  const [, kind, size] = /^(uint|int|bytes)([0-9]*)$/.exec(type) ?? [];
  if (kind === "bytes") return encodeFixedBytes(Number(size), value, path);
  return encodeInteger(kind === "int", BigInt(size === "" ? 256 : (size ?? 256)), value, path);
}

function encodeAddress(value: unknown, path: string): Uint8Array {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(value)) throw wrong(path, "an address");
  return word(BigInt(value));
}

function encodeFixedBytes(size: number, value: unknown, path: string): Uint8Array {
  const bytes = readHex(value, path);
  if (bytes.length !== size) throw wrong(path, `${size} bytes in hex`);
  const padded = new Uint8Array(32);
  padded.set(bytes);
  return padded;
}

function encodeInteger(isSigned: boolean, bits: bigint, value: unknown, path: string): Uint8Array {
  const number = readInteger(value, path);
  const [low, high] = isSigned ? [-(1n << (bits - 1n)), 1n << (bits - 1n)] : [0n, 1n << bits];
  if (number < low || number >= high)
    throw wrong(path, `an integer of ${bits} bits${isSigned ? "" : ", not negative"}`);
  return word(BigInt.asUintN(256, number));
}

/** A safe integer number, or decimal or hex text. A number past 2^53 - 1 has lost digits already. */
function readInteger(value: unknown, path: string): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "string" && /^-?[0-9]{1,78}$/.test(value)) return BigInt(value);
  if (typeof value === "string" && /^0[xX][0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value);
  throw wrong(path, "an integer: a number up to 2^53 - 1, or decimal or hex text");
}

function readHex(value: unknown, path: string): Uint8Array {
  if (typeof value !== "string" || !/^0x([0-9a-fA-F]{2})*$/.test(value))
    throw wrong(path, "bytes in hex after 0x");
  return hexToBytes(value.slice(2));
}

function word(value: bigint): Uint8Array {
  return hexToBytes(value.toString(16).padStart(64, "0"));
}

function wrong(path: string, expected: string): TypedDataError {
  return new TypedDataError(`${path}: expected ${expected}`);
}
