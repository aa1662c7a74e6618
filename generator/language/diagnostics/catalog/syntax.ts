/** RIDL text that cannot be read as it stands: RK100 to RK199. */
export const syntax = {
  unexpected: {
    code: "RK101",
    severity: "error",
    message: "Expected {expected}, found {found}.",
  },
  "unknown-keyword": {
    code: "RK102",
    severity: "error",
    message: '"{word}" starts no declaration.',
    advice:
      "A line at this level starts with webrpc, name, version, basepath, import, enum, struct, type, error or service.",
  },
  "misplaced-blank": {
    code: "RK103",
    severity: "error",
    message: "No blank may stand before {before}.",
    advice: "Remove the blank.",
  },
  "unclosed-string": {
    code: "RK104",
    severity: "error",
    message: "The string has no closing quote on its line.",
    advice: 'End it with " on the same line; a string cannot span lines.',
  },
  "bad-escape": {
    code: "RK105",
    severity: "error",
    message: "{escape} is no escape.",
    advice:
      'Only \\n, \\t and \\" are; a backslash itself cannot be written: use a character class such as [0-9] in patterns.',
  },
  "missing-value": {
    code: "RK106",
    severity: "error",
    message: "A value is missing after {after}.",
  },
  "empty-string": {
    code: "RK107",
    severity: "error",
    message: "The empty string cannot be written in RIDL.",
    advice: "Leave the line out; for an empty default write: default.empty = true",
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
    message: '{what} must be a number in digits, found "{found}".',
  },
  "duplicate-annotation": {
    code: "RK110",
    severity: "error",
    message: 'The method has two annotations "@{name}".',
    advice: 'Keep one; several values go into one string, as @auth:"a,b".',
  },
  "lonely-at": {
    code: "RK111",
    severity: "error",
    message: '"@" must be followed by the name of an annotation, without a blank.',
    advice: 'Write it as @name, @name:value or @name:"some text".',
  },
  "reserved-type-word": {
    code: "RK112",
    severity: "error",
    message: '"{word}" cannot be used as a type.',
    advice: 'A streamed answer is written "=> stream (item: T)", before the parenthesis.',
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
    advice: 'Save it as "UTF-8" without BOM.',
  },
  "stray-word": {
    code: "RK120",
    severity: "warning",
    message: '"{word}" after the method means nothing; webrpc swallows it without a word.',
    advice: "Remove it, or write the clause it was meant to be.",
  },
  "dangling-annotation": {
    code: "RK121",
    severity: "warning",
    message: '"@{name}" stands before no method and has no effect.',
    advice: "Put annotations on the line above the method they belong to.",
  },
  "text-after-nul": {
    code: "RK122",
    severity: "warning",
    message: "A NUL character ends the file here; what follows is not read.",
    advice: "Remove the NUL character.",
  },
  "map-without-value": {
    code: "RK123",
    severity: "warning",
    message: "The map has no value type.",
    advice: "Write map<K,V>, as map<string,any>.",
  },
  "hash-in-string": {
    code: "RK124",
    severity: "warning",
    message: 'webrpc also reads what follows "#" in a string as a comment of this line.',
    advice: 'Say it without "#".',
  },
  "annotations-hide-docs": {
    code: "RK125",
    severity: "warning",
    message:
      'webrpc loses the comment above "{method}", because two lines of annotations stand between them.',
    advice: "Put all annotations of a method on one line.",
  },
  "comment-after-meta": {
    code: "RK126",
    severity: "warning",
    message: "webrpc gives a comment after a meta line to the next field.",
    advice: "Put the comment above the field.",
  },
  "succinct-swallows": {
    code: "RK127",
    severity: "warning",
    message: "webrpc skips the {what} that follows a succinct argument without a blank.",
    advice: "Put a blank after the closing parenthesis.",
  },
  "blank-line-needed": {
    code: "RK128",
    severity: "error",
    message: 'webrpc reads "{word}" as part of the succinct method above.',
    advice: "Put an empty line between them.",
  },
  "missing-dash": {
    code: "RK129",
    severity: "error",
    message: '"-" is missing before "{word}".',
    advice: 'Every field, enum value and method starts with "- ".',
  },
  "missing-plus": {
    code: "RK130",
    severity: "error",
    message: '"+" is missing before "{word}".',
    advice: 'What is said of a field stands below it, in lines that start with "+ ".',
  },
} as const;
