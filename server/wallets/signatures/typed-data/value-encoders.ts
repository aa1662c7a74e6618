/** Encodes values of elementary Solidity types as words of 32 bytes (`encodeData` of EIP-712). */
import type { Keccak } from "../../../base/keccak.ts";
import { readInteger, writeWord } from "./integers.ts";
import { TypedDataError } from "./typed-data-error.ts";

/** Writes all 32 bytes of the word at `offset`. Throws TypedDataError. */
export type EncodeValue = (value: unknown, target: Buffer, offset: number) => void;

/** Pass only elementary types that `checkTypes` accepts. */
export function elementaryEncoder(type: string, keccak: Keccak): EncodeValue {
  switch (type) {
    case "string":
      return (value, target, offset) => {
        if (typeof value !== "string") throw expected("text");
        target.set(keccak(value), offset);
      };
    case "bytes":
      return (value, target, offset) => target.set(keccak(readHex(value)), offset);
    case "bool":
      return (value, target, offset) => {
        if (typeof value !== "boolean") throw expected("true or false");
        target.fill(0, offset, offset + 32);
        target[offset + 31] = value ? 1 : 0;
      };
    case "address":
      return encodeAddress;
  }
  const [, kind, size] = /^(uint|int|bytes)([0-9]+)$/.exec(type) ?? [];
  if (kind === "bytes") return fixedBytesEncoder(Number(size));
  return integerEncoder(kind === "int", Number(size));
}

function encodeAddress(value: unknown, target: Buffer, offset: number): void {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(value)) throw expected("an address");
  target.fill(0, offset, offset + 12);
  target.write(value.slice(2), offset + 12, "hex");
}

function fixedBytesEncoder(size: number): EncodeValue {
  return (value, target, offset) => {
    const bytes = readHex(value);
    if (bytes.length !== size) throw expected(`${size} bytes in hex`);
    target.fill(0, offset, offset + 32);
    target.set(bytes, offset);
  };
}

function integerEncoder(isSigned: boolean, bits: number): EncodeValue {
  const low = isSigned ? -(1n << BigInt(bits - 1)) : 0n;
  const high = 1n << BigInt(isSigned ? bits - 1 : bits);
  return (value, target, offset) => {
    const integer = readInteger(value);
    if (integer === undefined) throw expected("an integer: a number up to 2^53 - 1, or decimal or hex text");
    if (integer < low || integer >= high)
      throw expected(`an integer of ${bits} bits${isSigned ? "" : ", not negative"}`);
    writeWord(integer, target, offset);
  };
}

function readHex(value: unknown): Buffer {
  if (typeof value !== "string" || !/^0x([0-9a-fA-F]{2})*$/.test(value))
    throw expected("bytes in hex after 0x");
  return Buffer.from(value.slice(2), "hex");
}

function expected(what: string): TypedDataError {
  return new TypedDataError(`expected ${what}`);
}
