/** The run as a whole: RK900 to RK999. */
export const run = {
  "too-many": {
    code: "RK901",
    severity: "error",
    message: "{hidden} more problems are not shown.",
    advice: "Fix the first ones and run again.",
  },
} as const;
