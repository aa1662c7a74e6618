/**
 * EIP-712: typed data as it comes in JSON, to the 32 bytes that wallets sign. Read as the public service reads it: `EIP712Domain`
 * and the primary type may be left out, integers may be numbers, decimal or hex text.
 * https://eips.ethereum.org/EIPS/eip-712
 */
import { keccak_256 } from "@noble/hashes/sha3";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils";
import { encodeValue } from "./encode-value.ts";
import { TypedDataError } from "./typed-data-error.ts";
import { baseOf, checkTypes, type TypedField, type Types } from "./types.ts";

export interface TypedDataInput {
  readonly types: Readonly<Record<string, readonly TypedField[]>>;
  readonly primaryType?: string | undefined;
  readonly domain?: Readonly<Record<string, unknown>> | undefined;
  readonly message: Readonly<Record<string, unknown>>;
}

/** Deepest nesting of structs and arrays in a value. JSON deeper than 64 never gets here. */
const maxDepth = 64;

/** `keccak256("\x19\x01" ‖ domainSeparator ‖ hashStruct(message))`, 32 bytes. Throws TypedDataError. */
export function hashTypedData({
  types: given,
  primaryType,
  domain = {},
  message,
}: TypedDataInput): Uint8Array {
  const types: Types = Object.hasOwn(given, "EIP712Domain")
    ? given
    : { ...given, EIP712Domain: domainType(domain) };
  const primary = primaryType ?? inferPrimaryType(types, message);
  if (!Object.hasOwn(types, primary)) throw new TypedDataError(`primaryType: there is no type "${primary}"`);
  const hasher = new Hasher(types);
  const separator = hasher.hashStruct("EIP712Domain", domain, "domain");
  const parts = [Uint8Array.of(0x19, 0x01), separator];
  // A signature over the domain alone.
  if (primary !== "EIP712Domain") parts.push(hasher.hashStruct(primary, message, "message"));
  return keccak_256(concatBytes(...parts));
}

const domainFields: readonly TypedField[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];

/** The fields that a domain without a type of its own has, in the order of the standard. */
function domainType(domain: Readonly<Record<string, unknown>>): readonly TypedField[] {
  const unknown = Object.keys(domain).find((key) => !domainFields.some(({ name }) => name === key));
  if (unknown !== undefined) throw new TypedDataError(`domain.${unknown}: no field of EIP712Domain`);
  return domainFields.filter(({ name }) => domain[name] !== undefined && domain[name] !== null);
}

/** The only type beside the domain, or the one whose fields are the keys of the message. */
function inferPrimaryType(types: Types, message: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(types).filter((name) => name !== "EIP712Domain");
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const keys = Object.keys(message).sort().join();
  const fitting = names.filter(
    (name) =>
      (types[name] ?? [])
        .map((field) => field.name)
        .sort()
        .join() === keys,
  );
  const [one] = fitting;
  if (one === undefined || fitting.length > 1)
    throw new TypedDataError("primaryType: missing, and the message does not decide");
  return one;
}

/** Hashes structs of one set of types; each type is written out once. */
class Hasher {
  readonly #types: Types;
  readonly #typeHashes = new Map<string, Uint8Array>();

  constructor(types: Types) {
    this.#types = types;
    checkTypes(types);
  }

  hashStruct(type: string, value: unknown, path: string, depth = 0): Uint8Array {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new TypedDataError(`${path}: expected an object of type "${type}"`);
    }
    const fields = this.#types[type] ?? [];
    const record = value as Readonly<Record<string, unknown>>;
    const parts = fields.map((field) => {
      const at = `${path}.${field.name}`;
      const member = Object.hasOwn(record, field.name) ? record[field.name] : undefined;
      return this.#encode(field.type, member, at, depth + 1);
    });
    return keccak_256(concatBytes(this.#typeHash(type), ...parts));
  }

  /** 32 bytes: `encodeData` of one member. */
  #encode(type: string, value: unknown, path: string, depth: number): Uint8Array {
    if (depth > maxDepth) throw new TypedDataError(`${path}: nested more than ${maxDepth} levels deep`);
    if (value === undefined || value === null) throw new TypedDataError(`${path}: missing`);
    const array = /^(.+)\[([0-9]*)\]$/.exec(type);
    if (array === null) {
      return Object.hasOwn(this.#types, type)
        ? this.hashStruct(type, value, path, depth)
        : encodeValue(type, value, path);
    }
    const [, element = "", length = ""] = array;
    if (!Array.isArray(value)) throw new TypedDataError(`${path}: expected a list`);
    if (length !== "" && value.length !== Number(length))
      throw new TypedDataError(`${path}: expected ${length} entries, found ${value.length}`);
    const items = value.map((item, index) => this.#encode(element, item, `${path}[${index}]`, depth + 1));
    return keccak_256(concatBytes(...items));
  }

  #typeHash(name: string): Uint8Array {
    let hash = this.#typeHashes.get(name);
    if (hash === undefined) {
      hash = keccak_256(utf8ToBytes(encodeType(name, this.#types)));
      this.#typeHashes.set(name, hash);
    }
    return hash;
  }
}

/** `Mail(Person from,Person to,string contents)Person(string name,address wallet)`. */
function encodeType(name: string, types: Types): string {
  const referenced = [...references(name, types)].filter((other) => other !== name).sort(byCodeUnit);
  return [name, ...referenced]
    .map((one) => `${one}(${(types[one] ?? []).map((field) => `${field.type} ${field.name}`).join(",")})`)
    .join("");
}

function references(name: string, types: Types): ReadonlySet<string> {
  const found = new Set([name]);
  // A set may grow while it is walked.
  for (const one of found) {
    for (const { type } of types[one] ?? []) {
      const base = baseOf(type);
      if (Object.hasOwn(types, base)) found.add(base);
    }
  }
  return found;
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
