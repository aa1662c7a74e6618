import type { configuration as codes } from "../catalog/configuration.ts";
import type { Example, Explanations } from "./explanation.ts";

/** A schema and a configuration for it, linted without a FILE. */
function configured(
  path: string,
  lines: readonly string[],
  more: Readonly<Record<string, readonly string[]>> = {},
): Example {
  return {
    files: { [path]: lines, "api.ridl": ["webrpc = v1", "name = shop", "struct Order"], ...more },
    commands: ["ridlkit lint"],
  };
}

const name = "ridlkit.config.yaml";
const plain: readonly string[] = ["schemas:", "  - entry: api.ridl"];

export const configuration: Explanations<keyof typeof codes> = {
  "config-syntax": {
    rule: "A configuration is written in the format that its name says.",
    reason: "JSON has no comments and no trailing commas; YAML knows no tabs as indentation.",
    bad: configured("ridlkit.config.json", ['{ "schemas": [{ "entry": "api.ridl" },] }']),
    good: configured("ridlkit.config.json", ['{ "schemas": [{ "entry": "api.ridl" }] }']),
  },
  "config-key": {
    rule: "Every setting is one that exists.",
    reason: "A misspelt setting would silently not be set.",
    bad: configured(name, [...plain, "strikt: true"]),
    good: configured(name, [...plain, "strict: true"]),
  },
  "config-value": {
    rule: "A setting has a value of its kind.",
    reason: "Nothing is converted: a text that says true is a text.",
    bad: configured(name, [...plain, "strict: very"]),
    good: configured(name, [...plain, "strict: true"]),
  },
  "config-missing": {
    rule: "What has no default is given.",
    reason: "A schema without an entry file cannot be read.",
    bad: configured(name, ["schemas:", "  - name: shop"]),
    good: configured(name, ["schemas:", "  - name: shop", "    entry: api.ridl"]),
  },
  "config-exclusive": {
    rule: 'A schema has "match" or "ignore", not both.',
    reason: "webrpc-gen takes one of them, and what both together would mean is not said anywhere.",
    bad: configured(name, [...plain, '    match: ["@public"]', '    ignore: ["@internal"]']),
    good: configured(name, [...plain, '    ignore: ["@internal"]']),
  },
  "config-same-name": {
    rule: "Each schema has a name of its own.",
    reason: "--project chooses by it.",
    bad: configured(name, [...plain, "  - entry: old/api.ridl"], {
      "old/api.ridl": ["webrpc = v1", "name = shop"],
    }),
    good: configured(name, [...plain, "  - name: old", "    entry: old/api.ridl"], {
      "old/api.ridl": ["webrpc = v1", "name = shop"],
    }),
  },
  "config-repeated-key": {
    rule: "A setting is given once.",
    reason: "Which of two counts, readers of JSON do not agree on.",
    bad: configured("ridlkit.config.json", [
      '{ "strict": true, "strict": false, "schemas": [{ "entry": "api.ridl" }] }',
    ]),
    good: configured("ridlkit.config.json", ['{ "strict": true, "schemas": [{ "entry": "api.ridl" }] }']),
  },
  "config-script": {
    rule: "A configuration in TypeScript or JavaScript runs, and exports its settings as default.",
    reason: "The message has what went wrong when it ran.",
    bad: configured("ridlkit.config.mjs", ['export const config = { schemas: [{ entry: "api.ridl" }] };']),
    good: configured("ridlkit.config.mjs", ['export default { schemas: [{ entry: "api.ridl" }] };']),
  },
  "config-rivals": {
    rule: "One file configures a directory.",
    reason: "With two of them it would depend on chance which one a reader edits.",
    bad: configured(name, plain, { "ridlkit.config.json": ['{ "schemas": [{ "entry": "api.ridl" }] }'] }),
    good: configured(name, plain),
  },
  "config-extension": {
    rule: "The name of a configuration says what it is written in.",
    reason: "The ending chooses the reader; nothing is guessed from the text.",
    bad: { files: { "settings.ini": ["[schemas]"] }, commands: ["ridlkit lint --config settings.ini"] },
    good: {
      files: { "settings.yaml": plain, "api.ridl": ["webrpc = v1", "name = shop"] },
      commands: ["ridlkit lint --config settings.yaml"],
    },
  },
};
