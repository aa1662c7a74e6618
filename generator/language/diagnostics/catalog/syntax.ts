import type { Examples } from "./entry.ts";

/** Syntax errors in RIDL: RK100 to RK199. */
export const syntax = {
  unexpected: {
    code: "RK101",
    severity: "error",
    message: "Expected {expected}, found {found}.",
    rule: "Every line follows the grammar.",
    reason:
      "The message names what is allowed at this position. Parsing continues with the next line, so later errors are reported too.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - id uint64"],
      good: ["struct Order", "  - id: uint64"],
    }),
  },
  "unknown-keyword": {
    code: "RK102",
    severity: "error",
    message: '"{word}" does not start a declaration.',
    advice:
      "A line at this level starts with webrpc, name, version, basepath, import, enum, struct, type, error or service.",
    rule: "A line outside of a declaration starts with a keyword.",
    reason:
      "The keywords are webrpc, name, version, basepath, import, enum, struct, type, error and service.",
    examples: (): Examples => ({
      bad: ["strukt Order", "  - id: uint64"],
      good: ["struct Order", "  - id: uint64"],
    }),
  },
  "misplaced-blank": {
    code: "RK103",
    severity: "error",
    message: "There must be no space before {before}.",
    advice: "Remove the space.",
    rule: "No space separates a name from the colon or parenthesis after it.",
    reason: "webrpc rejects a space before a colon and before an opening parenthesis.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - id : uint64"],
      good: ["struct Order", "  - id: uint64"],
    }),
  },
  "unclosed-string": {
    code: "RK104",
    severity: "error",
    message: "The string has no closing quote on its line.",
    advice: 'Close it with " on the same line; a string cannot span lines.',
    rule: "A string ends on the line where it starts.",
    reason: "Without its closing quote, the rest of the file would be part of the string.",
    examples: (): Examples => ({
      bad: ['error 100 OutOfStock "sold out HTTP 409'],
      good: ['error 100 OutOfStock "sold out" HTTP 409'],
    }),
  },
  "bad-escape": {
    code: "RK105",
    severity: "error",
    message: "{escape} is not a valid escape.",
    advice:
      'Only \\n, \\t and, not right after a letter or a digit, \\" are valid. RIDL cannot write a backslash: in patterns, use a character class such as [0-9].',
    rule: 'A backslash in a value starts \\n, \\t or \\".',
    reason:
      "webrpc has no other escapes, so RIDL cannot write a backslash itself. In patterns, use character classes instead.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - code: string", '    + pattern = "\\d+"'],
      good: ["struct Order", "  - code: string", '    + pattern = "[0-9]+"'],
    }),
  },
  "missing-value": {
    code: "RK106",
    severity: "error",
    message: "A value is missing after {after}.",
    rule: 'A value follows every "=", and a path follows every "import".',
    reason: "Otherwise the next line would be read as the value.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - id: uint64", "    + json ="],
      good: ["struct Order", "  - id: uint64", "    + json = order_id"],
    }),
  },
  "empty-string": {
    code: "RK107",
    severity: "error",
    message: "RIDL cannot write an empty string.",
    advice: "Leave the line out, or write default.empty = true for an empty default.",
    rule: "A string has at least one character.",
    reason: 'webrpc rejects "".',
    examples: (): Examples => ({
      bad: ["struct Order", "  - note: string", '    + default = ""'],
      good: ["struct Order", "  - note: string", "    + default.empty = true"],
    }),
  },
  "renamed-keyword": {
    code: "RK108",
    severity: "error",
    message: 'The keyword "message" was renamed to "struct".',
    advice: 'Write "struct".',
    rule: 'Structs are declared with "struct".',
    reason: 'Old schemas use "message", which webrpc no longer supports.',
    examples: (): Examples => ({
      bad: ["message Order", "  - id: uint64"],
      good: ["struct Order", "  - id: uint64"],
    }),
  },
  "not-a-number": {
    code: "RK109",
    severity: "error",
    message: '{what} must be a whole number, found "{found}".',
    rule: "The code and the HTTP status of an error are written in digits.",
    reason: "Both are sent as numbers.",
    examples: (): Examples => ({
      bad: ['error first OutOfStock "sold out"'],
      good: ['error 1 OutOfStock "sold out"'],
    }),
  },
  "duplicate-annotation": {
    code: "RK110",
    severity: "error",
    message: 'The method has the annotation "@{name}" twice.',
    advice: 'Keep one; put several values into one string, such as @auth:"a,b".',
    rule: "A method has each annotation at most once.",
    reason: "The IR stores annotations by name, so a second one would replace the first.",
    examples: (): Examples => ({
      bad: ["service Shop", "  @auth:jwt @auth:key", "  - Buy(id: uint64)"],
      good: ["service Shop", '  @auth:"jwt,key"', "  - Buy(id: uint64)"],
    }),
  },
  "lonely-at": {
    code: "RK111",
    severity: "error",
    message: '"@" must be followed directly by the name of an annotation.',
    advice: 'Write it as @name, @name:value or @name:"some text".',
    rule: 'The name of an annotation follows "@" directly.',
    reason: 'webrpc rejects an "@" without a name.',
    examples: (): Examples => ({
      bad: ["service Shop", "  @ internal", "  - Buy(id: uint64)"],
      good: ["service Shop", "  @internal", "  - Buy(id: uint64)"],
    }),
  },
  "reserved-type-word": {
    code: "RK112",
    severity: "error",
    message: '"{word}" cannot be used as a type.',
    advice: 'A streamed response is written "=> stream (item: T)", with stream before the parenthesis.',
    rule: '"stream" and "struct" are not types.',
    reason: 'Both words are keywords. "stream" applies to a whole response, not to a value in it.',
    examples: (): Examples => ({
      bad: ["service Shop", "  - Watch() => (price: stream)"],
      good: ["service Shop", "  - Watch() => stream (price: uint64)"],
    }),
  },
  "malformed-type": {
    code: "RK113",
    severity: "error",
    message: '"{text}" is not a type.',
    advice: "Write Name, []T or map<K,V>.",
    rule: "A type is a name, a list or a map.",
    reason:
      "There are no generics or arrays of a fixed length. A union is a struct with fields that have oneOf or when.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - items: string[]"],
      good: ["struct Order", "  - items: []string"],
    }),
  },
  "type-too-deep": {
    code: "RK114",
    severity: "error",
    message: "The type is nested more than {limit} levels deep.",
    advice: "Name the inner part with a type alias.",
    rule: "A type has at most 1000 levels of nesting.",
    reason:
      "Servers reject JSON deeper than 64 levels, and the limit protects later steps from a stack overflow.",
    examples: (): Examples => ({
      bad: {
        files: {},
        commands: [
          "printf 'webrpc = v1\\nname = deep\\ntype Deep: %sint\\n' \"$(printf '[]%.0s' $(seq 1002))\" > deep.ridl",
          "ridlkit lint deep.ridl",
        ],
      },
      good: ["type Row: []int", "type Table: []Row"],
    }),
  },
  "byte-order-mark": {
    code: "RK115",
    severity: "error",
    message: "The file starts with a byte order mark.",
    advice: "Save it as UTF-8 without a byte order mark.",
    rule: "A schema has no byte order mark.",
    reason: "Some editors put this invisible mark at the start of a file, and webrpc rejects it.",
    examples: (): Examples => ({
      bad: { files: { "api.ridl": ["\uFEFFwebrpc = v1", "name = shop"] } },
      good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
    }),
  },
  "stray-word": {
    code: "RK120",
    severity: "error",
    referenceAccepts: true,
    message: '"{word}" after the method has no meaning: webrpc rejects it since v0.48.',
    advice: "Remove it, or write the clause that was meant.",
    rule: 'Only "errors" may follow the response of a method.',
    reason: "webrpc up to v0.47 silently ignores any other word, so a misspelled clause has no effect.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Buy(id: uint64) returns"],
      good: ["service Shop", "  - Buy(id: uint64) => (paid: bool)"],
    }),
  },
  "dangling-annotation": {
    code: "RK121",
    severity: "warning",
    message: '"@{name}" is not followed by a method, so it has no effect.',
    advice: "Put annotations on the line above their method.",
    rule: "An annotation is placed above a method.",
    reason: "An annotation after the last method of a service is lost.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Buy(id: uint64)", "  @internal"],
      good: ["service Shop", "  @internal", "  - Buy(id: uint64)"],
    }),
  },
  "trailing-annotation": {
    code: "RK135",
    severity: "warning",
    message: '{names} cannot belong to "{method}": annotations apply to the next method.',
    advice: "Put annotations on the line above their method.",
    rule: "Annotations are written above their method.",
    reason:
      "An annotation always belongs to the next method, also at the end of a line, so here it would protect, deprecate or publish another method than it seems to.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Clear() @auth:admin", "  - List() => (names: []string)"],
      good: ["service Shop", "  @auth:admin", "  - Clear()", "  - List() => (names: []string)"],
    }),
  },
  "text-after-nul": {
    code: "RK122",
    severity: "warning",
    message: "A NUL character ends the file here, and the text after it is ignored.",
    advice: "Remove the NUL character.",
    rule: "A schema contains no NUL character.",
    reason: "webrpc stops reading there, so everything below is silently missing.",
    examples: (): Examples => ({
      bad: {
        files: {},
        commands: [
          "printf 'webrpc = v1\\nname = shop\\n\\000struct Lost\\n' > api.ridl",
          "ridlkit lint api.ridl",
        ],
      },
      good: { files: { "api.ridl": ["webrpc = v1", "name = shop", "struct Kept"] } },
    }),
  },
  "map-without-value": {
    code: "RK123",
    severity: "warning",
    message: "The map has no value type.",
    advice: "Write map<K,V>, such as map<string,any>.",
    rule: "A map has a key type and a value type.",
    reason:
      "webrpc accepts a map without a value type, and its generators then produce code that does not compile.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - notes: map<string,>"],
      good: ["struct Order", "  - notes: map<string,any>"],
    }),
  },
  "hash-in-string": {
    code: "RK124",
    severity: "warning",
    message: 'webrpc also reads the text after "#" in this string as a comment.',
    advice: 'Rephrase it without "#".',
    rule: 'A string contains no "#".',
    reason:
      "webrpc reads the rest of the line as a comment as well, so a part of the value ends up in the documentation.",
    examples: (): Examples => ({
      bad: ['error 100 OutOfStock "see rule #4"'],
      good: ['error 100 OutOfStock "see rule 4"'],
    }),
  },
  "annotations-hide-docs": {
    code: "RK125",
    severity: "warning",
    message: 'webrpc loses the comment above "{method}", because two lines of annotations separate them.',
    advice: "Put all annotations of a method on one line.",
    rule: "All annotations of a method are on one line.",
    reason: "With two lines of annotations, webrpc no longer finds the comment above the method.",
    examples: (): Examples => ({
      bad: ["service Shop", "  # Pays at once.", "  @internal", "  @auth:jwt", "  - Buy(id: uint64)"],
      good: ["service Shop", "  # Pays at once.", "  @internal @auth:jwt", "  - Buy(id: uint64)"],
    }),
  },
  "comment-after-meta": {
    code: "RK126",
    severity: "warning",
    message: "webrpc attaches a comment after a meta line to the next field.",
    advice: "Put the comment above the field.",
    rule: "No comment follows a meta line on the same line.",
    reason: "webrpc uses that comment as documentation of the next field.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - id: uint64", "    + json = order_id # never reused", "  - note: string"],
      good: [
        "struct Order",
        "  # never reused",
        "  - id: uint64",
        "    + json = order_id",
        "  - note: string",
      ],
    }),
  },
  "succinct-swallows": {
    code: "RK127",
    severity: "warning",
    message: "webrpc skips the {what} that follows the succinct argument without a space.",
    advice: "Put a space after the closing parenthesis.",
    rule: "A space or a line break follows the succinct form, a single struct in parentheses.",
    reason: "webrpc skips the token right after the closing parenthesis.",
    examples: (): Examples => ({
      bad: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask)=>=>(Answer)"],
      good: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask) => (Answer)"],
    }),
  },
  "blank-line-needed": {
    code: "RK128",
    severity: "warning",
    message: 'webrpc up to v0.47 reads "{word}" as part of the method before it.',
    advice: "Put an empty line between them.",
    rule: "An empty line separates the last method of a service from the next declaration.",
    reason:
      "webrpc up to v0.47 reads one word after a method, also on the next line if the response is a single struct in parentheses.",
    examples: (): Examples => ({
      bad: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask) => (Answer)", "struct Order"],
      good: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask) => (Answer)", "", "struct Order"],
    }),
  },
  "missing-dash": {
    code: "RK129",
    severity: "error",
    message: '"-" is missing before "{word}".',
    advice: 'Start every field, enum value and method with "- ".',
    rule: "Every field, enum value and method starts with a dash.",
    reason: "The dash makes a line part of the declaration above it; indentation has no meaning.",
    examples: (): Examples => ({
      bad: ["struct Order", "  id: uint64"],
      good: ["struct Order", "  - id: uint64"],
    }),
  },
  "route-before-method": {
    code: "RK131",
    severity: "error",
    message: 'The route "{verb}" is above the first method.',
    advice: "Write a route below its method.",
    rule: "A route is below its method.",
    reason: "A route belongs to the method above it, so the first route needs a method above.",
    examples: (): Examples => ({
      bad: ["service Shop", "  GET /orders", "  - ListOrders()"],
      good: ["service Shop", "  - ListOrders()", "    GET /orders"],
    }),
  },
  "duplicate-route": {
    code: "RK132",
    severity: "error",
    message: '"{method}" already has a route.',
    advice: "Keep one, or declare a second method.",
    rule: "A method has at most one route.",
    reason: "Clients call a method at one path, and servers accept it at no other.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - ListOrders()", "    GET /orders", "    POST /orders"],
      good: ["service Shop", "  - ListOrders()", "    GET /orders"],
    }),
  },
  "duplicate-service-path": {
    code: "RK133",
    severity: "error",
    message: "The path of the service is set twice.",
    rule: "A service has at most one path.",
    reason: "All its routes start with it.",
    examples: (): Examples => ({
      bad: ["service Shop", "  path = /shop", "  path = /store", "  - ListOrders()", "    GET /orders"],
      good: ["service Shop", "  path = /shop", "  - ListOrders()", "    GET /orders"],
    }),
  },
  "late-service-path": {
    code: "RK134",
    severity: "error",
    message: "The path of a service comes before its first method.",
    advice: 'Move the line below "service".',
    rule: "The path of a service is above its methods.",
    reason: "It applies to all of them.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - ListOrders()", "    GET /orders", "  path = /shop"],
      good: ["service Shop", "  path = /shop", "  - ListOrders()", "    GET /orders"],
    }),
  },
  "missing-plus": {
    code: "RK130",
    severity: "error",
    message: '"+" is missing before "{word}".',
    advice: 'Write meta keys below their field, in lines that start with "+ ".',
    rule: "Meta keys are written below their field, each line starting with a plus.",
    reason: "Without the plus, the line is neither a field nor a meta key.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - id: uint64", "    json = order_id"],
      good: ["struct Order", "  - id: uint64", "    + json = order_id"],
    }),
  },
} as const;
