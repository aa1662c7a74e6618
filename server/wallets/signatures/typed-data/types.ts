/** The `types` of EIP-712 typed data: validation and `encodeType`. */
import { TypedDataError } from "./typed-data-error.ts";

export interface TypedField {
  readonly name: string;
  readonly type: string;
}

/** Struct types by name, in the order of their fields: `{ Person: [{ name: "wallet", type: "address" }] }`. */
export type Types = ReadonlyMap<string, readonly TypedField[]>;

/** The largest set in common use (Seaport's bulk orders) has 5 types. */
const maxTypes = 256;

/**
 * Deepest nesting of structs and arrays. Requests with JSON deeper than 64 are rejected earlier, so deeper types have no complete values.
 */
const maxDepth = 64;

/**
 * Throws TypedDataError for an invalid name, an unknown type, a duplicate field, a struct that contains itself, and types nested too deep.
 */
export function checkTypes(types: Types): void {
  if (types.size > maxTypes) throw new TypedDataError(`more than ${maxTypes} types`, "types");
  for (const [name, fields] of types) checkFields(name, fields, types);
  checkNesting(types);
}

/** `Person[][2]` → `Person`. */
function baseOf(type: string): string {
  const bracket = type.indexOf("[");
  return bracket === -1 ? type : type.slice(0, bracket);
}

/** `encodeType` of EIP-712: `Mail(Person from,Person to,string contents)Person(string name,address wallet)`. */
export function encodeType(name: string, types: Types): string {
  const referenced = [...referencesOf(name, types)].filter((other) => other !== name).sort(byCodeUnit);
  return [name, ...referenced]
    .map(
      (type) => `${type}(${(types.get(type) ?? []).map((field) => `${field.type} ${field.name}`).join(",")})`,
    )
    .join("");
}

/** The type itself and all types that it refers to. */
function referencesOf(name: string, types: Types): ReadonlySet<string> {
  const found = new Set([name]);
  // Iteration includes items that are added during it.
  for (const referenced of found) {
    for (const { type } of types.get(referenced) ?? []) {
      const base = baseOf(type);
      if (types.has(base)) found.add(base);
    }
  }
  return found;
}

function checkFields(name: string, fields: readonly TypedField[], types: Types): void {
  if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) || isElementary(name))
    throw new TypedDataError(`"${name}" is not a valid type name`, "types");
  const seen = new Set<string>();
  for (const { name: field, type } of fields) {
    if (seen.has(field)) throw new TypedDataError(`duplicate field "${field}"`, `types.${name}`);
    seen.add(field);
    const isType = /^[A-Za-z_$][A-Za-z0-9_$]*(\[[0-9]*\])*$/.test(type);
    if (!isType || !(types.has(baseOf(type)) || isElementary(baseOf(type)))) {
      const advice = /^u?int$/.test(baseOf(type)) ? `; EIP-712 types have a size: "${baseOf(type)}256"` : "";
      throw new TypedDataError(`unknown type "${type}"${advice}`, `types.${name}.${field}`);
    }
  }
}

function isElementary(type: string): boolean {
  if (/^(string|bytes|address|bool)$/.test(type)) return true;
  const [, kind, size = ""] = /^(uint|int|bytes)([1-9][0-9]*)$/.exec(type) ?? [];
  if (kind === undefined) return false;
  if (kind === "bytes") return Number(size) <= 32;
  return Number(size) % 8 === 0 && Number(size) <= 256;
}

/** EIP-712 leaves cyclic types undefined. An array of its own type makes a struct cyclic too. */
function checkNesting(types: Types): void {
  /** Nesting depth of each type; 0 while it is being computed. */
  const levels = new Map<string, number>();
  const measure = (name: string): number => {
    const known = levels.get(name);
    if (known === 0) throw new TypedDataError(`"${name}" contains itself`, "types");
    if (known !== undefined) return known;
    levels.set(name, 0);
    let deepest = 0;
    for (const { type } of types.get(name) ?? []) {
      const base = baseOf(type);
      const own = type.split("[").length - 1 + (types.has(base) ? measure(base) : 0);
      deepest = Math.max(deepest, own);
    }
    if (deepest >= maxDepth)
      throw new TypedDataError(`"${name}" is nested more than ${maxDepth} levels deep`, "types");
    levels.set(name, deepest + 1);
    return deepest + 1;
  };
  for (const name of types.keys()) measure(name);
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
