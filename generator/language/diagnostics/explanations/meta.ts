import type { meta as codes } from "../catalog/meta.ts";
import type { Explanations } from "./explanation.ts";

export const meta: Explanations<keyof typeof codes> = {
  "misspelt-meta": {
    rule: "A meta key is not a misspelt name of a known key.",
    reason: "Unknown keys have no effect, so a typo would silently disable a check.",
    bad: ["struct User", "  - name: string", "    + maxLenght = 40"],
    good: ["struct User", "  - name: string", "    + maxLength = 40"],
  },
  "meta-value": {
    rule: "A meta key has a value of the expected kind.",
    reason: "A limit that is not a number, or an invalid pattern, checks nothing.",
    bad: ["struct User", "  - age: uint8", "    + maximum = old"],
    good: ["struct User", "  - age: uint8", "    + maximum = 150"],
  },
  "meta-place": {
    rule: "A meta key belongs to a type that it applies to.",
    reason: "For example, a pattern on a number checks nothing.",
    bad: ["struct User", "  - age: uint8", '    + pattern = "[0-9]+"'],
    good: ["struct User", "  - age: string", '    + pattern = "[0-9]+"'],
  },
  "repeated-meta": {
    rule: "A meta key appears once, unless it allows several values.",
    reason: "The last one counts, so the first one is misleading.",
    bad: ["struct User", "  - age: uint8", "    + maximum = 150", "    + maximum = 130"],
    good: ["struct User", "  - age: uint8", "    + maximum = 130"],
  },
  "contrary-meta": {
    rule: "The lower limit is not above the upper limit.",
    reason: "No value would be valid, so every request would be rejected.",
    bad: ["struct User", "  - age: uint8", "    + minimum = 150", "    + maximum = 18"],
    good: ["struct User", "  - age: uint8", "    + minimum = 18", "    + maximum = 150"],
  },
  "wire-name-clash": {
    rule: "Every name on the wire belongs to one field of a struct.",
    reason: "Otherwise, a value under this name could belong to either field.",
    bad: ["struct User", "  - id: uint64", "  - nick: string", "    + alias = id"],
    good: ["struct User", "  - id: uint64", "  - nick: string", "    + alias = nickname"],
  },
  "non-ascii-value": {
    rule: "Values are ASCII if the schema hash has to match webrpc's.",
    reason:
      "webrpc treats each UTF-8 byte as a character, which garbles these values in its IR and its hash.",
    bad: ['error 1 Closed "geschlossen für heute"'],
    good: ['error 1 Closed "closed for today"'],
  },
  "default-value": {
    rule: "A default is a valid value of its type.",
    reason: "It replaces an omitted field, so it has to be a value that the field can have.",
    bad: ["struct User", "  - age: uint8", "    + default = 300"],
    good: ["struct User", "  - age: uint8", "    + default = 30"],
  },
};
