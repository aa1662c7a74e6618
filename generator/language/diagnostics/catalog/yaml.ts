import type { Example, Examples } from "./entry.ts";

/** A schema in YAML, given without its header. */
function schema(...lines: readonly string[]): Example {
  return { files: { "api.yaml": ["webrpc: v1", "name: shop", ...lines] } };
}

const good: Example = schema("types:", "  Order:", "    fields:", "      id: uint64", "      note?: string");

/** Schemas in YAML: RK610 to RK649. */
export const yaml = {
  "yaml-syntax": {
    code: "RK610",
    severity: "error",
    message: "The file is not valid YAML: {reason}.",
    rule: "The file is YAML 1.2.",
    reason:
      "Text after a syntax error can have any meaning, so only the first error of this kind is reported.",
    examples: (): Examples => ({
      bad: schema("types:", "  Order:", "    fields:", "      id: uint64", "     note?: string"),
      good,
    }),
  },
  "yaml-key-unknown": {
    code: "RK611",
    severity: "error",
    message: 'There is no key "{key}" in {what}.',
    rule: "A mapping has only the keys that schemas in YAML define for it.",
    reason: "Otherwise, a misspelled key would be ignored silently.",
    examples: (): Examples => ({
      bad: schema("types:", "  Order:", "    feilds:", "      id: uint64"),
      good,
    }),
  },
  "yaml-duplicate-key": {
    code: "RK612",
    severity: "error",
    message: 'The key "{key}" is given twice.',
    advice: "Keep one of them.",
    rule: "A map has each key once.",
    reason: "YAML forbids duplicates, and parsers disagree about which one counts.",
    examples: (): Examples => ({
      bad: schema("types:", "  Order:", "    fields:", "      id: uint64", "      id: string"),
      good,
    }),
  },
  "yaml-kind": {
    code: "RK613",
    severity: "error",
    message: "{what} must be {wanted}, found {found}.",
    rule: "A map, a list or a string is used only where one is expected.",
    reason: "Accepting another kind of value would mean guessing its meaning.",
    examples: (): Examples => ({
      bad: schema("types:", "  Order:", "    fields: uint64"),
      good,
    }),
  },
  "yaml-missing-key": {
    code: "RK614",
    severity: "error",
    message: '{what} has no "{key}".',
    rule: "Required keys are present.",
    reason: "For example, an error needs a code and a message, and a field needs a type.",
    examples: (): Examples => ({
      bad: schema("errors:", "  NotFound: { code: 100 }"),
      good: schema("errors:", "  NotFound: { code: 100, message: Not found }"),
    }),
  },
  "yaml-missing-value": {
    code: "RK615",
    severity: "error",
    message: "{what} is missing.",
    advice: "Write it after the colon, or leave the key out.",
    rule: "A key that needs a value has one.",
    reason: "An empty value is usually a mistake.",
    examples: (): Examples => ({
      bad: schema("types:", "  Order:", "    fields:", "      id:"),
      good,
    }),
  },
  "yaml-name": {
    code: "RK616",
    severity: "error",
    message: '{what} cannot be "{name}".',
    advice:
      'A name starts with a letter, a digit or "_", and contains no space, bracket, quote, colon, comma, "=", "?", "!" or backslash.',
    rule: "A name is valid in RIDL too.",
    reason: "Both formats describe the same language, and generators turn names into identifiers.",
    examples: (): Examples => ({
      bad: schema("types:", "  Order:", "    fields:", "      the id: uint64"),
      good,
    }),
  },
  "yaml-type-kind": {
    code: "RK617",
    severity: "error",
    message: 'It is unclear what kind of type "{name}" is.',
    advice:
      "Give it fields, an enum with values, or the target type of an alias; for a struct without fields, write fields: {}.",
    rule: "The keys of a type show whether it is a struct, an enum or an alias.",
    reason: "A struct may be empty, but an empty type is more often unfinished.",
    examples: (): Examples => ({
      bad: schema("types:", "  Order:"),
      good: schema("types:", "  Order: { fields: {} }"),
    }),
  },
  "yaml-feature": {
    code: "RK618",
    severity: "error",
    message: "A schema cannot use YAML {what}.",
    advice: 'Declare shared parts once, as a type. Quote a value that starts with "&", "*", "!" or "%".',
    rule: "A schema uses no anchors, aliases, tags or directives of YAML.",
    reason: "They hide the meaning of a value, and a few lines of aliases can expand to billions of values.",
    examples: (): Examples => ({
      bad: schema("types:", "  Order: &order", "    fields:", "      id: uint64", "  Refund: *order"),
      good: schema(
        "types:",
        "  Order:",
        "    fields:",
        "      id: uint64",
        "  Refund: { fields: { of: Order } }",
      ),
    }),
  },
  "yaml-documents": {
    code: "RK619",
    severity: "error",
    message: "A second document starts here, but a schema file is a single document.",
    advice: "Move it into a file of its own and import that file.",
    rule: "A schema file is a single YAML document.",
    reason: "A second document would be ignored.",
    examples: (): Examples => ({
      bad: schema("---", "types: {}"),
      good,
    }),
  },
  "yaml-key": {
    code: "RK620",
    severity: "error",
    message: "A key must be text, found {found}.",
    rule: "A key is text, not a list or a mapping.",
    reason: "Keys are the names of types, fields, services and settings.",
    examples: (): Examples => ({
      bad: schema("types:", "  [Order]:", "    fields: {}"),
      good,
    }),
  },
  "yaml-control-character": {
    code: "RK621",
    severity: "error",
    message: "YAML cannot hold this control character.",
    advice: 'Remove it, or write it as an escape in double quotes, such as "\\x07".',
    rule: "The file contains no control characters except tabs and line breaks.",
    reason: "YAML forbids them, and they are invisible.",
    examples: (): Examples => ({
      bad: {
        files: {},
        commands: ["printf 'webrpc: v1\\nname: sh\\007op\\n' > api.yaml", "ridlkit lint api.yaml"],
      },
      good,
    }),
  },
  "yaml-too-deep": {
    code: "RK622",
    severity: "error",
    message: "Maps and lists are nested more than {limit} levels deep.",
    advice: "A schema needs at most ten levels; check that this is the right file.",
    rule: "Maps and lists are nested at most 64 levels deep.",
    reason: "A schema needs ten levels, and the limit protects the parser from a stack overflow.",
    examples: (): Examples => ({
      bad: {
        files: {},
        commands: ['printf "types: $(printf "[%.0s" $(seq 100))" > api.yaml', "ridlkit lint api.yaml"],
      },
      good,
    }),
  },
  "yaml-too-long": {
    code: "RK623",
    severity: "error",
    message: "The file has more than {limit} tokens of YAML.",
    advice: "Split it into files that import each other, or write it in RIDL.",
    rule: "A file has at most 500,000 tokens of YAML.",
    reason:
      "This is 45 times the size of the largest contract we know. Each token takes up to a kilobyte of memory while the file is parsed.",
    examples: (): Examples => ({
      bad: {
        files: {},
        commands: [
          "yes 'types: [a, b, c, d, e, f, g, h]' | head -n 40000 > api.yaml",
          "ridlkit lint api.yaml",
        ],
      },
      good,
    }),
  },
} as const;
