import type { configuration as codes } from "../catalog/configuration.ts";
import type { Example, Explanations } from "./explanation.ts";

/** A schema and its configuration, linted without a FILE. */
function configured(
  path: string,
  lines: readonly string[],
  otherFiles: Readonly<Record<string, readonly string[]>> = {},
): Example {
  return {
    files: { [path]: lines, "api.ridl": ["webrpc = v1", "name = shop", "struct Order"], ...otherFiles },
    commands: ["ridlkit lint"],
  };
}

function selecting(service: string): Example {
  return {
    files: {
      "ridlkit.config.yaml": [
        "schemas:",
        "  - entry: api.ridl",
        "    out: generated",
        `    services: [${service}]`,
      ],
      "api.ridl": [
        "webrpc = v1",
        "name = shop",
        "version = v1.0.0",
        "basepath = /rpc",
        "service Shop",
        "  - Ping()",
      ],
    },
    commands: ["ridlkit generate"],
  };
}

const name = "ridlkit.config.yaml";
const plain: readonly string[] = ["schemas:", "  - entry: api.ridl"];

export const configuration: Explanations<keyof typeof codes> = {
  "config-syntax": {
    rule: "The contents of a configuration match its file extension.",
    reason: "JSON has no comments and no trailing commas, and YAML does not allow tabs as indentation.",
    bad: configured("ridlkit.config.json", ['{ "schemas": [{ "entry": "api.ridl" },] }']),
    good: configured("ridlkit.config.json", ['{ "schemas": [{ "entry": "api.ridl" }] }']),
  },
  "config-key": {
    rule: "Every key is the name of a setting.",
    reason: "A misspelt setting would silently have no effect.",
    bad: configured(name, [...plain, "strikt: true"]),
    good: configured(name, [...plain, "strict: true"]),
  },
  "config-value": {
    rule: "Every setting has a value of its type.",
    reason: 'Values are not converted: the text "true" is not the value true.',
    bad: configured(name, [...plain, "strict: very"]),
    good: configured(name, [...plain, "strict: true"]),
  },
  "config-missing": {
    rule: "Required settings are present.",
    reason: "For example, a schema needs an entry file.",
    bad: configured(name, ["schemas:", "  - name: shop"]),
    good: configured(name, ["schemas:", "  - name: shop", "    entry: api.ridl"]),
  },
  "config-exclusive": {
    rule: 'A schema has "match" or "ignore", not both.',
    reason: "webrpc-gen accepts only one of them, so a combination has no defined meaning.",
    bad: configured(name, [...plain, '    match: ["@public"]', '    ignore: ["@internal"]']),
    good: configured(name, [...plain, '    ignore: ["@internal"]']),
  },
  "config-same-name": {
    rule: "Every schema has its own name.",
    reason: "--project selects a schema by its name.",
    bad: configured(name, [...plain, "  - entry: old/api.ridl"], {
      "old/api.ridl": ["webrpc = v1", "name = shop"],
    }),
    good: configured(name, [...plain, "  - name: old", "    entry: old/api.ridl"], {
      "old/api.ridl": ["webrpc = v1", "name = shop"],
    }),
  },
  "config-repeated-key": {
    rule: "Each setting occurs once.",
    reason: "JSON readers disagree about which duplicate counts.",
    bad: configured("ridlkit.config.json", [
      '{ "strict": true, "strict": false, "schemas": [{ "entry": "api.ridl" }] }',
    ]),
    good: configured("ridlkit.config.json", ['{ "strict": true, "schemas": [{ "entry": "api.ridl" }] }']),
  },
  "config-script": {
    rule: "A configuration in TypeScript or JavaScript runs without errors, and its default export is an object of settings.",
    reason: "The message contains the error that the file threw.",
    bad: configured("ridlkit.config.mjs", ['export const config = { schemas: [{ entry: "api.ridl" }] };']),
    good: configured("ridlkit.config.mjs", ['export default { schemas: [{ entry: "api.ridl" }] };']),
  },
  "config-rivals": {
    rule: "A directory has one configuration file.",
    reason: "With two files, it would be unclear which one applies.",
    bad: configured(name, plain, { "ridlkit.config.json": ['{ "schemas": [{ "entry": "api.ridl" }] }'] }),
    good: configured(name, plain),
  },
  "config-extension": {
    rule: "The extension of a configuration names its format.",
    reason: "ridlkit chooses the parser by the extension, and never guesses from the contents.",
    bad: { files: { "settings.ini": ["[schemas]"] }, commands: ["ridlkit lint --config settings.ini"] },
    good: {
      files: { "settings.yaml": plain, "api.ridl": ["webrpc = v1", "name = shop"] },
      commands: ["ridlkit lint --config settings.yaml"],
    },
  },
  "config-unknown-service": {
    rule: "The services that the configuration selects are declared in the schema.",
    reason: "A misspelt name selects nothing, so generation would delete the files of the service.",
    bad: selecting("Shops"),
    good: selecting("Shop"),
  },
};
