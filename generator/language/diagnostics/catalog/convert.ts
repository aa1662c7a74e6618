import type { Examples } from "./entry.ts";

const head: readonly string[] = ["webrpc = v1", "name = shop"];

/** Conversion between formats: RK650 to RK679. */
export const convert = {
  "convert-unsayable": {
    code: "RK650",
    severity: "error",
    message: "{what} cannot be written in {form}: {why}.",
    rule: "The target format can express everything that is converted.",
    reason: "Otherwise, the conversion would change a value.",
    examples: (): Examples => ({
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
    }),
  },
  "convert-loses": {
    code: "RK651",
    severity: "error",
    message: "{form} cannot hold {what}.",
    advice: "Remove it first, or accept the loss with --lossy.",
    rule: "A conversion never drops anything silently.",
    reason: "IR JSON has no place for private comments or for the documentation of enums and errors.",
    examples: (): Examples => ({
      bad: {
        files: { "api.ridl": [...head, "# A kind of pet.", "enum Kind: string", "  - cat"] },
        commands: ["ridlkit convert api.ridl --to ir"],
      },
      good: {
        files: { "api.ridl": [...head, "# A pet.", "struct Pet"] },
        commands: ["ridlkit convert api.ridl -o api.json", "ridlkit lint api.json"],
      },
    }),
  },
  "convert-differs": {
    code: "RK652",
    severity: "error",
    message: "{what} would be different when it is read back from {form}.",
    rule: "A converted schema has the same IR when it is read back.",
    reason:
      "An IR file can hold values that no schema text can express, such as a meta value that is a number.",
    examples: (): Examples => ({
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
    }),
  },
  "convert-order": {
    code: "RK653",
    severity: "warning",
    message:
      'RIDL lists aliases, then enums, then structs, so "{name}" moves in the IR and the schema hash changes.',
    advice: "To keep the hash, put the types into that order first.",
    rule: "RIDL lists types in its own order: aliases, enums, structs.",
    reason: "The IR has the same order, and the schema hash is computed from the IR.",
    examples: (): Examples => ({
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
    }),
  },
} as const;
