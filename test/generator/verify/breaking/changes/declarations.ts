import { both, type Change } from "./change.ts";

export const declarationChanges: readonly Change[] = [
  both(
    "a bound of an alias",
    { types: "type Name: string\n  + maxLength = 9", request: "a: Name; b: Name", answer: "c: Name" },
    { types: "type Name: string\n  + maxLength = 5", request: "a: Name; b: Name", answer: "c: Name" },
    ["breaks", "differs", "request-bound-tightened"],
  ),
  both(
    "a brand of an alias",
    { types: "type Name: string", request: "a: Name" },
    { types: "type Name: string\n  + brand = true", request: "a: Name" },
    ["same", "same", "code-type-changed"],
  ),
  both(
    "the type of an alias",
    { types: "type Id: int32", request: "a: Id; b: []Id", answer: "c: Id" },
    { types: "type Id: string", request: "a: Id; b: []Id", answer: "c: Id" },
    ["breaks", "breaks", "request-value-rejected"],
  ),
  both(
    "a field of a struct that requests and answers hold",
    { types: "struct Pet\n  - name: string", request: "a: Pet; b: []Pet", answer: "c: Pet" },
    { types: "struct Pet\n  - name: string\n  - age: int8", request: "a: Pet; b: []Pet", answer: "c: Pet" },
    ["breaks", "breaks", "request-field-required"],
  ),
  both(
    "a type renamed",
    { types: "struct Pet\n  - name: string", request: "a: Pet", answer: "c: []Pet" },
    { types: "struct Animal\n  - name: string", request: "a: Animal", answer: "c: []Animal" },
    ["same", "same", "type-renamed"],
  ),
];
