import type { Example, Examples } from "./entry.ts";

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

/** IR in JSON: RK500 to RK529. */
export const ir = {
  "json-syntax": {
    code: "RK501",
    severity: "error",
    message: "The file is not valid JSON: {reason}.",
    rule: "An IR file is JSON.",
    reason: "Comments and trailing commas are not allowed in JSON.",
    examples: (): Examples => ({
      bad: { files: { "api.json": ['{ "webrpc": "v1", }'] } },
      good: irFile(struct),
    }),
  },
  "ir-shape": {
    code: "RK502",
    severity: "error",
    message: "{path} must be {expected}, found {found}.",
    rule: "Every value of an IR file has the type that the IR requires.",
    reason: "webrpc reads the file into fixed types, and rejects other values.",
    examples: (): Examples => ({
      bad: irFile('"none"'),
      good: irFile(struct),
    }),
  },
  "ir-type-kind": {
    code: "RK503",
    severity: "error",
    message: 'The kind "{kind}" must be enum, struct or alias.',
    rule: "A type of the IR is an enum, a struct or an alias.",
    reason: "Generators support no other kind.",
    examples: (): Examples => ({
      bad: irFile('[{ "kind": "union", "name": "Order", "fields": [{ "name": "id", "type": "uint64" }] }]'),
      good: irFile(struct),
    }),
  },
  "ir-missing": {
    code: "RK504",
    severity: "error",
    message: "{of} has no {what}.",
    rule: "Every part of the IR is complete: an enum value has a value, an alias and a field have a type.",
    reason: "These parts have no default.",
    examples: (): Examples => ({
      bad: irFile('[{ "kind": "enum", "name": "Size", "type": "string", "fields": [{ "name": "BIG" }] }]'),
      good: irFile(
        '[{ "kind": "enum", "name": "Size", "type": "string", "fields": [{ "name": "BIG", "value": "big" }] }]',
      ),
    }),
  },
  "ir-unwanted": {
    code: "RK505",
    severity: "error",
    message: "{of} cannot have a {what}.",
    rule: "Every part of the IR has only the properties of its kind.",
    reason: "For example, a field with a value was probably meant to be something else.",
    examples: (): Examples => ({
      bad: irFile(
        '[{ "kind": "struct", "name": "Order", "fields": [{ "name": "id", "type": "uint64", "value": "1" }] }]',
      ),
      good: irFile(struct),
    }),
  },
  "ir-succinct": {
    code: "RK506",
    severity: "error",
    message: '"{method}" is succinct, but has more than one argument.',
    rule: "A succinct method has one argument on each side.",
    reason: "The argument is the whole body.",
    examples: (): Examples => ({
      bad: irFile(
        struct,
        method(
          '"succinct": true, "inputs": [{ "name": "ask", "type": "Order" }, { "name": "more", "type": "Order" }], "outputs": [{ "name": "answer", "type": "Order" }]',
        ),
      ),
      good: irFile(struct, method(`"succinct": true, ${side}`)),
    }),
  },
} as const;
