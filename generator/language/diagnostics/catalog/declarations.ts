import type { Examples } from "./entry.ts";

/** Header lines, types, fields and enum values; together with `services` RK300 to RK399. */
export const declarations = {
  "webrpc-version": {
    code: "RK301",
    severity: "error",
    message: '"webrpc = {found}" is not supported.',
    advice: 'Write "webrpc = v1", the only version.',
    inYaml: {
      message: '"webrpc: {found}" is not supported.',
      advice: 'Write "webrpc: v1", the only version.',
    },
    rule: 'A file declares "webrpc = v1".',
    reason: "This is the version of the language, and there is no other.",
    examples: (): Examples => ({
      bad: { files: { "api.ridl": ["webrpc = v2", "name = shop"] } },
      good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
    }),
  },
  "duplicate-header": {
    code: "RK302",
    severity: "error",
    message: '"{key}" is set twice.',
    rule: "A header line appears once.",
    reason: "webrpc rejects duplicates, because it is unclear which value counts.",
    examples: (): Examples => ({
      bad: { files: { "api.ridl": ["webrpc = v1", "name = shop", "name = store"] } },
      good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
    }),
  },
  "version-required": {
    code: "RK303",
    severity: "error",
    message: "A schema with services needs a version.",
    advice: 'Add a line such as "version = v1.0.0".',
    inYaml: { advice: 'Add a line such as "version: v1.0.0".' },
    rule: "A schema with services has a version.",
    reason: "Clients and servers send each other the version that they were generated from.",
    examples: (): Examples => ({
      bad: {
        files: {
          "api.ridl": [
            "webrpc = v1",
            "name = shop",
            "basepath = /rpc",
            "service Shop",
            "  - Buy(id: uint64)",
          ],
        },
      },
      good: {
        files: {
          "api.ridl": [
            "webrpc = v1",
            "name = shop",
            "version = v1",
            "basepath = /rpc",
            "service Shop",
            "  - Buy(id: uint64)",
          ],
        },
      },
    }),
  },
  basepath: {
    code: "RK304",
    severity: "error",
    message: 'The basepath "{value}" {reason}.',
    advice: 'Write a plain path, such as "basepath = /rpc".',
    inYaml: { advice: 'Write a plain path, such as "basepath: /rpc".' },
    rule: "The basepath is a plain path.",
    reason: "The path of every method starts with it. Clients configure the host themselves.",
    examples: (): Examples => ({
      bad: { files: { "api.ridl": ["webrpc = v1", "name = shop", 'basepath = "https://shop.example/rpc"'] } },
      good: { files: { "api.ridl": ["webrpc = v1", "name = shop", "basepath = /rpc"] } },
    }),
  },
  "basepath-missing": {
    code: "RK305",
    severity: "warning",
    message: 'The schema has services but no basepath, so "/rpc/" is assumed.',
    advice: 'Add the line "basepath = /rpc".',
    inYaml: { advice: 'Add the line "basepath: /rpc".' },
    rule: "A schema with services has a basepath.",
    reason: 'webrpc assumes "/rpc/", which readers of the schema cannot see.',
    examples: (): Examples => ({
      bad: {
        files: {
          "api.ridl": ["webrpc = v1", "name = shop", "version = v1", "service Shop", "  - Buy(id: uint64)"],
        },
      },
      good: {
        files: {
          "api.ridl": [
            "webrpc = v1",
            "name = shop",
            "version = v1",
            "basepath = /rpc",
            "service Shop",
            "  - Buy(id: uint64)",
          ],
        },
      },
    }),
  },
  "type-name": {
    code: "RK306",
    severity: "error",
    message: 'The type name "{name}" must start with an uppercase letter (A to Z).',
    rule: "The name of a type starts with an uppercase letter (A to Z).",
    reason: "Built-in types start with a lowercase letter.",
    examples: (): Examples => ({
      bad: ["struct order"],
      good: ["struct Order"],
    }),
  },
  "duplicate-type": {
    code: "RK307",
    severity: "error",
    message: 'The type "{name}" is declared twice.',
    rule: "Every type has its own name.",
    reason: "Structs, enums and aliases share one namespace, including imported types.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - id: uint64", "enum Order: uint8", "  - NEW"],
      good: ["struct Order", "  - id: uint64", "enum OrderState: uint8", "  - NEW"],
    }),
  },
  "unknown-type": {
    code: "RK308",
    severity: "error",
    message: 'There is no type "{name}".',
    rule: "Every type is built in, declared in the file, or imported.",
    reason: "Nothing can be generated for an undeclared type.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - buyer: Usr", "struct User", "  - id: uint64"],
      good: ["struct Order", "  - buyer: User", "struct User", "  - id: uint64"],
    }),
  },
  "map-key": {
    code: "RK309",
    severity: "error",
    message: '"{key}" cannot be the key of a map.',
    advice: "Use string, an integer type or an enum.",
    rule: "The key of a map is string, an integer type or an enum.",
    reason: "Keys of JSON objects are text, and only these types have one clear text form.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - paid: map<bool,uint64>"],
      good: ["struct Order", "  - paid: map<string,uint64>"],
    }),
  },
  "field-name": {
    code: "RK310",
    severity: "error",
    message: 'The name "{name}" must consist of letters, digits and "_", and start with a letter.',
    rule: 'The name of a field or an enum value consists of letters, digits and "_", and starts with a letter.',
    reason: "It becomes an identifier in every language.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - first-name: string"],
      good: ["struct Order", "  - firstName: string"],
    }),
  },
  "duplicate-field": {
    code: "RK311",
    severity: "error",
    message: '"{type}" has two {kind} named "{name}".',
    rule: "A struct has each field once, and an enum each value.",
    reason: "A JSON object has one value per key.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - id: uint64", "  - id: string"],
      good: ["struct Order", "  - id: uint64", "  - note: string"],
    }),
  },
  "json-name": {
    code: "RK312",
    severity: "error",
    message:
      'The JSON name "{value}" must be "-", or consist of letters, digits and "_" and start with a letter.',
    advice: "Put options of Go's JSON encoder into the meta key go.tag.json.",
    rule: 'The JSON name of a field or an enum value consists of letters, digits and "_" and starts with a letter; "-" keeps a field on the server.',
    reason: "Options of Go's JSON encoder belong in go.tag.json.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - id: uint64", "    + json = id,omitempty"],
      good: [
        "struct Order",
        "  - id: uint64",
        "    + json = order_id",
        '    + go.tag.json = "order_id,omitempty"',
      ],
    }),
  },
  "duplicate-json-name": {
    code: "RK313",
    severity: "error",
    message: 'Two {kind} of "{type}" have the JSON name "{name}".',
    rule: "Every field of a struct has its own JSON name.",
    reason: "A JSON object has one value per key.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - id: uint64", "  - number: uint64", "    + json = id"],
      good: ["struct Order", "  - id: uint64", "  - number: uint64", "    + json = no"],
    }),
  },
  "enum-base": {
    code: "RK314",
    severity: "error",
    message: 'The enum "{name}" cannot be based on "{base}".',
    advice: "Use string or an integer type, such as uint8.",
    rule: "An enum is based on string or an integer type.",
    reason: "Values of other types cannot be compared exactly.",
    examples: (): Examples => ({
      bad: ["enum Size: float64", "  - BIG"],
      good: ["enum Size: uint8", "  - BIG"],
    }),
  },
  "alias-cycle": {
    code: "RK332",
    severity: "warning",
    message: "The alias refers to itself: {path}.",
    advice: "Point one of these aliases to a type that is not an alias.",
    rule: "An alias leads to a type that is not an alias, directly or through other aliases.",
    reason: "A type that consists only of aliases has no values.",
    examples: (): Examples => ({
      bad: ["type Id: Key", "type Key: Id"],
      good: ["type Id: Key", "type Key: uint64"],
    }),
  },
  "duplicate-enum-value": {
    code: "RK333",
    severity: "error",
    referenceAccepts: true,
    message: 'The value {value} is already used by "{other}", which webrpc rejects since v0.48.',
    advice:
      "A value without a number gets its position in the list, counted from 0, not the previous number plus one.",
    rule: "All values of an enum are different.",
    reason:
      "A value without a number gets its position in the list, counted from 0, not the previous number plus one.",
    examples: (): Examples => ({
      bad: ["enum Size: uint8", "  - SMALL = 1", "  - BIG"],
      good: ["enum Size: uint8", "  - SMALL = 1", "  - BIG = 2"],
    }),
  },
  "enum-value": {
    code: "RK334",
    severity: "warning",
    message: '"{value}" is not a valid {base} value.',
    rule: "Every number of an integer enum fits its base type.",
    reason: "webrpc passes on any text, and the generated code then does not compile or truncates the value.",
    examples: (): Examples => ({
      bad: ["enum Size: uint8", "  - BIG = 256"],
      good: ["enum Size: uint16", "  - BIG = 256"],
    }),
  },
  "type-name-characters": {
    code: "RK336",
    severity: "warning",
    message: 'The name "{name}" should consist of letters, digits and "_".',
    advice: "Generators turn it into an identifier.",
    rule: 'The name of a type consists of letters, digits and "_".',
    reason: "webrpc accepts other characters, but the generated code does not compile.",
    examples: (): Examples => ({
      bad: ["struct Order.Line"],
      good: ["struct OrderLine"],
    }),
  },
  "endless-struct": {
    code: "RK337",
    severity: "warning",
    message: "No value of this struct is finite, because the struct requires itself: {path}.",
    advice: 'Make one of the fields optional, such as "next?: Node".',
    rule: "A struct does not require itself.",
    reason:
      "Its values would be infinitely large. At least one step of the cycle has to be an optional field, or a list or a map that may be empty. A group (oneOf) needs a field outside of the cycle, and kinds (when) a value that requires no field of it.",
    examples: (): Examples => ({
      bad: ["struct Node", "  - next: Node"],
      good: ["struct Node", "  - next?: Node"],
    }),
  },
  "alias-key-order": {
    code: "RK340",
    severity: "error",
    message: 'The alias "{alias}" has the map key "{key}", an alias that is declared below it.',
    advice: "Move the declaration of the key above this alias; otherwise, webrpc crashes.",
    rule: "An alias that is used as a map key is declared above the alias that uses it.",
    reason: "webrpc reads aliases from top to bottom, and crashes on a key that is not declared yet.",
    examples: (): Examples => ({
      bad: ["enum Size: uint8", "  - BIG", "type Stock: map<Key,uint64>", "type Key: Size"],
      good: ["enum Size: uint8", "  - BIG", "type Key: Size", "type Stock: map<Key,uint64>"],
    }),
  },
  "type-case": {
    code: "RK341",
    severity: "error",
    message: 'The type "{name}" differs from "{other}" only in letter case.',
    rule: "The names of two types differ in more than letter case.",
    reason: "Files and identifiers generated from them would collide in some languages.",
    examples: (): Examples => ({
      bad: ["struct NftToken", "struct NFTToken"],
      good: ["struct NftToken", "struct NftTokenInfo"],
    }),
  },
  "field-case": {
    code: "RK342",
    severity: "error",
    message: 'The {kind} "{other}" and "{name}" of "{type}" differ only in letter case.',
    rule: "The names of two fields differ in more than letter case.",
    reason: "Go's JSON decoder treats both as the same field, and identifiers collide in some languages.",
    examples: (): Examples => ({
      bad: ["struct Order", "  - orderId: uint64", "  - orderID: uint64"],
      good: ["struct Order", "  - orderId: uint64", "  - oldOrderId: uint64"],
    }),
  },
  "enum-json-on-text": {
    code: "RK351",
    severity: "error",
    message: '"{value}" cannot have a JSON name, because the values of "{name}" are already text.',
    advice: 'Write the text as the value, such as "- dog = hund".',
    inYaml: { advice: "Write the text as the value, such as dog: hund." },
    rule: "Only values of an enum of integers have a JSON name.",
    reason: "In JSON, a value of a string enum is its text.",
    examples: (): Examples => ({
      bad: ["enum Pet: string", "  - CAT", "    + json = cat"],
      good: ["enum Pet: string", "  - CAT = cat"],
    }),
  },
  "webrpc-missing": {
    code: "RK346",
    severity: "error",
    message: 'The line "webrpc = v1" is missing.',
    advice: 'Every file needs "webrpc = v1", including imported files.',
    inYaml: {
      message: 'The line "webrpc: v1" is missing.',
      advice: 'Every file needs "webrpc: v1", including imported files.',
    },
    rule: 'Every file declares "webrpc = v1", including imported files.',
    reason: "webrpc rejects files without this line.",
    examples: (): Examples => ({
      bad: { files: { "api.ridl": ["name = shop", "struct Order"] } },
      good: { files: { "api.ridl": ["webrpc = v1", "name = shop", "struct Order"] } },
    }),
  },
} as const;
