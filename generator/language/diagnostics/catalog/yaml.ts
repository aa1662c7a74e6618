/** Schemas in YAML: RK610 to RK649. */
export const yaml = {
  "yaml-syntax": {
    code: "RK610",
    severity: "error",
    message: "The file is not valid YAML: {reason}.",
  },
  "yaml-key-unknown": {
    code: "RK611",
    severity: "error",
    message: 'There is no key "{key}" in {what}.',
  },
  "yaml-duplicate-key": {
    code: "RK612",
    severity: "error",
    message: 'The key "{key}" is given twice.',
    advice: "Keep one of them.",
  },
  "yaml-kind": {
    code: "RK613",
    severity: "error",
    message: "{what} must be {wanted}, found {found}.",
  },
  "yaml-missing-key": {
    code: "RK614",
    severity: "error",
    message: '{what} has no "{key}".',
  },
  "yaml-missing-value": {
    code: "RK615",
    severity: "error",
    message: "{what} is missing.",
    advice: "Write it after the colon, or leave the key out.",
  },
  "yaml-name": {
    code: "RK616",
    severity: "error",
    message: '{what} cannot be "{name}".',
    advice:
      'A name starts with a letter, a digit or "_", and contains no space, bracket, quote, colon, comma, "=", "?", "!" or backslash.',
  },
  "yaml-type-kind": {
    code: "RK617",
    severity: "error",
    message: 'It is unclear what kind of type "{name}" is.',
    advice:
      "Give it fields, an enum with values, or the target type of an alias; for a struct without fields, write fields: {}.",
  },
  "yaml-feature": {
    code: "RK618",
    severity: "error",
    message: "A schema cannot use YAML {what}.",
    advice: 'Declare shared parts once, as a type. Quote a value that starts with "&", "*", "!" or "%".',
  },
  "yaml-documents": {
    code: "RK619",
    severity: "error",
    message: "A second document starts here, but a schema file is a single document.",
    advice: "Move it into a file of its own and import that file.",
  },
  "yaml-key": {
    code: "RK620",
    severity: "error",
    message: "A key must be text, found {found}.",
  },
  "yaml-control-character": {
    code: "RK621",
    severity: "error",
    message: "YAML cannot hold this control character.",
    advice: 'Remove it, or write it as an escape in double quotes, such as "\\x07".',
  },
  "yaml-too-deep": {
    code: "RK622",
    severity: "error",
    message: "Maps and lists are nested more than {limit} levels deep.",
    advice: "A schema needs at most ten levels; check that this is the right file.",
  },
  "yaml-too-long": {
    code: "RK623",
    severity: "error",
    message: "The file has more than {limit} tokens of YAML.",
    advice: "Split it into files that import each other, or write it in RIDL.",
  },
} as const;
