import type { syntax as codes } from "../catalog/syntax.ts";
import type { Explanations } from "./explanation.ts";

export const syntax: Explanations<keyof typeof codes> = {
  unexpected: {
    rule: "Every line follows the grammar.",
    reason:
      "The message names what is allowed at this position. Parsing continues with the next line, so later errors are reported too.",
    bad: ["struct Order", "  - id uint64"],
    good: ["struct Order", "  - id: uint64"],
  },
  "unknown-keyword": {
    rule: "A line outside of a declaration starts with a keyword.",
    reason:
      "The keywords are webrpc, name, version, basepath, import, enum, struct, type, error and service.",
    bad: ["strukt Order", "  - id: uint64"],
    good: ["struct Order", "  - id: uint64"],
  },
  "misplaced-blank": {
    rule: "No space separates a name from the colon or parenthesis after it.",
    reason: "webrpc rejects a space before a colon and before an opening parenthesis.",
    bad: ["struct Order", "  - id : uint64"],
    good: ["struct Order", "  - id: uint64"],
  },
  "unclosed-string": {
    rule: "A string ends on the line where it starts.",
    reason: "Without its closing quote, the rest of the file would be part of the string.",
    bad: ['error 100 OutOfStock "sold out HTTP 409'],
    good: ['error 100 OutOfStock "sold out" HTTP 409'],
  },
  "bad-escape": {
    rule: 'A backslash in a value starts \\n, \\t or \\".',
    reason:
      "webrpc has no other escapes, so RIDL cannot write a backslash itself. In patterns, use character classes instead.",
    bad: ["struct Order", "  - code: string", '    + pattern = "\\d+"'],
    good: ["struct Order", "  - code: string", '    + pattern = "[0-9]+"'],
  },
  "missing-value": {
    rule: 'A value follows every "=", and a path follows every "import".',
    reason: "Otherwise the next line would be read as the value.",
    bad: ["struct Order", "  - id: uint64", "    + json ="],
    good: ["struct Order", "  - id: uint64", "    + json = order_id"],
  },
  "empty-string": {
    rule: "A string has at least one character.",
    reason: 'webrpc rejects "".',
    bad: ["struct Order", "  - note: string", '    + default = ""'],
    good: ["struct Order", "  - note: string", "    + default.empty = true"],
  },
  "renamed-keyword": {
    rule: 'Structs are declared with "struct".',
    reason: 'Old schemas use "message", which webrpc no longer supports.',
    bad: ["message Order", "  - id: uint64"],
    good: ["struct Order", "  - id: uint64"],
  },
  "not-a-number": {
    rule: "The code and the HTTP status of an error are written in digits.",
    reason: "Both are sent as numbers.",
    bad: ['error first OutOfStock "sold out"'],
    good: ['error 1 OutOfStock "sold out"'],
  },
  "duplicate-annotation": {
    rule: "A method has each annotation at most once.",
    reason: "The IR stores annotations by name, so a second one would replace the first.",
    bad: ["service Shop", "  @auth:jwt @auth:key", "  - Buy(id: uint64)"],
    good: ["service Shop", '  @auth:"jwt,key"', "  - Buy(id: uint64)"],
  },
  "lonely-at": {
    rule: 'The name of an annotation follows "@" directly.',
    reason: 'webrpc rejects an "@" without a name.',
    bad: ["service Shop", "  @ internal", "  - Buy(id: uint64)"],
    good: ["service Shop", "  @internal", "  - Buy(id: uint64)"],
  },
  "reserved-type-word": {
    rule: '"stream" and "struct" are not types.',
    reason: 'Both words are keywords. "stream" applies to a whole response, not to a value in it.',
    bad: ["service Shop", "  - Watch() => (price: stream)"],
    good: ["service Shop", "  - Watch() => stream (price: uint64)"],
  },
  "malformed-type": {
    rule: "A type is a name, a list or a map.",
    reason: "There are no generics, unions or arrays of a fixed length.",
    bad: ["struct Order", "  - items: string[]"],
    good: ["struct Order", "  - items: []string"],
  },
  "type-too-deep": {
    rule: "A type has at most 1000 levels of nesting.",
    reason:
      "Servers reject JSON deeper than 64 levels, and the limit protects later steps from a stack overflow.",
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
    rule: "A schema has no byte order mark.",
    reason: "Some editors put this invisible mark at the start of a file, and webrpc rejects it.",
    bad: { files: { "api.ridl": ["\uFEFFwebrpc = v1", "name = shop"] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
  },
  "stray-word": {
    rule: 'Only "errors" may follow the response of a method.',
    reason: "Older versions of webrpc silently ignore any other word, so a misspelt clause has no effect.",
    bad: ["service Shop", "  - Buy(id: uint64) returns"],
    good: ["service Shop", "  - Buy(id: uint64) => (paid: bool)"],
  },
  "dangling-annotation": {
    rule: "An annotation is placed above a method.",
    reason: "An annotation after the last method of a service is lost.",
    bad: ["service Shop", "  - Buy(id: uint64)", "  @internal"],
    good: ["service Shop", "  @internal", "  - Buy(id: uint64)"],
  },
  "text-after-nul": {
    rule: "A schema contains no NUL character.",
    reason: "webrpc stops reading there, so everything below is silently missing.",
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
    rule: "A map has a key type and a value type.",
    reason:
      "webrpc accepts a map without a value type, and its generators then produce code that does not compile.",
    bad: ["struct Order", "  - notes: map<string,>"],
    good: ["struct Order", "  - notes: map<string,any>"],
  },
  "hash-in-string": {
    rule: 'A string contains no "#".',
    reason:
      "webrpc reads the rest of the line as a comment as well, so a part of the value ends up in the documentation.",
    bad: ['error 100 OutOfStock "see rule #4"'],
    good: ['error 100 OutOfStock "see rule 4"'],
  },
  "annotations-hide-docs": {
    rule: "All annotations of a method are on one line.",
    reason: "With two lines of annotations, webrpc no longer finds the comment above the method.",
    bad: ["service Shop", "  # Pays at once.", "  @internal", "  @auth:jwt", "  - Buy(id: uint64)"],
    good: ["service Shop", "  # Pays at once.", "  @internal @auth:jwt", "  - Buy(id: uint64)"],
  },
  "comment-after-meta": {
    rule: "No comment follows a meta line on the same line.",
    reason: "webrpc uses that comment as documentation of the next field.",
    bad: ["struct Order", "  - id: uint64", "    + json = order_id # never reused", "  - note: string"],
    good: ["struct Order", "  # never reused", "  - id: uint64", "    + json = order_id", "  - note: string"],
  },
  "succinct-swallows": {
    rule: "A space or a line break follows the succinct form, a single struct in parentheses.",
    reason: "webrpc skips the token right after the closing parenthesis.",
    bad: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask)=>=>(Answer)"],
    good: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask) => (Answer)"],
  },
  "blank-line-needed": {
    rule: "An empty line separates a method whose body is a single struct from the next declaration.",
    reason:
      "webrpc skips the line break after the closing parenthesis and reads the next keyword as part of the method.",
    bad: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask) => (Answer)", "struct Order"],
    good: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask) => (Answer)", "", "struct Order"],
  },
  "missing-dash": {
    rule: "Every field, enum value and method starts with a dash.",
    reason: "The dash makes a line part of the declaration above it; indentation has no meaning.",
    bad: ["struct Order", "  id: uint64"],
    good: ["struct Order", "  - id: uint64"],
  },
  "route-before-method": {
    rule: "A route is below its method.",
    reason: "A route belongs to the method above it, so the first route needs a method above.",
    bad: ["service Shop", "  GET /orders", "  - ListOrders()"],
    good: ["service Shop", "  - ListOrders()", "    GET /orders"],
  },
  "duplicate-route": {
    rule: "A method has at most one route.",
    reason: "Clients call a method at one path, and servers accept it at no other.",
    bad: ["service Shop", "  - ListOrders()", "    GET /orders", "    POST /orders"],
    good: ["service Shop", "  - ListOrders()", "    GET /orders"],
  },
  "duplicate-service-path": {
    rule: "A service has at most one path.",
    reason: "All its routes start with it.",
    bad: ["service Shop", "  path = /shop", "  path = /store", "  - ListOrders()", "    GET /orders"],
    good: ["service Shop", "  path = /shop", "  - ListOrders()", "    GET /orders"],
  },
  "late-service-path": {
    rule: "The path of a service is above its methods.",
    reason: "It applies to all of them.",
    bad: ["service Shop", "  - ListOrders()", "    GET /orders", "  path = /shop"],
    good: ["service Shop", "  path = /shop", "  - ListOrders()", "    GET /orders"],
  },
  "missing-plus": {
    rule: "Meta keys are written below their field, each line starting with a plus.",
    reason: "Without the plus, the line is neither a field nor a meta key.",
    bad: ["struct Order", "  - id: uint64", "    json = order_id"],
    good: ["struct Order", "  - id: uint64", "    + json = order_id"],
  },
};
