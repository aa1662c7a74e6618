import type { Keccak } from "../../../base/keccak.ts";
import { TypedDataError, withPath } from "./typed-data-error.ts";
import { encodeType, type Types } from "./types.ts";
import { type EncodeValue, elementaryEncoder } from "./value-encoders.ts";

/** `hashStruct` of EIP-712 for one type. Returns 32 bytes. Throws TypedDataError. */
export type HashStruct = (value: unknown) => Uint8Array;

/**
 * Limit for the total length of a set's encoded types, in characters. A type's encoding includes every type that it refers to,
 * so a document of 256 KiB could cause 64 MiB of hashing. Common types have a few hundred characters.
 */
const maxEncodedLength = 1_048_576;

/** Compiles valid types (see `checkTypes`) into hash functions, each on first use. */
export class StructHashers {
  readonly #types: Types;
  readonly #keccak: Keccak;
  readonly #hashers = new Map<string, HashStruct>();
  #encodedLength = 0;

  constructor(types: Types, keccak: Keccak) {
    this.#types = types;
    this.#keccak = keccak;
  }

  of(name: string): HashStruct {
    let hasher = this.#hashers.get(name);
    if (hasher === undefined) {
      hasher = this.#compile(name);
      this.#hashers.set(name, hasher);
    }
    return hasher;
  }

  #compile(name: string): HashStruct {
    const keccak = this.#keccak;
    const members = (this.#types.get(name) ?? []).map((field) => ({
      key: field.name,
      encode: this.#encoderOf(field.type),
    }));
    // Types have no cycles, so hashing a struct never re-enters itself: one buffer serves all values of the type.
    const data = Buffer.alloc(32 * (1 + members.length));
    data.set(this.#typeHash(name));
    return (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw new TypedDataError(`expected an object of type "${name}"`);
      const record = value as Readonly<Record<string, unknown>>;
      let offset = 32;
      for (const { key, encode } of members) {
        try {
          encode(Object.hasOwn(record, key) ? record[key] : undefined, data, offset);
        } catch (err) {
          throw err instanceof TypedDataError ? err.within(`.${key}`) : err;
        }
        offset += 32;
      }
      return keccak(data);
    };
  }

  #encoderOf(type: string): EncodeValue {
    const encode = this.#presentEncoderOf(type);
    return (value, target, offset) => {
      if (value === undefined || value === null) throw new TypedDataError("missing");
      encode(value, target, offset);
    };
  }

  #presentEncoderOf(type: string): EncodeValue {
    const [, element, length = ""] = /^(.+)\[([0-9]*)\]$/.exec(type) ?? [];
    if (element !== undefined) return this.#listEncoder(this.#encoderOf(element), length);
    if (!this.#types.has(type)) return elementaryEncoder(type, this.#keccak);
    const hash = this.of(type);
    return (value, target, offset) => target.set(hash(value), offset);
  }

  #listEncoder(encode: EncodeValue, length: string): EncodeValue {
    const keccak = this.#keccak;
    return (value, target, offset) => {
      if (!Array.isArray(value)) throw new TypedDataError("expected a list");
      if (length !== "" && value.length !== Number(length))
        throw new TypedDataError(`expected ${length} entries, found ${value.length}`);
      const items = Buffer.alloc(32 * value.length);
      for (const [index, item] of value.entries())
        withPath(`[${index}]`, () => encode(item, items, 32 * index));
      target.set(keccak(items), offset);
    };
  }

  #typeHash(name: string): Uint8Array {
    const text = encodeType(name, this.#types);
    this.#encodedLength += text.length;
    if (this.#encodedLength > maxEncodedLength)
      throw new TypedDataError(
        `their encodings have more than ${maxEncodedLength} characters in total`,
        "types",
      );
    return this.#keccak(text);
  }
}
