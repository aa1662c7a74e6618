import type { ir as codes } from "../catalog/ir.ts";
import type { Example, Explanations } from "./explanation.ts";

/** An IR file with the JSON of its types and services. */
function irFile(types: string, services = "[]"): Example {
  return {
    files: {
      "api.json": [
        "{",
        '  "webrpc": "v1", "name": "shop", "version": "v1", "basepath": "/rpc/",',
        `  "types": ${types},`,
        '  "errors": [],',
        `  "services": ${services}`,
        "}",
      ],
    },
  };
}

const struct = '[{ "kind": "struct", "name": "Order", "fields": [{ "name": "id", "type": "uint64" }] }]';
const side =
  '"inputs": [{ "name": "ask", "type": "Order" }], "outputs": [{ "name": "answer", "type": "Order" }]';
const method = (rest: string): string =>
  `[{ "name": "Shop", "methods": [{ "name": "Buy", "annotations": {}, ${rest} }] }]`;

export const ir: Explanations<keyof typeof codes> = {
  "json-syntax": {
    rule: "An IR file is JSON.",
    reason: "Comments and trailing commas are not allowed in JSON.",
    bad: { files: { "api.json": ['{ "webrpc": "v1", }'] } },
    good: irFile(struct),
  },
  "ir-shape": {
    rule: "Every value of an IR file has the type that the IR requires.",
    reason: "webrpc reads the file into fixed types, and rejects other values.",
    bad: irFile('"none"'),
    good: irFile(struct),
  },
  "ir-type-kind": {
    rule: "A type of the IR is an enum, a struct or an alias.",
    reason: "Generators support no other kind.",
    bad: irFile('[{ "kind": "union", "name": "Order", "fields": [{ "name": "id", "type": "uint64" }] }]'),
    good: irFile(struct),
  },
  "ir-missing": {
    rule: "Every part of the IR is complete: an enum value has a value, an alias and a field have a type.",
    reason: "These parts have no default.",
    bad: irFile('[{ "kind": "enum", "name": "Size", "type": "string", "fields": [{ "name": "BIG" }] }]'),
    good: irFile(
      '[{ "kind": "enum", "name": "Size", "type": "string", "fields": [{ "name": "BIG", "value": "big" }] }]',
    ),
  },
  "ir-unwanted": {
    rule: "Every part of the IR has only the properties of its kind.",
    reason: "For example, a field with a value was probably meant to be something else.",
    bad: irFile(
      '[{ "kind": "struct", "name": "Order", "fields": [{ "name": "id", "type": "uint64", "value": "1" }] }]',
    ),
    good: irFile(struct),
  },
  "ir-succinct": {
    rule: "A succinct method has one argument on each side.",
    reason: "The argument is the whole body.",
    bad: irFile(
      struct,
      method(
        '"succinct": true, "inputs": [{ "name": "ask", "type": "Order" }, { "name": "more", "type": "Order" }], "outputs": [{ "name": "answer", "type": "Order" }]',
      ),
    ),
    good: irFile(struct, method(`"succinct": true, ${side}`)),
  },
};
