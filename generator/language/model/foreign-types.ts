import type { CoreType } from "./types.ts";

/** What types are called elsewhere, in lower case, and what they are called here. */
const foreign: ReadonlyMap<string, CoreType> = new Map([
  ["str", "string"],
  ["text", "string"],
  ["varchar", "string"],
  ["char", "string"],
  ["uuid", "string"],
  ["boolean", "bool"],
  ["integer", "int64"],
  ["long", "int64"],
  ["i64", "int64"],
  ["i32", "int32"],
  ["i16", "int16"],
  ["i8", "int8"],
  ["short", "int16"],
  ["ulong", "uint64"],
  ["unsigned", "uint64"],
  ["u64", "uint64"],
  ["u32", "uint32"],
  ["u16", "uint16"],
  ["u8", "uint8"],
  ["ushort", "uint16"],
  ["number", "float64"],
  ["double", "float64"],
  ["f64", "float64"],
  ["float", "float64"],
  ["f32", "float32"],
  ["decimal", "bigint"],
  ["bignum", "bigint"],
  ["datetime", "timestamp"],
  ["date", "timestamp"],
  ["time", "timestamp"],
  ["instant", "timestamp"],
  ["object", "any"],
  ["json", "any"],
  ["unknown", "any"],
]);

/** `"boolean"` → `"bool"`: the type that somebody from another language may mean. A word ends at no semicolon: `"number;"`. */
export function nativeType(name: string): CoreType | undefined {
  return foreign.get(name.toLowerCase().replace(/;$/, ""));
}
