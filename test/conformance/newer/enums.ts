import type { NewerRow } from "./rows.ts";

/** `+ json` on values of integer enums, since v0.47. */
export const enumRows: readonly NewerRow[] = [
  ["a name in JSON", "enum Kind: uint32\n  - User\n    + json = USER\n  - Admin\n"],
  ["a name in JSON of a value with a number", "enum Kind: int8\n  - User = 3\n    + json = USER\n"],
  ["a quoted name", 'enum Kind: uint8\n  - User\n    + json = "the user"\n'],
  ["a name that is no identifier", "enum Kind: uint8\n  - User\n    + json = the-user\n"],
  ["its own name", "enum Kind: uint8\n  - User\n    + json = User\n"],
  ["names that swap", "enum Kind: uint8\n  - A\n    + json = B\n  - B\n    + json = A\n"],
  ["the freed name of another value", "enum Kind: uint8\n  - A\n    + json = C\n  - B\n    + json = A\n"],
  ["a key of another tool", "enum Kind: uint8\n  - User\n    + go.tag.db = user\n"],
  ["an unknown key", "enum Kind: uint8\n  - User\n    + colour = red\n"],
  [
    "several keys",
    "enum Kind: uint8\n  - User\n    + json = USER\n    + colour = red\n    + go.tag.db = user\n",
  ],
  ["a key of another tool in a string enum", "enum Kind: string\n  - User\n    + colour = red\n"],
  [
    "a comment above the key",
    "enum Kind: uint8\n  # a user\n  - User\n    # on the wire\n    + json = USER\n",
  ],
  ["a blank line before the key", "enum Kind: uint8\n  - User\n\n    + json = USER\n\n  - Admin\n"],
  ["on the line of the value", "enum Kind: uint8\n  - User + json = USER\n"],
  ["no blanks", "enum Kind: uint8\n  -User\n    +json=USER\n"],
  ["no line break at the end", "enum Kind: uint8\n  - User\n    + json = USER"],
  [
    "a map with the enum as key",
    "enum Kind: uint8\n  - User\n    + json = USER\nstruct T\n  - by: map<Kind,bool>\n",
  ],
  [
    "a default by its name",
    "enum Kind: uint8\n  - User\n    + json = USER\nstruct T\n  - kind?: Kind\n    + default = User\n",
  ],
  [
    "a default by its name in JSON",
    "enum Kind: uint8\n  - User\n    + json = USER\nstruct T\n  - kind?: Kind\n    + default = USER\n",
  ],
  [
    "a default that no value has",
    "enum Kind: uint8\n  - User\n    + json = USER\nstruct T\n  - kind?: Kind\n    + default = user\n",
    "RK408",
  ],
  ["a string enum", "enum Kind: string\n  - User\n    + json = USER\n", "RK351"],
  ["a string enum with a value", "enum Kind: string\n  - User = user\n    + json = USER\n", "RK351"],
  ["no name", "enum Kind: uint8\n  - User\n    + json =\n", "RK106"],
  ["an empty name", 'enum Kind: uint8\n  - User\n    + json = ""\n', "RK107"],
  ["the name of another value", "enum Kind: uint8\n  - User\n    + json = Admin\n  - Admin\n", "RK313"],
  ["the name of an earlier value", "enum Kind: uint8\n  - Admin\n  - User\n    + json = Admin\n", "RK313"],
  ["one name twice", "enum Kind: uint8\n  - A\n    + json = C\n  - B\n    + json = C\n", "RK313"],
  ["one name in two cases", "enum Kind: uint8\n  - A\n    + json = c\n  - B\n    + json = C\n", "RK313"],
  ["two keys", "enum Kind: uint8\n  - A\n    + json = B\n    + json = C\n", "RK404"],
  ["a misspelt key", "enum Kind: uint8\n  - A\n    + jsn = B\n", "RK401"],
  ["a key of fields", "enum Kind: uint8\n  - A\n    + deprecated = gone\n", "RK403"],
  ["above the first value", "enum Kind: uint8\n  + json = B\n  - A\n", "RK101"],
  ["no plus", "enum Kind: uint8\n  - A\n    json = B\n", "RK130"],
  ["no key", "enum Kind: uint8\n  - A\n    + = B\n", "RK101"],
  ["no equals sign", "enum Kind: uint8\n  - A\n    + json B\n", "RK101"],
];
