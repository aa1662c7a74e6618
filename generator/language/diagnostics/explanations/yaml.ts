import type { yaml as codes } from "../catalog/yaml.ts";
import type { Example, Explanations } from "./explanation.ts";

/** A schema in YAML; rows leave out its header. */
function schema(...lines: readonly string[]): Example {
  return { files: { "api.yaml": ["webrpc: v1", "name: shop", ...lines] } };
}

const good: Example = schema("types:", "  Order:", "    fields:", "      id: uint64", "      note?: string");

export const yaml: Explanations<keyof typeof codes> = {
  "yaml-syntax": {
    rule: "The file is YAML 1.2.",
    reason: "What follows a broken line could mean anything, so one fault of this kind is told at a time.",
    bad: schema("types:", "  Order:", "    fields:", "      id: uint64", "     note?: string"),
    good,
  },
  "yaml-key-unknown": {
    rule: "Every key is one that the form has.",
    reason: "An unknown key would say nothing, and nobody would notice.",
    bad: schema("types:", "  Order:", "    feilds:", "      id: uint64"),
    good,
  },
  "yaml-duplicate-key": {
    rule: "A map has each key once.",
    reason: "YAML forbids it, and readers differ in which of the two they take.",
    bad: schema("types:", "  Order:", "    fields:", "      id: uint64", "      id: string"),
    good,
  },
  "yaml-kind": {
    rule: "A map, a list and a text each have their places.",
    reason: "Taking one for another would guess at what was meant.",
    bad: schema("types:", "  Order:", "    fields: uint64"),
    good,
  },
  "yaml-missing-key": {
    rule: "What a thing cannot be without is there.",
    reason: "An error needs its code and its message, a field its type.",
    bad: schema("errors:", "  NotFound: { code: 100 }"),
    good: schema("errors:", "  NotFound: { code: 100, message: Not found }"),
  },
  "yaml-missing-value": {
    rule: "A key that wants a text has one.",
    reason: "An empty value is a slip more often than a wish.",
    bad: schema("types:", "  Order:", "    fields:", "      id:"),
    good,
  },
  "yaml-name": {
    rule: "A name can be written in RIDL as well.",
    reason: "Both forms are one language, and generators turn names into identifiers.",
    bad: schema("types:", "  Order:", "    fields:", "      the id: uint64"),
    good,
  },
  "yaml-type-kind": {
    rule: "A type is a struct, an enum or an alias, and its keys say which.",
    reason: "A struct without fields is legal, but too easily the rest of a thought.",
    bad: schema("types:", "  Order:"),
    good: schema("types:", "  Order: { fields: {} }"),
  },
  "yaml-feature": {
    rule: "A schema uses no anchors, aliases, tags and directives of YAML.",
    reason:
      "They make a text mean something else than it shows, and a few lines of aliases can stand for billions.",
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
    rule: "A schema file is one document.",
    reason: "A second one would be read by nobody.",
    bad: schema("---", "types: {}"),
    good,
  },
  "yaml-key": {
    rule: "A key is a text.",
    reason: "Keys are names.",
    bad: schema("types:", "  [Order]:", "    fields: {}"),
    good,
  },
  "yaml-control-character": {
    rule: "The text holds no control characters but tabs and line ends.",
    reason: "YAML forbids them, and nobody sees them.",
    bad: {
      files: {},
      commands: ["printf 'webrpc: v1\\nname: sh\\007op\\n' > api.yaml", "ridlkit lint api.yaml"],
    },
    good,
  },
  "yaml-too-deep": {
    rule: "Maps and lists are nested at most 64 deep.",
    reason: "A schema needs ten levels, and a bound keeps any file within the stack.",
    bad: {
      files: {},
      commands: ['printf "types: $(printf "[%.0s" $(seq 100))" > api.yaml', "ridlkit lint api.yaml"],
    },
    good,
  },
  "yaml-too-long": {
    rule: "A file has at most 500,000 tokens of YAML.",
    reason:
      "It is 45 times the largest contract we know, and each token takes up to a kilobyte of memory while it is read.",
    bad: {
      files: {},
      commands: ["yes 'types: [a, b, c, d, e, f, g, h]' | head -n 40000 > api.yaml", "ridlkit lint api.yaml"],
    },
    good,
  },
};
