/**
 * EIP-712: hashes typed data in JSON to the 32 bytes that wallets sign. Accepts what the public service accepts: `EIP712Domain`
 * and the primary type may be omitted, and values may have every form that wallets sign, if they agree on its encoding.
 * https://eips.ethereum.org/EIPS/eip-712
 */
import { type Keccak, loadKeccak } from "../../../base/keccak.ts";
import { StructHashers } from "./struct-hasher.ts";
import { checkTypeCount, type ReferencesBy, TypedDataError, type TypedField, within } from "./types.ts";

export interface TypedDataInput {
  readonly types: Readonly<Record<string, readonly TypedField[]>>;
  readonly primaryType?: string | undefined;
  readonly domain?: Readonly<Record<string, unknown>> | undefined;
  readonly message: Readonly<Record<string, unknown>>;
}

/** `keccak256("\x19\x01" ‖ domainSeparator ‖ hashStruct(message))`, 32 bytes. Throws TypedDataError. */
export type HashTypedData = (input: TypedDataInput, by?: ReferencesBy) => Uint8Array;

let loading: Promise<HashTypedData> | undefined;

/** Loads on first use. All callers share one cache of compiled types. */
export function loadHashTypedData(): Promise<HashTypedData> {
  loading ??= loadKeccak().then(createHashTypedData);
  return loading;
}

function createHashTypedData(keccak: Keccak): HashTypedData {
  const compiled = new CompiledTypes(keccak);
  return ({ types: given, primaryType, domain = {}, message }, by = "name") => {
    const types = Object.hasOwn(given, "EIP712Domain")
      ? given
      : { ...given, EIP712Domain: domainTypeOf(domain) };
    const primary = primaryType ?? inferPrimaryType(types, message);
    if (!Object.hasOwn(types, primary))
      throw new TypedDataError(`unknown type "${primary}"`, ["primaryType"]);
    const structs = compiled.get(types, by);
    const [hashDomain, hashMessage] = [structs.of("EIP712Domain"), structs.of(primary)];
    const separator = within("domain", () => hashDomain(domain));
    // With the domain as primary type, only the domain is signed.
    const parts = primary === "EIP712Domain" ? [] : [within("message", () => hashMessage(message))];
    return keccak(Buffer.concat([prefix, separator, ...parts]));
  };
}

/** EIP-191, version 1. */
const prefix = Uint8Array.of(0x19, 0x01);

const domainFields: readonly TypedField[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];

/** Infers the type of a domain: its fields in the order of EIP-712. Throws TypedDataError for an unknown field. */
function domainTypeOf(domain: Readonly<Record<string, unknown>>): readonly TypedField[] {
  const unknown = Object.keys(domain).find((key) => !domainFields.some(({ name }) => name === key));
  if (unknown !== undefined) throw new TypedDataError("unknown field of EIP712Domain", ["domain", unknown]);
  return domainFields.filter(
    ({ name }) => Object.hasOwn(domain, name) && domain[name] !== undefined && domain[name] !== null,
  );
}

/**
 * Returns the only type other than the domain, or the only type whose fields are the keys of the message. Throws TypedDataError
 * if neither is unique.
 */
function inferPrimaryType(
  types: Readonly<Record<string, readonly TypedField[]>>,
  message: Readonly<Record<string, unknown>>,
): string {
  const names = Object.keys(types).filter((name) => name !== "EIP712Domain");
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const keys = new Set(Object.keys(message));
  const fitting = names.filter((name) => {
    const fields = types[name] ?? [];
    return fields.length === keys.size && fields.every((field) => keys.has(field.name));
  });
  const [match] = fitting;
  if (match === undefined || fitting.length > 1)
    throw new TypedDataError("missing, and it cannot be inferred from the message", ["primaryType"]);
  return match;
}

/** Most cached sets of types. An application signs with a few sets, so this serves hundreds of applications. */
const maxCachedSets = 512;

/**
 * Longest set that is cached, in characters; common sets have a few hundred. Together with `maxCachedSets` it limits the cache
 * to a few MiB.
 */
const maxKeyLength = 4_096;

/** LRU cache of compiled sets of types. */
class CompiledTypes {
  readonly #keccak: Keccak;
  readonly #sets = new Map<string, StructHashers>();

  constructor(keccak: Keccak) {
    this.#keccak = keccak;
  }

  /** Throws TypedDataError for too many types. */
  get(types: Readonly<Record<string, readonly TypedField[]>>, by: ReferencesBy): StructHashers {
    const key = by + keyOf(types);
    const known = this.#sets.get(key);
    if (known !== undefined) {
      this.#sets.delete(key);
      this.#sets.set(key, known);
      return known;
    }
    const set = new Map(Object.entries(types));
    checkTypeCount(set);
    const compiled = new StructHashers(set, by, this.#keccak);
    if (key.length <= maxKeyLength) this.#store(key, compiled);
    return compiled;
  }

  #store(key: string, compiled: StructHashers): void {
    this.#sets.set(key, compiled);
    const [oldest] = this.#sets.keys();
    if (this.#sets.size > maxCachedSets && oldest !== undefined) this.#sets.delete(oldest);
  }
}

/** Equal for equal names, types and order, and unambiguous: JSON quotes every name. */
function keyOf(types: Readonly<Record<string, readonly TypedField[]>>): string {
  return JSON.stringify(
    Object.entries(types).map(([name, fields]) => [name, fields.flatMap(({ name, type }) => [name, type])]),
  );
}
