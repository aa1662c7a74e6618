/** The `types` of EIP-712 typed data, and what makes them hashable. */
import { TypedDataError } from "./typed-data-error.ts";

export interface TypedField {
  readonly name: string;
  readonly type: string;
}

/** Struct types by name, in the order of their fields: `{ Person: [{ name: "wallet", type: "address" }] }`. */
export type Types = ReadonlyMap<string, readonly TypedField[]>;

/** Far more than contracts have: the largest in use (Seaport's bulk orders) has 5. */
const maxTypes = 256;

/** Deepest nesting of structs and arrays. JSON deeper than 64 never gets here, so that deeper types have no full values. */
const maxDepth = 64;

/**
 * Throws TypedDataError for a name or a type that is none, a field given twice, a struct that contains itself, and types nested too
 * deep.
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

/** `Mail(Person from,Person to,string contents)Person(string name,address wallet)`. */
export function writeType(name: string, types: Types): string {
  const referenced = [...referencesOf(name, types)].filter((other) => other !== name).sort(byCodeUnit);
  return [name, ...referenced]
    .map((one) => `${one}(${(types.get(one) ?? []).map((field) => `${field.type} ${field.name}`).join(",")})`)
    .join("");
}

/** The type itself and all that it is made of. */
function referencesOf(name: string, types: Types): ReadonlySet<string> {
  const found = new Set([name]);
  // A set may grow while it is walked.
  for (const one of found) {
    for (const { type } of types.get(one) ?? []) {
      const base = baseOf(type);
      if (types.has(base)) found.add(base);
    }
  }
  return found;
}

function checkFields(name: string, fields: readonly TypedField[], types: Types): void {
  if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) || isElementary(name))
    throw new TypedDataError(`"${name}" is no name of a type`, "types");
  const seen = new Set<string>();
  for (const { name: field, type } of fields) {
    if (seen.has(field)) throw new TypedDataError(`two fields "${field}"`, `types.${name}`);
    seen.add(field);
    const isType = /^[A-Za-z_$][A-Za-z0-9_$]*(\[[0-9]*\])*$/.test(type);
    if (!isType || !(types.has(baseOf(type)) || isElementary(baseOf(type)))) {
      throw new TypedDataError(`there is no type "${type}"`, `types.${name}.${field}`);
    }
  }
}

function isElementary(type: string): boolean {
  if (/^(string|bytes|address|bool)$/.test(type)) return true;
  const [, kind, size = ""] = /^(uint|int|bytes)([1-9][0-9]*)?$/.exec(type) ?? [];
  if (kind === undefined) return false;
  if (kind === "bytes") return Number(size) <= 32;
  return size === "" || (Number(size) % 8 === 0 && Number(size) <= 256);
}

/** A struct that needs itself has no end, and the standard has no form for it. An array of itself is one too, once it is full. */
function checkNesting(types: Types): void {
  /** Levels below and including a type; 0 while it is being measured. */
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
