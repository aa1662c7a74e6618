import type { meta as codes } from "../catalog/meta.ts";
import type { Explanations } from "./explanation.ts";

export const meta: Explanations<keyof typeof codes> = {
  "misspelt-meta": {
    rule: "A meta key without a dot is one that ridlkit or webrpc knows.",
    reason:
      "An unknown key is passed on and does nothing, so that a typo would switch a check off in silence.",
    bad: ["struct User", "  - name: string", "    + maxLenght = 40"],
    good: ["struct User", "  - name: string", "    + maxLength = 40"],
  },
  "meta-value": {
    rule: "A meta key takes the values that it is made for.",
    reason: "A bound that is no number, or a pattern that is no pattern, checks nothing.",
    bad: ["struct User", "  - age: uint8", "    + maximum = old"],
    good: ["struct User", "  - age: uint8", "    + maximum = 150"],
  },
  "meta-place": {
    rule: "A meta key stands at a type that it can say something of.",
    reason: "A pattern on a number checks nothing.",
    bad: ["struct User", "  - age: uint8", '    + pattern = "[0-9]+"'],
    good: ["struct User", "  - age: string", '    + pattern = "[0-9]+"'],
  },
  "repeated-meta": {
    rule: "A meta key stands once, unless it may be given several times.",
    reason: "The last one counts, and the first one only misleads.",
    bad: ["struct User", "  - age: uint8", "    + maximum = 150", "    + maximum = 130"],
    good: ["struct User", "  - age: uint8", "    + maximum = 130"],
  },
  "contrary-meta": {
    rule: "The lower bound is not above the upper one.",
    reason: "No value would be valid, and every request refused.",
    bad: ["struct User", "  - age: uint8", "    + minimum = 150", "    + maximum = 18"],
    good: ["struct User", "  - age: uint8", "    + minimum = 18", "    + maximum = 150"],
  },
  "wire-name-clash": {
    rule: "No two fields of a struct go by one name.",
    reason: "A body with that name could mean either of them.",
    bad: ["struct User", "  - id: uint64", "  - nick: string", "    + alias = id"],
    good: ["struct User", "  - id: uint64", "  - nick: string", "    + alias = nickname"],
  },
  "non-ascii-value": {
    rule: "Values of the schema are in ASCII if their schema hash is to be that of webrpc.",
    reason:
      "webrpc takes the bytes of UTF-8 for characters and so garbles what it puts into the IR and the hash.",
    bad: ['error 1 Closed "geschlossen für heute"'],
    good: ['error 1 Closed "closed for today"'],
  },
  "default-value": {
    rule: "A default is a value of its type.",
    reason: "What stands for a field that is left out has to be what the field could hold.",
    bad: ["struct User", "  - age: uint8", "    + default = 300"],
    good: ["struct User", "  - age: uint8", "    + default = 30"],
  },
};
