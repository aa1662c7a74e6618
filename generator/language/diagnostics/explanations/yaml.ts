import type { yaml as codes } from "../catalog/yaml.ts";
import type { Example, Explanations } from "./explanation.ts";

/** A schema in YAML, given without its header. */
function schema(...lines: readonly string[]): Example {
  return { files: { "api.yaml": ["webrpc: v1", "name: shop", ...lines] } };
}

const good: Example = schema("types:", "  Order:", "    fields:", "      id: uint64", "      note?: string");

export const yaml: Explanations<keyof typeof codes> = {
  "yaml-syntax": {
    rule: "The file is YAML 1.2.",
    reason:
      "Text after a syntax error can have any meaning, so only the first error of this kind is reported.",
    bad: schema("types:", "  Order:", "    fields:", "      id: uint64", "     note?: string"),
    good,
  },
  "yaml-key-unknown": {
    rule: "A mapping has only the keys that schemas in YAML define for it.",
    reason: "Otherwise, a misspelt key would be ignored silently.",
    bad: schema("types:", "  Order:", "    feilds:", "      id: uint64"),
    good,
  },
  "yaml-duplicate-key": {
    rule: "A map has each key once.",
    reason: "YAML forbids duplicates, and parsers disagree about which one counts.",
    bad: schema("types:", "  Order:", "    fields:", "      id: uint64", "      id: string"),
    good,
  },
  "yaml-kind": {
    rule: "A map, a list or a string is used only where one is expected.",
    reason: "Accepting another kind of value would mean guessing its meaning.",
    bad: schema("types:", "  Order:", "    fields: uint64"),
    good,
  },
  "yaml-missing-key": {
    rule: "Required keys are present.",
    reason: "For example, an error needs a code and a message, and a field needs a type.",
    bad: schema("errors:", "  NotFound: { code: 100 }"),
    good: schema("errors:", "  NotFound: { code: 100, message: Not found }"),
  },
  "yaml-missing-value": {
    rule: "A key that needs a value has one.",
    reason: "An empty value is usually a mistake.",
    bad: schema("types:", "  Order:", "    fields:", "      id:"),
    good,
  },
  "yaml-name": {
    rule: "A name is valid in RIDL too.",
    reason: "Both formats describe the same language, and generators turn names into identifiers.",
    bad: schema("types:", "  Order:", "    fields:", "      the id: uint64"),
    good,
  },
  "yaml-type-kind": {
    rule: "The keys of a type show whether it is a struct, an enum or an alias.",
    reason: "A struct may be empty, but an empty type is more often unfinished.",
    bad: schema("types:", "  Order:"),
    good: schema("types:", "  Order: { fields: {} }"),
  },
  "yaml-feature": {
    rule: "A schema uses no anchors, aliases, tags or directives of YAML.",
    reason: "They hide the meaning of a value, and a few lines of aliases can expand to billions of values.",
    bad: schema("types:", "  Order: &order", "    fields:", "      id: uint64", "  Refund: *order"),
    good: schema(
      "types:",
      "  Order:",
      "    fields:",
      "      id: uint64",
      "  Refund: { fields: { of: Order } }",
    ),
  },
  "yaml-documents": {
    rule: "A schema file is a single YAML document.",
    reason: "A second document would be ignored.",
    bad: schema("---", "types: {}"),
    good,
  },
  "yaml-key": {
    rule: "A key is text, not a list or a mapping.",
    reason: "Keys are the names of types, fields, services and settings.",
    bad: schema("types:", "  [Order]:", "    fields: {}"),
    good,
  },
  "yaml-control-character": {
    rule: "The file contains no control characters except tabs and line breaks.",
    reason: "YAML forbids them, and they are invisible.",
    bad: {
      files: {},
      commands: ["printf 'webrpc: v1\\nname: sh\\007op\\n' > api.yaml", "ridlkit lint api.yaml"],
    },
    good,
  },
  "yaml-too-deep": {
    rule: "Maps and lists are nested at most 64 levels deep.",
    reason: "A schema needs ten levels, and the limit protects the parser from a stack overflow.",
    bad: {
      files: {},
      commands: ['printf "types: $(printf "[%.0s" $(seq 100))" > api.yaml', "ridlkit lint api.yaml"],
    },
    good,
  },
  "yaml-too-long": {
    rule: "A file has at most 500,000 tokens of YAML.",
    reason:
      "This is 45 times the size of the largest contract we know. Each token takes up to a kilobyte of memory while the file is parsed.",
    bad: {
      files: {},
      commands: ["yes 'types: [a, b, c, d, e, f, g, h]' | head -n 40000 > api.yaml", "ridlkit lint api.yaml"],
    },
    good,
  },
};
