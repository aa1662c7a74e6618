import type { declarations as codes } from "../catalog/declarations.ts";
import type { Explanations } from "./explanation.ts";

/** Header lines, types, fields and enum values. */
export const declarations: Explanations<keyof typeof codes> = {
  "webrpc-version": {
    rule: 'A file says "webrpc = v1".',
    reason: "It is the version of the language, and there is no other.",
    bad: { files: { "api.ridl": ["webrpc = v2", "name = shop"] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
  },
  "webrpc-missing": {
    rule: 'Every file says "webrpc = v1", an imported one too.',
    reason: "webrpc refuses a file that does not.",
    bad: { files: { "api.ridl": ["name = shop", "struct Order"] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop", "struct Order"] } },
  },
  "duplicate-header": {
    rule: "A header line stands once.",
    reason: "Which of two counts would be anybody's guess; webrpc refuses them.",
    bad: { files: { "api.ridl": ["webrpc = v1", "name = shop", "name = store"] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
  },
  "version-required": {
    rule: "A schema with services has a version.",
    reason: "Clients and servers tell each other which one they were made from.",
    bad: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "basepath = /rpc", "service Shop", "  - Buy(id: uint64)"],
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
  },
  basepath: {
    rule: "The basepath is a plain path.",
    reason: "The path of every method starts with it; the host is the client's affair.",
    bad: { files: { "api.ridl": ["webrpc = v1", "name = shop", 'basepath = "https://shop.example/rpc"'] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop", "basepath = /rpc"] } },
  },
  "basepath-missing": {
    rule: "A schema with services says where they stand.",
    reason: 'webrpc assumes "/rpc/", and whoever reads the schema cannot know.',
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
  },
  "type-name": {
    rule: "The name of a type starts with an upper case letter from A to Z.",
    reason: "It is how types are told from the built-in ones, which start with a lower case letter.",
    bad: ["struct order"],
    good: ["struct Order"],
  },
  "duplicate-type": {
    rule: "A name stands for one type.",
    reason: "Structs, enums and aliases share their names, imported ones included.",
    bad: ["struct Order", "  - id: uint64", "enum Order: uint8", "  - NEW"],
    good: ["struct Order", "  - id: uint64", "enum OrderState: uint8", "  - NEW"],
  },
  "type-case": {
    rule: "Two types differ in more than letter case.",
    reason: "Files and identifiers that are made from them would fall together in some languages.",
    bad: ["struct NftToken", "struct NFTToken"],
    good: ["struct NftToken", "struct NftTokenInfo"],
  },
  "unknown-type": {
    rule: "Every type that is named is built in, or declared in the file or in one that it imports.",
    reason: "Nothing can be generated for a type that nobody describes.",
    bad: ["struct Order", "  - buyer: Usr", "struct User", "  - id: uint64"],
    good: ["struct Order", "  - buyer: User", "struct User", "  - id: uint64"],
  },
  "map-key": {
    rule: "The key of a map is string, an integer type, or an enum.",
    reason: "Keys of JSON objects are text, and these are the types whose text is plain.",
    bad: ["struct Order", "  - paid: map<bool,uint64>"],
    good: ["struct Order", "  - paid: map<string,uint64>"],
  },
  "field-name": {
    rule: 'The name of a field or an enum value is letters, digits and "_", and starts with a letter.',
    reason: "It becomes an identifier in every language.",
    bad: ["struct Order", "  - first-name: string"],
    good: ["struct Order", "  - firstName: string"],
  },
  "duplicate-field": {
    rule: "A struct has each field once, an enum each name.",
    reason: "A JSON object has one value for a key.",
    bad: ["struct Order", "  - id: uint64", "  - id: string"],
    good: ["struct Order", "  - id: uint64", "  - note: string"],
  },
  "field-case": {
    rule: "Two fields of a type differ in more than letter case.",
    reason: "Go's reader of JSON takes both for the same, and identifiers fall together in some languages.",
    bad: ["struct Order", "  - orderId: uint64", "  - orderID: uint64"],
    good: ["struct Order", "  - orderId: uint64", "  - oldOrderId: uint64"],
  },
  "json-name": {
    rule: 'The json name of a field is letters, digits and "_", starting with a letter, or "-" for a field that stays on the server.',
    reason: "What else Go's encoder understands is a matter of its own tag.",
    bad: ["struct Order", "  - id: uint64", "    + json = id,omitempty"],
    good: [
      "struct Order",
      "  - id: uint64",
      "    + json = order_id",
      '    + go.tag.json = "order_id,omitempty"',
    ],
  },
  "duplicate-json-name": {
    rule: "Two fields of a struct have two json names.",
    reason: "A JSON object has one value for a key.",
    bad: ["struct Order", "  - id: uint64", "  - number: uint64", "    + json = id"],
    good: ["struct Order", "  - id: uint64", "  - number: uint64", "    + json = no"],
  },
  "enum-base": {
    rule: "An enum is based on string or an integer type.",
    reason: "Values of other types cannot be told apart exactly.",
    bad: ["enum Size: float64", "  - BIG"],
    good: ["enum Size: uint8", "  - BIG"],
  },
  "duplicate-enum-value": {
    rule: "Two values of an enum differ.",
    reason:
      "A value left out is the place in the list, counted from 0, and not one more than the value before.",
    bad: ["enum Size: uint8", "  - SMALL = 1", "  - BIG"],
    good: ["enum Size: uint8", "  - SMALL = 1", "  - BIG = 2"],
  },
  "enum-value": {
    rule: "A value of an integer enum is an integer that its base can hold.",
    reason: "webrpc passes anything on, and the generated code does not compile or cuts the value.",
    bad: ["enum Size: uint8", "  - BIG = 256"],
    good: ["enum Size: uint16", "  - BIG = 256"],
  },
  "type-name-characters": {
    rule: 'The name of a type is letters, digits and "_".',
    reason: "webrpc lets other characters pass, and generated code does not compile.",
    bad: ["struct Order.Line"],
    good: ["struct OrderLine"],
  },
  "alias-cycle": {
    rule: "An alias stands, in the end, for a type of its own.",
    reason: "Aliases that stand for each other have no values.",
    bad: ["type Id: Key", "type Key: Id"],
    good: ["type Id: Key", "type Key: uint64"],
  },
  "endless-struct": {
    rule: "A struct does not need itself.",
    reason:
      "A value of it would never end: somewhere on the way round there has to be an optional field, a list or a map.",
    bad: ["struct Node", "  - next: Node"],
    good: ["struct Node", "  - next?: Node"],
  },
  "alias-key-order": {
    rule: "An alias that is the key of a map is declared above the alias with that map.",
    reason: "webrpc reads aliases from top to bottom, and crashes on a key that it has not met yet.",
    bad: ["enum Size: uint8", "  - BIG", "type Stock: map<Key,uint64>", "type Key: Size"],
    good: ["enum Size: uint8", "  - BIG", "type Key: Size", "type Stock: map<Key,uint64>"],
  },
};
