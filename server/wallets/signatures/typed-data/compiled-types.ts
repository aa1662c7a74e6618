import type { Keccak } from "../../../base/keccak.ts";
import { StructHashers } from "./struct-hasher.ts";
import { checkTypes, type TypedField } from "./types.ts";

/** An application signs with a few sets of types, so that this many serve hundreds of applications. */
const maxSets = 512;

/** Longest set that is kept, in characters; those in use have some hundred. With `maxSets` it keeps the cache at a few MiB. */
const maxKeyLength = 4_096;

/** Sets of types that were compiled before; the one that was not used for longest goes first. */
export class CompiledTypes {
  readonly #keccak: Keccak;
  readonly #sets = new Map<string, StructHashers>();

  constructor(keccak: Keccak) {
    this.#keccak = keccak;
  }

  /** Throws TypedDataError; what is faulty is not kept. */
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
    if (key.length <= maxKeyLength) this.#keep(key, compiled);
    return compiled;
  }

  #keep(key: string, compiled: StructHashers): void {
    this.#sets.set(key, compiled);
    const [oldest] = this.#sets.keys();
    if (this.#sets.size > maxSets && oldest !== undefined) this.#sets.delete(oldest);
  }
}

/**
 * The same text for the same names, types and order, and for nothing else: JSON quotes whatever a name holds.
 */
function keyOf(types: Readonly<Record<string, readonly TypedField[]>>): string {
  return JSON.stringify(
    Object.entries(types).map(([name, fields]) => [name, fields.flatMap(({ name, type }) => [name, type])]),
  );
}
