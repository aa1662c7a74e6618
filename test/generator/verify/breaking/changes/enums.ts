import { answer, asked, both, type Change, kinds, type Parts } from "./change.ts";

const told = (values: string): Parts => ({ types: kinds(values), answer: "kind: Kind" });

const keyed = (values: string, side: "request" | "answer"): Parts => ({
  types: kinds(values),
  [side]: "m: map<Kind,bool>",
});

const numbered = (values: string): Parts => ({
  types: kinds(values).replace("string", "uint8"),
  request: "kind: Kind",
});

export const enumChanges: readonly Change[] = [
  both("request: an enum value more", asked("cat dog"), asked("cat dog cow"), ["same", "breaks"]),
  both("request: an enum value less", asked("cat dog cow"), asked("cat dog"), [
    "breaks",
    "same",
    "request-enum-value-rejected",
  ]),
  both("request: a number of an enum moved", numbered("cat dog"), numbered("ant cat dog"), [
    "breaks",
    "breaks",
    "enum-number-changed",
  ]),
  both("request: a string became an enum", { request: "kind: string" }, asked("cat dog"), [
    "breaks",
    "same",
    "request-value-rejected",
  ]),
  both("answer: an enum value more", told("cat dog"), told("cat dog cow"), [
    "differs",
    "same",
    "response-enum-value-unknown",
  ]),
  both("answer: an enum value less", told("cat dog cow"), told("cat dog"), ["same", "differs"]),
  both("request: an enum key less", keyed("cat dog cow", "request"), keyed("cat dog", "request"), [
    "breaks",
    "same",
    "request-value-rejected",
  ]),
  both("answer: an enum key more", keyed("cat dog", "answer"), keyed("cat dog cow", "answer"), [
    "breaks",
    "same",
    "response-value-unexpected",
  ]),
  answer("keys of a map became text", "m: map<uint8,bool>", "m: map<string,bool>", [
    "breaks",
    "same",
    "response-value-unexpected",
  ]),
];
