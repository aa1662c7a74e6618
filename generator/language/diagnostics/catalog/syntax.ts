/** Syntax errors in RIDL: RK100 to RK199. */
export const syntax = {
  unexpected: {
    code: "RK101",
    severity: "error",
    message: "Expected {expected}, found {found}.",
  },
  "unknown-keyword": {
    code: "RK102",
    severity: "error",
    message: '"{word}" does not start a declaration.',
    advice:
      "A line at this level starts with webrpc, name, version, basepath, import, enum, struct, type, error or service.",
  },
  "misplaced-blank": {
    code: "RK103",
    severity: "error",
    message: "There must be no space before {before}.",
    advice: "Remove the space.",
  },
  "unclosed-string": {
    code: "RK104",
    severity: "error",
    message: "The string has no closing quote on its line.",
    advice: 'Close it with " on the same line; a string cannot span lines.',
  },
  "bad-escape": {
    code: "RK105",
    severity: "error",
    message: "{escape} is not a valid escape.",
    advice:
      'Only \\n, \\t and \\" are valid, and RIDL cannot write a backslash; in patterns, use a character class such as [0-9].',
  },
  "missing-value": {
    code: "RK106",
    severity: "error",
    message: "A value is missing after {after}.",
  },
  "empty-string": {
    code: "RK107",
    severity: "error",
    message: "RIDL cannot write an empty string.",
    advice: "Leave the line out, or write default.empty = true for an empty default.",
  },
  "renamed-keyword": {
    code: "RK108",
    severity: "error",
    message: 'The keyword "message" was renamed to "struct".',
    advice: 'Write "struct".',
  },
  "not-a-number": {
    code: "RK109",
    severity: "error",
    message: '{what} must be a whole number, found "{found}".',
  },
  "duplicate-annotation": {
    code: "RK110",
    severity: "error",
    message: 'The method has the annotation "@{name}" twice.',
    advice: 'Keep one; put several values into one string, such as @auth:"a,b".',
  },
  "lonely-at": {
    code: "RK111",
    severity: "error",
    message: '"@" must be followed directly by the name of an annotation.',
    advice: 'Write it as @name, @name:value or @name:"some text".',
  },
  "reserved-type-word": {
    code: "RK112",
    severity: "error",
    message: '"{word}" cannot be used as a type.',
    advice: 'A streamed response is written "=> stream (item: T)", with stream before the parenthesis.',
  },
  "malformed-type": {
    code: "RK113",
    severity: "error",
    message: '"{text}" is not a type.',
    advice: "Write Name, []T or map<K,V>.",
  },
  "type-too-deep": {
    code: "RK114",
    severity: "error",
    message: "The type is nested more than {limit} levels deep.",
    advice: "Name the inner part with a type alias.",
  },
  "byte-order-mark": {
    code: "RK115",
    severity: "error",
    message: "The file starts with a byte order mark.",
    advice: "Save it as UTF-8 without a byte order mark.",
  },
  "stray-word": {
    code: "RK120",
    severity: "warning",
    message:
      '"{word}" after the method has no meaning: older versions of webrpc skip it, newer ones reject it.',
    advice: "Remove it, or write the clause that was meant.",
  },
  "dangling-annotation": {
    code: "RK121",
    severity: "warning",
    message: '"@{name}" is not followed by a method, so it has no effect.',
    advice: "Put annotations on the line above their method.",
  },
  "text-after-nul": {
    code: "RK122",
    severity: "warning",
    message: "A NUL character ends the file here, and the text after it is ignored.",
    advice: "Remove the NUL character.",
  },
  "map-without-value": {
    code: "RK123",
    severity: "warning",
    message: "The map has no value type.",
    advice: "Write map<K,V>, such as map<string,any>.",
  },
  "hash-in-string": {
    code: "RK124",
    severity: "warning",
    message: 'webrpc also reads the text after "#" in this string as a comment.',
    advice: 'Rephrase it without "#".',
  },
  "annotations-hide-docs": {
    code: "RK125",
    severity: "warning",
    message: 'webrpc loses the comment above "{method}", because two lines of annotations separate them.',
    advice: "Put all annotations of a method on one line.",
  },
  "comment-after-meta": {
    code: "RK126",
    severity: "warning",
    message: "webrpc attaches a comment after a meta line to the next field.",
    advice: "Put the comment above the field.",
  },
  "succinct-swallows": {
    code: "RK127",
    severity: "warning",
    message: "webrpc skips the {what} that follows the succinct argument without a space.",
    advice: "Put a space after the closing parenthesis.",
  },
  "blank-line-needed": {
    code: "RK128",
    severity: "error",
    message: 'webrpc reads "{word}" as part of the succinct method above it.',
    advice: "Put an empty line between them.",
  },
  "missing-dash": {
    code: "RK129",
    severity: "error",
    message: '"-" is missing before "{word}".',
    advice: 'Start every field, enum value and method with "- ".',
  },
  "route-before-method": {
    code: "RK131",
    severity: "error",
    message: 'The route "{verb}" is above the first method.',
    advice: "Write a route below its method.",
  },
  "duplicate-route": {
    code: "RK132",
    severity: "error",
    message: '"{method}" already has a route.',
    advice: "Keep one, or declare a second method.",
  },
  "duplicate-service-path": {
    code: "RK133",
    severity: "error",
    message: "The path of the service is set twice.",
  },
  "late-service-path": {
    code: "RK134",
    severity: "error",
    message: "The path of a service comes before its first method.",
    advice: 'Move the line below "service".',
  },
  "missing-plus": {
    code: "RK130",
    severity: "error",
    message: '"+" is missing before "{word}".',
    advice: 'Write meta keys below their field, in lines that start with "+ ".',
  },
} as const;
