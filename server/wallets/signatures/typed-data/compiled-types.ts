import type { Keccak } from "../../../base/keccak.ts";
import { StructHashers } from "./struct-hasher.ts";
import { checkTypes, type TypedField } from "./types.ts";

/** Most cached sets of types. An application signs with a few sets, so this serves hundreds of applications. */
const maxCachedSets = 512;

/**
 * Longest set that is cached, in characters; common sets have a few hundred. Together with `maxCachedSets` it limits the cache
 * to a few MiB.
 */
const maxKeyLength = 4_096;

/** LRU cache of compiled sets of types. */
export class CompiledTypes {
  readonly #keccak: Keccak;
  readonly #sets = new Map<string, StructHashers>();

  constructor(keccak: Keccak) {
    this.#keccak = keccak;
  }

  /** Throws TypedDataError. Invalid sets are not cached. */
  get(types: Readonly<Record<string, readonly TypedField[]>>): StructHashers {
    const key = keyOf(types);
    const known = this.#sets.get(key);
    if (known !== undefined) {
      this.#sets.delete(key);
      this.#sets.set(key, known);
      return known;
    }
    const set = new Map(Object.entries(types));
    checkTypes(set);
    const compiled = new StructHashers(set, this.#keccak);
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
