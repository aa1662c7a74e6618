import type { declarations as codes } from "../catalog/declarations.ts";
import type { Explanations } from "./explanation.ts";

/** Header lines, types, fields and enum values. */
export const declarations: Explanations<keyof typeof codes> = {
  "webrpc-version": {
    rule: 'A file declares "webrpc = v1".',
    reason: "This is the version of the language, and there is no other.",
    bad: { files: { "api.ridl": ["webrpc = v2", "name = shop"] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
  },
  "webrpc-missing": {
    rule: 'Every file declares "webrpc = v1", including imported files.',
    reason: "webrpc rejects files without this line.",
    bad: { files: { "api.ridl": ["name = shop", "struct Order"] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop", "struct Order"] } },
  },
  "duplicate-header": {
    rule: "A header line appears once.",
    reason: "webrpc rejects duplicates, because it is unclear which value counts.",
    bad: { files: { "api.ridl": ["webrpc = v1", "name = shop", "name = store"] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
  },
  "version-required": {
    rule: "A schema with services has a version.",
    reason: "Clients and servers send each other the version that they were generated from.",
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
    reason: "The path of every method starts with it. Clients configure the host themselves.",
    bad: { files: { "api.ridl": ["webrpc = v1", "name = shop", 'basepath = "https://shop.example/rpc"'] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop", "basepath = /rpc"] } },
  },
  "basepath-missing": {
    rule: "A schema with services has a basepath.",
    reason: 'webrpc assumes "/rpc/", which readers of the schema cannot see.',
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
    rule: "The name of a type starts with an uppercase letter (A to Z).",
    reason: "Built-in types start with a lowercase letter.",
    bad: ["struct order"],
    good: ["struct Order"],
  },
  "duplicate-type": {
    rule: "Every type has its own name.",
    reason: "Structs, enums and aliases share one namespace, including imported types.",
    bad: ["struct Order", "  - id: uint64", "enum Order: uint8", "  - NEW"],
    good: ["struct Order", "  - id: uint64", "enum OrderState: uint8", "  - NEW"],
  },
  "type-case": {
    rule: "The names of two types differ in more than letter case.",
    reason: "Files and identifiers generated from them would collide in some languages.",
    bad: ["struct NftToken", "struct NFTToken"],
    good: ["struct NftToken", "struct NftTokenInfo"],
  },
  "unknown-type": {
    rule: "Every type is built in, declared in the file, or imported.",
    reason: "Nothing can be generated for an undeclared type.",
    bad: ["struct Order", "  - buyer: Usr", "struct User", "  - id: uint64"],
    good: ["struct Order", "  - buyer: User", "struct User", "  - id: uint64"],
  },
  "map-key": {
    rule: "The key of a map is string, an integer type or an enum.",
    reason: "Keys of JSON objects are text, and only these types have one clear text form.",
    bad: ["struct Order", "  - paid: map<bool,uint64>"],
    good: ["struct Order", "  - paid: map<string,uint64>"],
  },
  "field-name": {
    rule: 'The name of a field or an enum value consists of letters, digits and "_", and starts with a letter.',
    reason: "It becomes an identifier in every language.",
    bad: ["struct Order", "  - first-name: string"],
    good: ["struct Order", "  - firstName: string"],
  },
  "duplicate-field": {
    rule: "A struct has each field once, and an enum each value.",
    reason: "A JSON object has one value per key.",
    bad: ["struct Order", "  - id: uint64", "  - id: string"],
    good: ["struct Order", "  - id: uint64", "  - note: string"],
  },
  "field-case": {
    rule: "The names of two fields differ in more than letter case.",
    reason: "Go's JSON decoder treats both as the same field, and identifiers collide in some languages.",
    bad: ["struct Order", "  - orderId: uint64", "  - orderID: uint64"],
    good: ["struct Order", "  - orderId: uint64", "  - oldOrderId: uint64"],
  },
  "json-name": {
    rule: 'The JSON name of a field consists of letters, digits and "_" and starts with a letter; "-" keeps the field on the server.',
    reason: "Options of Go's JSON encoder belong in go.tag.json.",
    bad: ["struct Order", "  - id: uint64", "    + json = id,omitempty"],
    good: [
      "struct Order",
      "  - id: uint64",
      "    + json = order_id",
      '    + go.tag.json = "order_id,omitempty"',
    ],
  },
  "duplicate-json-name": {
    rule: "Every field of a struct has its own JSON name.",
    reason: "A JSON object has one value per key.",
    bad: ["struct Order", "  - id: uint64", "  - number: uint64", "    + json = id"],
    good: ["struct Order", "  - id: uint64", "  - number: uint64", "    + json = no"],
  },
  "enum-json-on-text": {
    rule: "Only values of an enum of integers have a JSON name.",
    reason: "In JSON, a value of a string enum is its text.",
    bad: ["enum Pet: string", "  - CAT", "    + json = cat"],
    good: ["enum Pet: string", "  - CAT = cat"],
  },
  "enum-json-empty": {
    rule: "The JSON name of an enum value is not empty.",
    reason: "Only YAML can write an empty name, and no caller would recognise it.",
    bad: {
      files: {
        "shop.yaml": [
          "webrpc: v1",
          "name: shop",
          "types:",
          "  Pet:",
          "    enum: uint8",
          '    values: { CAT: { json: "" } }',
        ],
      },
    },
    good: {
      files: {
        "shop.yaml": [
          "webrpc: v1",
          "name: shop",
          "types:",
          "  Pet:",
          "    enum: uint8",
          "    values: { CAT: { json: cat } }",
        ],
      },
    },
  },
  "enum-base": {
    rule: "An enum is based on string or an integer type.",
    reason: "Values of other types cannot be compared exactly.",
    bad: ["enum Size: float64", "  - BIG"],
    good: ["enum Size: uint8", "  - BIG"],
  },
  "duplicate-enum-value": {
    rule: "All values of an enum are different.",
    reason:
      "A value without a number gets its position in the list, counted from 0, not the previous number plus one.",
    bad: ["enum Size: uint8", "  - SMALL = 1", "  - BIG"],
    good: ["enum Size: uint8", "  - SMALL = 1", "  - BIG = 2"],
  },
  "enum-value": {
    rule: "Every number of an integer enum fits its base type.",
    reason: "webrpc passes on any text, and the generated code then does not compile or truncates the value.",
    bad: ["enum Size: uint8", "  - BIG = 256"],
    good: ["enum Size: uint16", "  - BIG = 256"],
  },
  "type-name-characters": {
    rule: 'The name of a type consists of letters, digits and "_".',
    reason: "webrpc accepts other characters, but the generated code does not compile.",
    bad: ["struct Order.Line"],
    good: ["struct OrderLine"],
  },
  "alias-cycle": {
    rule: "An alias leads to a type that is not an alias, directly or through other aliases.",
    reason: "A type that consists only of aliases has no values.",
    bad: ["type Id: Key", "type Key: Id"],
    good: ["type Id: Key", "type Key: uint64"],
  },
  "endless-struct": {
    rule: "A struct does not require itself.",
    reason:
      "Its values would be infinitely large. At least one step of the cycle has to be an optional field, a list or a map.",
    bad: ["struct Node", "  - next: Node"],
    good: ["struct Node", "  - next?: Node"],
  },
  "alias-key-order": {
    rule: "An alias that is used as a map key is declared above the alias that uses it.",
    reason: "webrpc reads aliases from top to bottom, and crashes on a key that is not declared yet.",
    bad: ["enum Size: uint8", "  - BIG", "type Stock: map<Key,uint64>", "type Key: Size"],
    good: ["enum Size: uint8", "  - BIG", "type Key: Size", "type Stock: map<Key,uint64>"],
  },
};
