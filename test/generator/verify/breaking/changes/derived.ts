import { both, type Change, fields, type Parts } from "./change.ts";

const written = { types: "struct New\n  - a: int32", request: "new: New" };
const required = "request-field-required";
const [before, now] = ["a: int32", "a: int32; b: int32"];
const partial = "partial = true";

/** A request with a struct that is derived of `Base`, whose fields are given. */
function derived(base: string, lines = "omit = id"): Parts {
  const types = `struct Base\n  - id: uint32\n${fields(base)}\ntype New: Base\n  + ${lines.split("; ").join("\n  + ")}`;
  return { types, request: "new: New" };
}

function alsoBase(base: string): Parts {
  return { ...derived(base), request: "new: New; base: Base" };
}

function twoDerived(base: string): Parts {
  return {
    types: `${derived(base).types}\ntype Patch: Base\n  + partial = true`,
    request: "new: New; patch: Patch",
  };
}

export const derivedChanges: readonly Change[] = [
  both("a required field of the base", derived(before), derived(now), ["breaks", "differs", required]),
  both("an optional field of the base", derived(before), derived(`${before}; b?: int32`), [
    "same",
    "differs",
  ]),
  both("a field of a partial", derived(before, partial), derived(now, partial), ["same", "differs"]),
  both("a field that is not picked", derived(before, "pick = a"), derived(now, "pick = a"), ["same", "same"]),
  both("a field that is no longer omitted", derived(now, "omit = id; omit = b"), derived(now), [
    "breaks",
    "differs",
    required,
  ]),
  both("a required field of the base, which requests contain, too", alsoBase(before), alsoBase(now), [
    "breaks",
    "differs",
    required,
  ]),
  both("a field of the base of two derived structs", twoDerived(now), twoDerived(before), [
    "differs",
    "breaks",
    "request-field-ignored",
  ]),
  both(
    "a limit of the base, which responses contain",
    { ...derived("a: string"), answer: "base: Base" },
    { ...derived("a: string + maxLength = 4"), answer: "base: Base" },
    ["breaks", "differs", "request-bound-tightened"],
  ),
  both(
    "a struct that becomes partial, and a new field of its base",
    alsoBase(before),
    { ...alsoBase(now), types: `${alsoBase(now).types}\n  + partial = true` },
    ["breaks", "breaks", required],
  ),
  both("a struct that is now derived", written, derived(before), ["same", "same"]),
];
