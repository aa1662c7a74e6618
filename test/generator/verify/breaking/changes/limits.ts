import { type Change, request } from "./change.ts";

export const limitChanges: readonly Change[] = [
  request("a shorter text", "name: string + maxLength = 40", "name: string + maxLength = 20", [
    "breaks",
    "same",
    "request-bound-tightened",
  ]),
  request("a longer text", "name: string + maxLength = 20", "name: string + maxLength = 40", [
    "same",
    "breaks",
  ]),
  request("a format", "s: string", "s: string + format = date", [
    "breaks",
    "same",
    "request-bound-tightened",
  ]),
  request("a format of a number", "n: uint8", "n: uint8 + format = email", ["same", "same"]),
  request("a format that servers do not check", "s: string", "s: string + format = html", ["same", "same"]),
  request("a minimum", "n: int32", "n: int32 + minimum = 1", ["breaks", "same", "request-bound-tightened"]),
  request("fewer items", "n: []int32 + maxItems = 5", "n: []int32 + maxItems = 3", [
    "breaks",
    "same",
    "request-bound-tightened",
  ]),
  request(
    "a pattern",
    "name: string + maxLength = 9",
    'name: string + maxLength = 9 + pattern = "^[a-z]+$"',
    ["breaks", "same", "request-pattern-tightened"],
  ),
  request(
    "a pattern of texts of one length",
    'name: string + minLength = 3 + maxLength = 3 + pattern = "^a{3}$"',
    'name: string + minLength = 3 + maxLength = 3 + pattern = "^b{3}$"',
    ["breaks", "breaks", "request-pattern-tightened"],
  ),
  request("a wider pattern", 'name: string + pattern = "^[a-f]+$"', 'name: string + pattern = "^[a-z]+$"', [
    "same",
    "breaks",
  ]),
  request("a form less", "n: int32 + accepts = string", "n: int32", [
    "breaks",
    "same",
    "request-form-rejected",
  ]),
  request("a form more", "n: int32", "n: int32 + accepts = string", ["same", "breaks"]),
  request("made lower case", "name: string", "name: string + normalize = lowercase", [
    "differs",
    "differs",
    "normalize-changed",
  ]),
  request("a bound at that of its type", "n: uint8", "n: uint8 + maximum = 255", ["same", "same"]),
  request("a bound past that of its type", "n: uint8", "n: uint8 + maximum = 256", ["same", "same"]),
  request(
    "a bound past that of its type became the type's own",
    "n: uint8 + maximum = 300",
    "n: uint8 + maximum = 255",
    ["same", "same"],
  ),
  request("a bound below that of its type", "n: uint8", "n: uint8 + maximum = 254", [
    "breaks",
    "same",
    "request-bound-tightened",
  ]),
  request(
    "a low bound below that of its type became the type's own",
    "n: uint8 + minimum = -1",
    "n: uint8 + minimum = 0",
    ["same", "same"],
  ),
  request("a low bound above that of its type", "n: uint8", "n: uint8 + minimum = 1", [
    "breaks",
    "same",
    "request-bound-tightened",
  ]),
  request("a text of no characters or more", "s: string", "s: string + minLength = 0", ["same", "same"]),
  request("a text of one character or more", "s: string", "s: string + minLength = 1", [
    "breaks",
    "same",
    "request-bound-tightened",
  ]),
  request("no items or more", "n: []int32", "n: []int32 + minItems = 0", ["same", "same"]),
  request("one item or more", "n: []int32", "n: []int32 + minItems = 1", [
    "breaks",
    "same",
    "request-bound-tightened",
  ]),
];
