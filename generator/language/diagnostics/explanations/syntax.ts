import type { syntax as codes } from "../catalog/syntax.ts";
import type { Explanations } from "./explanation.ts";

export const syntax: Explanations<keyof typeof codes> = {
  unexpected: {
    rule: "What stands at a place is what the grammar has for it.",
    reason:
      "The message says what could stand here; the reading goes on with the next line, so that later faults are found too.",
    bad: ["struct Order", "  - id uint64"],
    good: ["struct Order", "  - id: uint64"],
  },
  "unknown-keyword": {
    rule: "A line that belongs to no declaration starts with a keyword.",
    reason: "There are ten: webrpc, name, version, basepath, import, enum, struct, type, error and service.",
    bad: ["strukt Order", "  - id: uint64"],
    good: ["struct Order", "  - id: uint64"],
  },
  "misplaced-blank": {
    rule: "A name and the sign that belongs to it stand together.",
    reason: "webrpc refuses a blank before a colon and before an opening parenthesis.",
    bad: ["struct Order", "  - id : uint64"],
    good: ["struct Order", "  - id: uint64"],
  },
  "unclosed-string": {
    rule: "A string ends on the line it starts on.",
    reason: "Without its closing quote the rest of the file would be text.",
    bad: ['error 100 OutOfStock "no more of it HTTP 409'],
    good: ['error 100 OutOfStock "no more of it" HTTP 409'],
  },
  "bad-escape": {
    rule: 'A backslash in a value starts one of \\n, \\t and \\".',
    reason:
      "webrpc knows no other escape, so a backslash itself cannot be written; patterns do with character classes.",
    bad: ["struct Order", "  - code: string", '    + pattern = "\\d+"'],
    good: ["struct Order", "  - code: string", '    + pattern = "[0-9]+"'],
  },
  "missing-value": {
    rule: "A sign that announces a value is followed by one.",
    reason: "An empty value would be taken for what stands on the next line.",
    bad: ["struct Order", "  - id: uint64", "    + json ="],
    good: ["struct Order", "  - id: uint64", "    + json = order_id"],
  },
  "empty-string": {
    rule: "A string has at least one character.",
    reason: 'webrpc refuses "".',
    bad: ["struct Order", "  - note: string", '    + default = ""'],
    good: ["struct Order", "  - note: string", "    + default.empty = true"],
  },
  "renamed-keyword": {
    rule: 'A struct is declared with "struct".',
    reason: 'Old schemas say "message", which webrpc gave up.',
    bad: ["message Order", "  - id: uint64"],
    good: ["struct Order", "  - id: uint64"],
  },
  "not-a-number": {
    rule: "The code and the status of an error are written in digits.",
    reason: "Both go over the wire as numbers.",
    bad: ['error first OutOfStock "no more of it"'],
    good: ['error 1 OutOfStock "no more of it"'],
  },
  "duplicate-annotation": {
    rule: "A method has each annotation once.",
    reason: "The IR keeps annotations by name, so that a second one could not be told from the first.",
    bad: ["service Shop", "  @auth:jwt @auth:key", "  - Buy(id: uint64)"],
    good: ["service Shop", '  @auth:"jwt,key"', "  - Buy(id: uint64)"],
  },
  "lonely-at": {
    rule: "An annotation is one word: the sign and its name without a blank.",
    reason: "webrpc refuses a sign that nothing follows.",
    bad: ["service Shop", "  @ internal", "  - Buy(id: uint64)"],
    good: ["service Shop", "  @internal", "  - Buy(id: uint64)"],
  },
  "reserved-type-word": {
    rule: '"stream" and "struct" are no types.',
    reason: "They are words of the grammar; a stream is said of a whole answer, not of a value in it.",
    bad: ["service Shop", "  - Watch() => (price: stream)"],
    good: ["service Shop", "  - Watch() => stream (price: uint64)"],
  },
  "malformed-type": {
    rule: "A type is a name, a list of a type, or a map from a type to a type.",
    reason: "There are no generics, unions or arrays of a fixed length.",
    bad: ["struct Order", "  - items: string[]"],
    good: ["struct Order", "  - items: []string"],
  },
  "type-too-deep": {
    rule: "A type is nested at most 1000 levels deep.",
    reason:
      "JSON deeper than 64 levels is refused on the wire, and a bound keeps every later step from running out of stack.",
    bad: {
      files: {},
      commands: [
        "printf 'webrpc = v1\\nname = deep\\ntype Deep: %sint\\n' \"$(printf '[]%.0s' $(seq 1002))\" > deep.ridl",
        "ridlkit lint deep.ridl",
      ],
    },
    good: ["type Row: []int", "type Table: []Row"],
  },
  "byte-order-mark": {
    rule: "The text starts with its first line.",
    reason: "Some editors put an invisible mark before it, which webrpc refuses.",
    bad: { files: { "api.ridl": ["\uFEFFwebrpc = v1", "name = shop"] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
  },
  "stray-word": {
    rule: 'After the answer of a method only "errors" follows.',
    reason: "webrpc swallows any other word without a message, and with it what was meant.",
    bad: ["service Shop", "  - Buy(id: uint64) returns"],
    good: ["service Shop", "  - Buy(id: uint64) => (paid: bool)"],
  },
  "dangling-annotation": {
    rule: "An annotation stands above a method.",
    reason: "One after the last method of a service is lost.",
    bad: ["service Shop", "  - Buy(id: uint64)", "  @internal"],
    good: ["service Shop", "  @internal", "  - Buy(id: uint64)"],
  },
  "text-after-nul": {
    rule: "A schema holds no NUL character.",
    reason: "webrpc stops reading there, so that everything below is silently missing.",
    bad: {
      files: {},
      commands: [
        "printf 'webrpc = v1\\nname = shop\\n\\000struct Lost\\n' > api.ridl",
        "ridlkit lint api.ridl",
      ],
    },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop", "struct Kept"] } },
  },
  "map-without-value": {
    rule: "A map names the type of its keys and that of its values.",
    reason: "webrpc lets the value be left out, and its generators then print code that does not compile.",
    bad: ["struct Order", "  - notes: map<string,>"],
    good: ["struct Order", "  - notes: map<string,any>"],
  },
  "hash-in-string": {
    rule: 'A string has no "#" in it.',
    reason: "webrpc takes what follows for a comment too, and the documentation gets a piece of the value.",
    bad: ['error 100 OutOfStock "see rule #4"'],
    good: ['error 100 OutOfStock "see rule 4"'],
  },
  "annotations-hide-docs": {
    rule: "All annotations of a method stand on one line.",
    reason: "Above two lines of them webrpc no longer finds the comment of the method.",
    bad: ["service Shop", "  # Pays at once.", "  @internal", "  @auth:jwt", "  - Buy(id: uint64)"],
    good: ["service Shop", "  # Pays at once.", "  @internal @auth:jwt", "  - Buy(id: uint64)"],
  },
  "comment-after-meta": {
    rule: "No comment stands behind a meta line.",
    reason: "webrpc gives it to the next field, whose documentation it then is.",
    bad: ["struct Order", "  - id: uint64", "    + json = order_id # never reused", "  - note: string"],
    good: ["struct Order", "  # never reused", "  - id: uint64", "    + json = order_id", "  - note: string"],
  },
  "succinct-swallows": {
    rule: "A blank or a line break follows the succinct form.",
    reason: "webrpc skips the token behind the parenthesis without looking at it.",
    bad: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask)=>=>(Answer)"],
    good: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask) => (Answer)"],
  },
  "blank-line-needed": {
    rule: "An empty line parts a succinct method from the declaration below it.",
    reason:
      "webrpc skips the line break behind the parenthesis, and takes the keyword for a part of the method.",
    bad: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask) => (Answer)", "struct Order"],
    good: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask) => (Answer)", "", "struct Order"],
  },
  "missing-dash": {
    rule: "Every field, enum value and method starts with a dash.",
    reason: "The dash, not the indentation, makes a line an item of what stands above.",
    bad: ["struct Order", "  id: uint64"],
    good: ["struct Order", "  - id: uint64"],
  },
  "missing-plus": {
    rule: "What is said of a field stands below it, each line with a plus.",
    reason: "Without the plus the line is neither a field nor said of one.",
    bad: ["struct Order", "  - id: uint64", "    json = order_id"],
    good: ["struct Order", "  - id: uint64", "    + json = order_id"],
  },
};
