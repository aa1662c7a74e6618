import type { Example, Examples } from "./entry.ts";

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

function selecting(setting: string): Example {
  return {
    files: {
      "ridlkit.config.yaml": ["schemas:", "  - entry: api.ridl", "    out: generated", `    ${setting}`],
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

/** Configuration files: RK800 to RK899. */
export const configuration = {
  "config-syntax": {
    code: "RK801",
    severity: "error",
    message: "The configuration is not valid {format}: {reason}.",
    rule: "The contents of a configuration match its file extension.",
    reason: "JSON has no comments and no trailing commas, and YAML does not allow tabs as indentation.",
    examples: (): Examples => ({
      bad: configured("ridlkit.config.json", ['{ "schemas": [{ "entry": "api.ridl" },] }']),
      good: configured("ridlkit.config.json", ['{ "schemas": [{ "entry": "api.ridl" }] }']),
    }),
  },
  "config-key": {
    code: "RK802",
    severity: "error",
    message: 'There is no setting "{path}".',
    rule: "Every key is the name of a setting.",
    reason: "A misspelled setting would silently have no effect.",
    examples: (): Examples => ({
      bad: configured(name, [...plain, "strikt: true"]),
      good: configured(name, [...plain, "strict: true"]),
    }),
  },
  "config-value": {
    code: "RK803",
    severity: "error",
    message: "{path} must be {wanted}, found {found}.",
    rule: "Every setting has a value of its type.",
    reason: 'Values are not converted: the text "true" is not the value true.',
    examples: (): Examples => ({
      bad: configured(name, [...plain, "strict: very"]),
      good: configured(name, [...plain, "strict: true"]),
    }),
  },
  "config-missing": {
    code: "RK804",
    severity: "error",
    message: "{path} is missing; it must be {wanted}.",
    rule: "Required settings are present.",
    reason: "For example, a schema needs an entry file.",
    examples: (): Examples => ({
      bad: configured(name, ["schemas:", "  - name: shop"]),
      good: configured(name, ["schemas:", "  - name: shop", "    entry: api.ridl"]),
    }),
  },
  "config-exclusive": {
    code: "RK805",
    severity: "error",
    message: '{path} has both "match" and "ignore".',
    advice: "Keep only one of them.",
    rule: 'A schema has "match" or "ignore", not both.',
    reason: "webrpc-gen accepts only one of them, so a combination has no defined meaning.",
    examples: (): Examples => ({
      bad: configured(name, [...plain, '    match: ["@public"]', '    ignore: ["@internal"]']),
      good: configured(name, [...plain, '    ignore: ["@internal"]']),
    }),
  },
  "config-same-name": {
    code: "RK806",
    severity: "error",
    message: 'Two schemas are named "{name}".',
    advice: 'Give each schema its own "name"; the default is the file name of its entry.',
    rule: "Every schema has its own name.",
    reason: "--project selects a schema by its name.",
    examples: (): Examples => ({
      bad: configured(name, [...plain, "  - entry: old/api.ridl"], {
        "old/api.ridl": ["webrpc = v1", "name = shop"],
      }),
      good: configured(name, [...plain, "  - name: old", "    entry: old/api.ridl"], {
        "old/api.ridl": ["webrpc = v1", "name = shop"],
      }),
    }),
  },
  "config-repeated-key": {
    code: "RK807",
    severity: "error",
    message: 'The setting "{path}" is given twice.',
    advice: "Keep one of them.",
    rule: "Each setting occurs once.",
    reason: "JSON readers disagree about which duplicate counts.",
    examples: (): Examples => ({
      bad: configured("ridlkit.config.json", [
        '{ "strict": true, "strict": false, "schemas": [{ "entry": "api.ridl" }] }',
      ]),
      good: configured("ridlkit.config.json", ['{ "strict": true, "schemas": [{ "entry": "api.ridl" }] }']),
    }),
  },
  "config-script": {
    code: "RK808",
    severity: "error",
    message: '"{path}" failed to run: {reason}',
    rule: "A configuration in TypeScript or JavaScript runs without errors, and its default export is an object of settings.",
    reason: "The message contains the error that the file threw.",
    examples: (): Examples => ({
      bad: configured("ridlkit.config.mjs", ['export const config = { schemas: [{ entry: "api.ridl" }] };']),
      good: configured("ridlkit.config.mjs", ['export default { schemas: [{ entry: "api.ridl" }] };']),
    }),
  },
  "config-rivals": {
    code: "RK809",
    severity: "error",
    message: "More than one file configures ridlkit: {paths}.",
    advice: "Keep one of them, or choose one with --config.",
    rule: "A directory has one configuration file.",
    reason: "With two files, it would be unclear which one applies.",
    examples: (): Examples => ({
      bad: configured(name, plain, { "ridlkit.config.json": ['{ "schemas": [{ "entry": "api.ridl" }] }'] }),
      good: configured(name, plain),
    }),
  },
  "config-extension": {
    code: "RK810",
    severity: "error",
    message: 'Cannot tell the format of "{path}" from its name.',
    advice: "Use the extension .ts, .js, .mjs, .json, .yaml or .yml.",
    rule: "The extension of a configuration names its format.",
    reason: "ridlkit chooses the parser by the extension, and never guesses from the contents.",
    examples: (): Examples => ({
      bad: { files: { "settings.ini": ["[schemas]"] }, commands: ["ridlkit lint --config settings.ini"] },
      good: {
        files: { "settings.yaml": plain, "api.ridl": ["webrpc = v1", "name = shop"] },
        commands: ["ridlkit lint --config settings.yaml"],
      },
    }),
  },
  "filter-annotation": {
    code: "RK812",
    severity: "warning",
    message: 'Methods are filtered by "@{name}", but none has this annotation.',
    rule: "Annotations by which methods are filtered are spelled like those of the schema.",
    reason:
      "A misspelled annotation ignores nothing, so methods would be public that were meant to be left out.",
    examples: (): Examples => ({
      bad: selecting('ignore: ["@interal"]'),
      good: selecting('ignore: ["@internal"]'),
    }),
  },
  "config-unknown-service": {
    code: "RK811",
    severity: "error",
    message: 'The service "{name}" is selected, but the schema does not declare it.',
    rule: "The services that the configuration or --service selects are declared in the schema.",
    reason: "A misspelled name selects nothing, so generation would delete the files of the service.",
    examples: (): Examples => ({
      bad: selecting("services: [Shops]"),
      good: selecting("services: [Shop]"),
    }),
  },
} as const;
