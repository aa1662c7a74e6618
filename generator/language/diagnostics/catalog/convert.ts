/** Conversion between formats: RK650 to RK679. */
export const convert = {
  "convert-unsayable": {
    code: "RK650",
    severity: "error",
    message: "{what} cannot be written in {form}: {why}.",
  },
  "convert-loses": {
    code: "RK651",
    severity: "error",
    message: "{form} cannot hold {what}.",
    advice: "Remove it first, or accept the loss with --lossy.",
  },
  "convert-differs": {
    code: "RK652",
    severity: "error",
    message: "{what} would be different when it is read back from {form}.",
  },
  "convert-order": {
    code: "RK653",
    severity: "warning",
    message:
      'RIDL lists aliases, then enums, then structs, so "{name}" moves in the IR and the schema hash changes.',
    advice: "To keep the hash, put the types into that order first.",
  },
} as const;
