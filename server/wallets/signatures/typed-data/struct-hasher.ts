import type { Keccak } from "../../../base/keccak.ts";
import {
  checkType,
  encodeType,
  type ReferencesBy,
  referencesOf,
  TypedDataError,
  type Types,
  within,
} from "./types.ts";

/** `hashStruct` of EIP-712 for one type. Returns 32 bytes. Throws TypedDataError. */
export type HashStruct = (value: unknown) => Uint8Array;

/**
 * Limit for the total length of a set's encoded types, in characters. A type's encoding includes every type that it refers to,
 * so a document of 256 KiB could cause 64 MiB of hashing. Common types have a few hundred characters.
 */
const maxEncodedLength = 1_048_576;

/**
 * Limit for the encoded structs of one value, in bytes. A document of 256 KiB has 4 MiB if all of its structs are present. Absent
 * structs have no text, so without a limit, few types and many empty objects would cause gigabytes of hashing.
 */
const maxDataBytes = 8_388_608;

/** Compiles types into hash functions, each on first use. */
export class StructHashers {
  readonly #types: Types;
  readonly #by: ReferencesBy;
  readonly #keccak: Keccak;
  readonly #typeHashes = new Map<string, Uint8Array>();
  readonly #hashers = new Map<string, HashStruct>();
  #encodedLength = 0;
  #dataBytes = 0;

  constructor(types: Types, by: ReferencesBy, keccak: Keccak) {
    this.#types = types;
    this.#by = by;
    this.#keccak = keccak;
  }

  /** Checks the type and all types that it refers to. Throws TypedDataError. Other types of the set may be invalid, as in wallets. */
  of(name: string): HashStruct {
    for (const type of referencesOf(name, this.#types, "name")) this.#prepare(type);
    const hash = this.#hasherOf(name);
    return (value) => {
      this.#dataBytes = 0;
      return hash(value);
    };
  }

  #prepare(name: string): void {
    if (this.#typeHashes.has(name)) return;
    checkType(name, this.#types);
    const text = encodeType(name, this.#types, this.#by);
    this.#encodedLength += text.length;
    if (this.#encodedLength > maxEncodedLength)
      throw new TypedDataError(`their encodings have more than ${maxEncodedLength} characters in total`, [
        "types",
      ]);
    this.#typeHashes.set(name, this.#keccak(text));
  }

  #hasherOf(name: string): HashStruct {
    let hasher = this.#hashers.get(name);
    if (hasher === undefined) {
      hasher = this.#compile(name);
      this.#hashers.set(name, hasher);
    }
    return hasher;
  }

  #compile(name: string): HashStruct {
    const keccak = this.#keccak;
    const typeHash = this.#typeHashes.get(name) ?? new Uint8Array(32);
    const members = (this.#types.get(name) ?? []).map((field) => ({
      key: field.name,
      encode: this.#encoderOf(field.type),
    }));
    const size = 32 * (1 + members.length);
    return (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw new TypedDataError(`expected an object of type "${name}"`);
      this.#dataBytes += size;
      if (this.#dataBytes > maxDataBytes)
        throw new TypedDataError(`its structs have more than ${maxDataBytes} bytes in total`);
      const record = value as Readonly<Record<string, unknown>>;
      const data = Buffer.allocUnsafe(size);
      data.set(typeHash);
      let offset = 32;
      for (const { key, encode } of members) {
        try {
          encode(Object.hasOwn(record, key) ? record[key] : undefined, data, offset);
        } catch (err) {
          throw err instanceof TypedDataError ? err.within(key) : err;
        }
        offset += 32;
      }
      return keccak(data);
    };
  }

  #encoderOf(type: string): EncodeValue {
    if (this.#types.has(type)) return this.#structEncoder(type);
    const encode = type.endsWith("]")
      ? this.#listEncoder(type.slice(0, type.lastIndexOf("[")))
      : elementaryEncoder(type, this.#keccak);
    return (value, target, offset) => {
      if (value === undefined || value === null) throw new TypedDataError("missing");
      encode(value, target, offset);
    };
  }

  /** An absent struct is a word of zeros, as MetaMask signs it. So types may contain themselves: a tree ends at absent structs. */
  #structEncoder(type: string): EncodeValue {
    return (value, target, offset) => {
      if (value === undefined || value === null) target.fill(0, offset, offset + 32);
      else target.set(this.#hasherOf(type)(value), offset);
    };
  }

  /** Wallets do not compare the number of items with a fixed length. */
  #listEncoder(element: string): EncodeValue {
    const keccak = this.#keccak;
    const encode = this.#encoderOf(element);
    return (value, target, offset) => {
      if (!Array.isArray(value)) throw new TypedDataError("expected a list");
      const items = Buffer.alloc(32 * value.length);
      for (const [index, item] of value.entries()) within(index, () => encode(item, items, 32 * index));
      target.set(keccak(items), offset);
    };
  }
}

/* Encodes values of elementary Solidity types as words of 32 bytes (`encodeData` of EIP-712). */

/** Writes all 32 bytes of the word at `offset`. Throws TypedDataError. */
export type EncodeValue = (value: unknown, target: Buffer, offset: number) => void;

/** Pass only elementary types that `checkType` accepts. */
function elementaryEncoder(type: string, keccak: Keccak): EncodeValue {
  switch (type) {
    case "string":
      return (value, target, offset) => {
        target.set(keccak(readText(value)), offset);
      };
    case "bytes":
      return (value, target, offset) => target.set(keccak(readBytes(value)), offset);
    case "bool":
      return (value, target, offset) => {
        if (typeof value !== "boolean" && value !== 0 && value !== 1) throw expected("true or false");
        target.fill(0, offset, offset + 32);
        target[offset + 31] = Number(value);
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
    if (bytes === undefined || bytes.length > size) throw expected(`${size} bytes in hex after 0x`);
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

/** Wallets sign a number in a field of type `string` as the bytes of its hex. */
function readText(value: unknown): string | Buffer {
  if (typeof value === "string") return value;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw expected("text");
  return hexBytes(value.toString(16));
}

/** Text that does not start with 0x is signed as UTF-8. */
function readBytes(value: unknown): string | Buffer {
  const bytes = readHex(value);
  if (bytes !== undefined) return bytes;
  if (typeof value !== "string" || /^0x/i.test(value)) throw expected("bytes in hex after 0x");
  return value;
}

/** `0x` and hex digits of either case. Undefined for anything else. */
function readHex(value: unknown): Buffer | undefined {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]*$/.test(value)) return undefined;
  return hexBytes(value.slice(2));
}

/** With an odd number of digits, the first byte has one. */
function hexBytes(digits: string): Buffer {
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}

function expected(what: string): TypedDataError {
  return new TypedDataError(`expected ${what}`);
}

/** A value of 256 bits has 78 decimal digits, and some writers pad with zeros. Longer text takes too long to parse. */
const maxLength = 128;

/**
 * Parses a safe integer, or decimal or hex text, as wallets do: with blanks around it, and "" as 0. Returns undefined for anything
 * else: a number above 2^53 - 1 has already lost digits.
 */
function readInteger(value: unknown): bigint | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value !== "string" || value.length > maxLength) return undefined;
  const [, sign, digits = ""] = /^\s*(-?)(0[xX][0-9a-fA-F]+|[0-9]*)\s*$/.exec(value) ?? [];
  if (sign === undefined) return undefined;
  return sign === "-" ? -BigInt(digits) : BigInt(digits);
}

/** Writes 32 bytes, big endian, negative integers in two's complement. */
function writeWord(integer: bigint, target: Buffer, offset: number): void {
  if (integer >= 0n && integer <= 0xffff_ffffn) {
    target.fill(0, offset, offset + 28);
    target.writeUInt32BE(Number(integer), offset + 28);
    return;
  }
  for (let part = 0; part < 4; part++)
    target.writeBigUInt64BE(BigInt.asUintN(64, integer >> BigInt(192 - 64 * part)), offset + 8 * part);
}
