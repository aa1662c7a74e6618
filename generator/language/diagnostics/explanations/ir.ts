import type { ir as codes } from "../catalog/ir.ts";
import type { Example, Explanations } from "./explanation.ts";

/** An IR file without services; `parts` are the lines of its types, errors and services. */
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
    reason: "Comments and trailing commas are not part of it.",
    bad: { files: { "api.json": ['{ "webrpc": "v1", }'] } },
    good: irFile(struct),
  },
  "ir-shape": {
    rule: "Every value of an IR file has the form that the IR gives it.",
    reason: "webrpc reads it into fixed types, and refuses what does not fit.",
    bad: irFile('"none"'),
    good: irFile(struct),
  },
  "ir-type-kind": {
    rule: "A type of the IR is an enum, a struct or an alias.",
    reason: "Generators know no other kind.",
    bad: irFile('[{ "kind": "union", "name": "Order", "fields": [{ "name": "id", "type": "uint64" }] }]'),
    good: irFile(struct),
  },
  "ir-missing": {
    rule: "A part of the IR has what its kind needs: an enum value its value, an alias its type, a field its type.",
    reason: "A part that is missing has no default.",
    bad: irFile('[{ "kind": "enum", "name": "Size", "type": "string", "fields": [{ "name": "BIG" }] }]'),
    good: irFile(
      '[{ "kind": "enum", "name": "Size", "type": "string", "fields": [{ "name": "BIG", "value": "big" }] }]',
    ),
  },
  "ir-unwanted": {
    rule: "A part of the IR has only what its kind knows.",
    reason: "A field has no value, so that one says it was meant as something else.",
    bad: irFile(
      '[{ "kind": "struct", "name": "Order", "fields": [{ "name": "id", "type": "uint64", "value": "1" }] }]',
    ),
    good: irFile(struct),
  },
  "ir-succinct": {
    rule: "A succinct method has one argument on each side.",
    reason: "Its body is that argument and nothing else.",
    bad: irFile(
      struct,
      method(
        '"succinct": true, "inputs": [{ "name": "ask", "type": "Order" }, { "name": "more", "type": "Order" }], "outputs": [{ "name": "answer", "type": "Order" }]',
      ),
    ),
    good: irFile(struct, method(`"succinct": true, ${side}`)),
  },
};
