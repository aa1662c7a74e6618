/** Kept versions of a contract: RK530 to RK549. */
export const history = {
  "history-file": {
    code: "RK530",
    severity: "error",
    message: '"{path}" is not a kept version.',
    advice: "Keep versions as VERSION.webrpc.json, as ridlkit history add does, and move other schemas away.",
  },
  "history-version": {
    code: "RK531",
    severity: "error",
    message: 'The version "{version}" is not a semantic version.',
    advice: "Write three numbers, such as v1.0.0: versions are compared by them.",
  },
  "history-version-differs": {
    code: "RK532",
    severity: "error",
    message: 'The file is named after the version "{named}", but its contract has the version "{version}".',
    advice: "Restore the file from Git: a kept version never changes.",
  },
  "history-version-twice": {
    code: "RK533",
    severity: "error",
    message: 'The version {version} is kept twice, and the first file is "{other}".',
    advice: "Keep only one of the files.",
  },
  "history-other-schema": {
    code: "RK534",
    severity: "error",
    message: 'The file is a version of the schema "{found}", but the schema is "{name}".',
    advice: "Give each schema its own folder.",
  },
  "history-newer": {
    code: "RK535",
    severity: "error",
    message: 'The kept version "{kept}" is newer than the version "{version}" of the schema.',
    advice: "Raise the version of the schema.",
  },
  "history-contract-differs": {
    code: "RK536",
    severity: "warning",
    message: 'The contract differs from its kept version "{version}".',
    advice: "Raise the version of the schema: clients with the kept version rely on its contract.",
  },
  "history-version-low": {
    code: "RK537",
    severity: "warning",
    message:
      "The version {version} is too low: there are {changes} since {before}, so it must be {next} or higher.",
    advice: "Raise the version of the schema before you keep it.",
  },
  "history-empty": {
    code: "RK538",
    severity: "warning",
    message: 'The folder "{folder}" has no kept version, so the server serves no earlier clients.',
    advice: 'Run "ridlkit history add", or correct "history" in the configuration.',
  },
} as const;
