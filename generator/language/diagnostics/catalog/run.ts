import type { Examples } from "./entry.ts";

/** The run as a whole: RK900 to RK999. */
export const run = {
  "too-many": {
    code: "RK901",
    severity: "error",
    message: "{hidden} more problems are not shown.",
    advice: "Fix the first ones and run again.",
    rule: "A run shows at most 100 findings of a schema.",
    reason:
      "A file with more usually repeats one mistake, or is not a schema. Errors are shown before warnings.",
    examples: (): Examples => ({
      bad: {
        files: { "api.ridl": ["webrpc = v1", "name = shop", "struct Order"] },
        commands: [
          'for i in $(seq 101); do echo "  - a$i: Missing$i"; done >> api.ridl',
          "ridlkit lint api.ridl",
        ],
      },
      good: ["struct Order", "  - id: uint64"],
    }),
  },
} as const;
