import type { run as codes } from "../catalog/run.ts";
import type { Explanations } from "./explanation.ts";

export const run: Explanations<keyof typeof codes> = {
  "too-many": {
    rule: "A run shows at most 100 findings of a schema.",
    reason:
      "A file with more usually repeats one mistake, or is not a schema. Errors are shown before warnings.",
    bad: {
      files: { "api.ridl": ["webrpc = v1", "name = shop", "struct Order"] },
      commands: [
        'for i in $(seq 101); do echo "  - a$i: Missing$i"; done >> api.ridl',
        "ridlkit lint api.ridl",
      ],
    },
    good: ["struct Order", "  - id: uint64"],
  },
};
