/** Conversion from one form into another: RK650 to RK679. */
export const convert = {
  "convert-unsayable": {
    code: "RK650",
    severity: "error",
    message: "{what} cannot be said in {form}: {why}.",
  },
  "convert-loses": {
    code: "RK651",
    severity: "error",
    message: "{form} does not hold {what}.",
    advice: "Remove it first, or go on without it by --lossy.",
  },
  "convert-differs": {
    code: "RK652",
    severity: "error",
    message: "{what} would not be the same when it is read back from {form}.",
  },
  "convert-order": {
    code: "RK653",
    severity: "warning",
    message:
      'RIDL lists aliases, then enums, then structs, so "{name}" has another place in the IR and the schema hash changes.',
    advice: "Put the types into that order first to keep the hash.",
  },
} as const;
