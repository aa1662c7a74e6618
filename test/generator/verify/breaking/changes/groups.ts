import { answer, type Change, request } from "./change.ts";

const [narrowed, widened] = ["request-group-narrowed", "response-group-widened"] as const;
const optional = "a?: int32; b?: int32";

/** `a b` → two fields of a group, with values of one type. */
function group(names: string, name = "g"): string {
  return names
    .split(" ")
    .map((one) => `${one}?: int32 + oneOf = ${name}`)
    .join("; ");
}

export const groupChanges: readonly Change[] = [
  request("a new field in a group", group("a b"), group("a b c"), ["same", "breaks"]),
  request("a field less in a group", group("a b c"), group("a b"), ["breaks", "same", narrowed]),
  request("a group of optional fields", optional, group("a b"), ["breaks", "same", narrowed]),
  request("a group of new fields", "", group("a b"), ["breaks", "differs", narrowed]),
  request("no group any more", group("a b"), optional, ["same", "breaks"]),
  request("a renamed group", group("a b"), group("a b", "h"), ["same", "same"]),
  request("a group that becomes two", group("a b c d"), `${group("a b")}; ${group("c d", "h")}`, [
    "breaks",
    "breaks",
    narrowed,
    narrowed,
  ]),
  request("a group with a required field", "a: int32", group("a b"), ["same", "breaks"]),
  request("a renamed field in a group", group("a b"), `${group("b")}; c?: int32 + oneOf = g + alias = a`, [
    "same",
    "breaks",
  ]),
  answer("a new field in a group", group("a b"), group("a b c"), ["breaks", "same", widened]),
  answer("a field less in a group", group("a b c"), group("a b"), ["same", "breaks", "code-field-removed"]),
  answer("no group any more", group("a b"), optional, ["breaks", "same", widened]),
  answer("a group of optional fields", optional, group("a b"), ["same", "breaks"]),
  answer("a renamed group", group("a b"), group("a b", "h"), ["same", "same"]),
];
