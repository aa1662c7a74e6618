import type { convert as codes } from "../catalog/convert.ts";
import type { Explanations } from "./explanation.ts";

const head: readonly string[] = ["webrpc = v1", "name = shop"];

export const convert: Explanations<keyof typeof codes> = {
  "convert-unsayable": {
    rule: "What is converted can be said in the other form.",
    reason: "A value that is written in another way would be another value.",
    bad: {
      files: {
        "api.yaml": [
          "webrpc: v1",
          "name: shop",
          "types:",
          "  Sku:",
          "    type: string",
          "    pattern: '^\\d+$'",
        ],
      },
      commands: ["ridlkit convert api.yaml --to ridl"],
    },
    good: {
      files: {
        "api.yaml": [
          "webrpc: v1",
          "name: shop",
          "types:",
          "  Sku:",
          "    type: string",
          "    pattern: ^[0-9]+$",
        ],
      },
      commands: ["ridlkit convert api.yaml --to ridl -o api.ridl", "ridlkit lint api.ridl"],
    },
  },
  "convert-loses": {
    rule: "Nothing is dropped in silence.",
    reason: "IR JSON has no place for private comments, nor for docs of enums and errors.",
    bad: {
      files: { "api.ridl": [...head, "# A kind of pet.", "enum Kind: string", "  - cat"] },
      commands: ["ridlkit convert api.ridl --to ir"],
    },
    good: {
      files: { "api.ridl": [...head, "# A pet.", "struct Pet"] },
      commands: ["ridlkit convert api.ridl -o api.json", "ridlkit lint api.json"],
    },
  },
  "convert-differs": {
    rule: "What was converted has the same IR when it is read back.",
    reason: "An IR file can hold what no text can say, such as a meta value that is a number.",
    bad: {
      files: {
        "api.json": [
          "{",
          '  "webrpc": "v1",',
          '  "name": "shop",',
          '  "types": [{ "kind": "struct", "name": "Pet", "fields": [{ "name": "age", "type": "int", "meta": [{ "minimum": 0 }] }] }]',
          "}",
        ],
      },
      commands: ["ridlkit convert api.json --to ridl"],
    },
    good: {
      files: {
        "api.json": [
          "{",
          '  "webrpc": "v1",',
          '  "name": "shop",',
          '  "types": [{ "kind": "struct", "name": "Pet", "fields": [{ "name": "age", "type": "int", "meta": [{ "minimum": "0" }] }] }]',
          "}",
        ],
      },
      commands: ["ridlkit convert api.json --to ridl -o api.ridl", "ridlkit lint api.ridl"],
    },
  },
  "convert-order": {
    rule: "RIDL has its own order of types: aliases, enums, structs.",
    reason: "The IR lists them so, and the schema hash is that of the IR.",
    bad: {
      files: {
        "api.yaml": ["webrpc: v1", "name: shop", "types:", "  Pet: { fields: {} }", "  PetId: uint64"],
      },
      commands: ["ridlkit convert api.yaml --to ridl -o api.ridl"],
    },
    good: {
      files: {
        "api.yaml": ["webrpc: v1", "name: shop", "types:", "  PetId: uint64", "  Pet: { fields: {} }"],
      },
      commands: ["ridlkit convert api.yaml --to ridl -o api.ridl", "ridlkit lint api.ridl"],
    },
  },
};
