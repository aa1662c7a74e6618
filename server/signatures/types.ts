/** The `types` of EIP-712 typed data, and what makes them hashable. */
import { TypedDataError } from "./typed-data-error.ts";

export interface TypedField {
  readonly name: string;
  readonly type: string;
}

/** Struct types by name, in the order of their fields: `{ Person: [{ name: "wallet", type: "address" }] }`. */
export type Types = Readonly<Record<string, readonly TypedField[]>>;

/** Throws TypedDataError for a name or a type that is none, a field given twice, and a struct that contains itself. */
export function checkTypes(types: Types): void {
  for (const [name, fields] of Object.entries(types)) checkFields(name, fields, types);
  checkAcyclic(types);
}

/** `Person[][2]` → `Person`. */
export function baseOf(type: string): string {
  const bracket = type.indexOf("[");
  return bracket === -1 ? type : type.slice(0, bracket);
}

function checkFields(name: string, fields: readonly TypedField[], types: Types): void {
  if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name))
    throw new TypedDataError(`types: "${name}" is no name of a type`);
  const seen = new Set<string>();
  for (const { name: field, type } of fields) {
    if (seen.has(field)) throw new TypedDataError(`types.${name}: two fields "${field}"`);
    seen.add(field);
    const isType = /^[A-Za-z_$][A-Za-z0-9_$]*(\[[0-9]*\])*$/.test(type);
    if (!isType || !(Object.hasOwn(types, baseOf(type)) || isElementary(baseOf(type)))) {
      throw new TypedDataError(`types.${name}.${field}: there is no type "${type}"`);
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
function checkAcyclic(types: Types): void {
  const done = new Set<string>();
  const visit = (name: string, path: ReadonlySet<string>): void => {
    if (path.has(name)) throw new TypedDataError(`types: "${name}" contains itself`);
    if (done.has(name)) return;
    for (const { type } of types[name] ?? []) {
      const base = baseOf(type);
      if (Object.hasOwn(types, base)) visit(base, new Set([...path, name]));
    }
    done.add(name);
  };
  const names = Object.keys(types);
  if (names.length > 256) throw new TypedDataError("types: more than 256 types");
  for (const name of names) visit(name, new Set());
}
