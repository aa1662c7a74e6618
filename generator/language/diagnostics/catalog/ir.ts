/** IR in JSON: RK500 to RK529. */
export const ir = {
  "json-syntax": {
    code: "RK501",
    severity: "error",
    message: "The file is not valid JSON: {reason}.",
  },
  "ir-shape": {
    code: "RK502",
    severity: "error",
    message: "{path} must be {expected}, found {found}.",
  },
  "ir-type-kind": {
    code: "RK503",
    severity: "error",
    message: 'The kind "{kind}" must be enum, struct or alias.',
  },
  "ir-missing": {
    code: "RK504",
    severity: "error",
    message: "{of} has no {what}.",
  },
  "ir-unwanted": {
    code: "RK505",
    severity: "error",
    message: "{of} cannot have a {what}.",
  },
  "ir-succinct": {
    code: "RK506",
    severity: "error",
    message: '"{method}" is succinct, but has more than one argument.',
  },
} as const;
