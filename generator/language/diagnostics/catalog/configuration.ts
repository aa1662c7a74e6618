/** Configuration files: RK800 to RK899. */
export const configuration = {
  "config-syntax": {
    code: "RK801",
    severity: "error",
    message: "The configuration is not valid {format}: {reason}.",
  },
  "config-key": {
    code: "RK802",
    severity: "error",
    message: 'There is no setting "{path}".',
  },
  "config-value": {
    code: "RK803",
    severity: "error",
    message: "{path} must be {wanted}, found {found}.",
  },
  "config-missing": {
    code: "RK804",
    severity: "error",
    message: "{path} is missing; it must be {wanted}.",
  },
  "config-exclusive": {
    code: "RK805",
    severity: "error",
    message: '{path} has both "match" and "ignore".',
    advice: "Keep only one of them.",
  },
  "config-same-name": {
    code: "RK806",
    severity: "error",
    message: 'Two schemas are named "{name}".',
    advice: 'Give each schema its own "name"; the default is the file name of its entry.',
  },
  "config-repeated-key": {
    code: "RK807",
    severity: "error",
    message: 'The setting "{path}" is given twice.',
    advice: "Keep one of them.",
  },
  "config-script": {
    code: "RK808",
    severity: "error",
    message: '"{path}" failed to run: {reason}',
  },
  "config-rivals": {
    code: "RK809",
    severity: "error",
    message: "More than one file configures ridlkit: {paths}.",
    advice: "Keep one of them, or choose one with --config.",
  },
  "config-extension": {
    code: "RK810",
    severity: "error",
    message: 'Cannot tell the format of "{path}" from its name.',
    advice: "Use the extension .ts, .js, .mjs, .json, .yaml or .yml, or a package.json.",
  },
  "config-unknown-service": {
    code: "RK811",
    severity: "error",
    message: 'The configuration selects the service "{name}", which the schema does not declare.',
    advice: 'Correct or remove the name in "services".',
  },
} as const;
