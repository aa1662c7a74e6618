/** The `types` of EIP-712 typed data: validation and `encodeType`. */
import { type IssuePath, pointerOf } from "ridlkit-runtime/errors";
import { RequestRejection } from "../../../base/request-rejection.ts";

export interface TypedField {
  readonly name: string;
  readonly type: string;
}

/** Struct types by name, in the order of their fields: `{ Person: [{ name: "wallet", type: "address" }] }`. */
export type Types = ReadonlyMap<string, readonly TypedField[]>;

/**
 * How struct types are found in `encodeType`: by whole names, as in EIP-712 and ethers, or by the first word of a name, as in
 * MetaMask. They differ for names like `A:B`, which MetaMask leaves out of the encoding of types that refer to them.
 */
export type ReferencesBy = "name" | "word";

/** The largest set in common use (Seaport's bulk orders) has 5 types. */
const maxTypes = 256;

/** Most dimensions of an array. Requests with JSON deeper than 64 are rejected earlier, so deeper arrays have no values. */
const maxDimensions = 64;

/** Throws TypedDataError for more types than `maxTypes`. */
export function checkTypeCount(types: Types): void {
  if (types.size > maxTypes) throw new TypedDataError(`more than ${maxTypes} types`, ["types"]);
}

/** Whether both ways to find references give the same encodings. */
export function haveWordsAsNames(types: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(types).every((name) => wordOf(name) === name);
}

function wordOf(type: string): string {
  return /^\w*/.exec(type)?.[0] ?? "";
}

/** `Person[][2]` → `Person`. */
function baseOf(type: string): string {
  const bracket = type.indexOf("[");
  return bracket === -1 ? type : type.slice(0, bracket);
}

/** `encodeType` of EIP-712: `Mail(Person from,Person to,string contents)Person(string name,address wallet)`. */
export function encodeType(name: string, types: Types, by: ReferencesBy): string {
  const referenced = [...referencesOf(name, types, by)].filter((other) => other !== name).sort(byCodeUnit);
  return [name, ...referenced]
    .map(
      (type) => `${type}(${(types.get(type) ?? []).map((field) => `${field.type} ${field.name}`).join(",")})`,
    )
    .join("");
}

/** The type itself and all types that it refers to. */
export function referencesOf(name: string, types: Types, by: ReferencesBy): ReadonlySet<string> {
  const found = new Set([name]);
  const baseBy = by === "name" ? baseOf : wordOf;
  // Iteration includes items that are added during it.
  for (const referenced of found) {
    for (const { type } of types.get(baseBy(referenced)) ?? []) {
      const base = baseBy(type);
      if (types.has(base)) found.add(base);
    }
  }
  return found;
}

/**
 * Throws TypedDataError for an invalid name and for fields of unknown types. Wallets sign names that Solidity does not have, such
 * as `HyperliquidTransaction:UsdSend` or `Order v1`. Only names that make the encoding ambiguous are invalid.
 */
export function checkType(name: string, types: Types): void {
  if (!/^[^()[\],]+$/.test(name) || isElementary(name))
    throw new TypedDataError(`"${name}" is not a valid type name`, ["types"]);
  for (const { name: field, type } of types.get(name) ?? []) {
    const base = baseOf(type);
    const path = ["types", name, field];
    if (!/^(\[[0-9]*\])*$/.test(type.slice(base.length)) || !(types.has(base) || isElementary(base))) {
      const advice = /^u?int$/.test(base) ? `; EIP-712 types have a size: "${base}256"` : "";
      throw new TypedDataError(`unknown type "${type}"${advice}`, path);
    }
    if (type.split("[").length - 1 > maxDimensions)
      throw new TypedDataError(`an array of more than ${maxDimensions} dimensions`, path);
  }
}

function isElementary(type: string): boolean {
  if (/^(string|bytes|address|bool)$/.test(type)) return true;
  const [, kind, size = ""] = /^(uint|int|bytes)([1-9][0-9]*)$/.exec(type) ?? [];
  if (kind === undefined) return false;
  if (kind === "bytes") return Number(size) <= 32;
  return Number(size) % 8 === 0 && Number(size) <= 256;
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Invalid typed data. The message says what is wrong and where, and may be shown to the caller. */
export class TypedDataError extends RequestRejection {
  override readonly name = "TypedDataError";
  readonly #reason: string;
  readonly #path: IssuePath;

  /** `path` is the location relative to the value that is being read: `[2, "wallet"]`. */
  constructor(reason: string, path: IssuePath = []) {
    super(`/typedData${pointerOf(path)}: ${reason}`);
    this.#reason = reason;
    this.#path = path;
  }

  /** Returns the error with `step` in front of its location. Locations are built only when an error occurs. */
  within(step: string | number): TypedDataError {
    return new TypedDataError(this.#reason, [step, ...this.#path]);
  }
}

/** Runs `encode`, and adds `step` in front of the location of its errors. */
export function within<Value>(step: string | number, encode: () => Value): Value {
  try {
    return encode();
  } catch (err) {
    throw err instanceof TypedDataError ? err.within(step) : err;
  }
}
