import { type Change, request } from "./change.ts";

export const typeChanges: readonly Change[] = [
  request("int32 became int64", "n: int32", "n: int64", ["same", "breaks"]),
  request("int64 became int32", "n: int64", "n: int32", ["breaks", "same", "request-value-rejected"]),
  request("int32 became float64", "n: int32", "n: float64", ["same", "breaks"]),
  request("uint32 became int32", "n: uint32", "n: int32", ["breaks", "breaks", "request-value-rejected"]),
  request("uint8 became int16", "n: uint8", "n: int16", ["same", "breaks"]),
  request("int64 became bigint", "n: int64", "n: bigint", ["same", "breaks", "code-type-changed"]),
  request("string became int32", "n: string", "n: int32", ["breaks", "breaks", "request-value-rejected"]),
  request("timestamp became string", "at: timestamp", "at: string", ["same", "breaks"]),
  request("string became any", "v: string", "v: any", ["same", "breaks"]),
  request("one became a list", "tags: string", "tags: []string", [
    "breaks",
    "breaks",
    "request-value-rejected",
  ]),
  request("a wider item", "n: []int8", "n: []int16", ["same", "breaks"]),
  request("keys of a map became integers", "m: map<string,bool>", "m: map<uint8,bool>", [
    "breaks",
    "same",
    "request-value-rejected",
  ]),
  request("bytes became a list of uint8", "b: []byte", "b: []uint8", [
    "breaks",
    "breaks",
    "request-value-rejected",
  ]),
];
