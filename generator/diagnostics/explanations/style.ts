import type { style as codes } from "../catalog/style.ts";
import { type Example, type Explanations, headerLines } from "./explanation.ts";

export const style: Explanations<keyof typeof codes> = {
  "not-canonical": {
    law: "Under format --check every file reads as ridlkit format writes it.",
    reason: "Nobody then discusses blanks, and a diff shows what changed.",
    bad: formatted(["struct   Order", "- id:uint64"]),
    good: formatted(["struct Order", "  - id: uint64"]),
  },
  "format-loses": {
    law: "Formatting changes blanks and line breaks, and nothing that somebody wrote.",
    reason: "A word that webrpc overlooks is often one that was meant, as a misspelt clause.",
    bad: formatted(["service Shop", "  - Buy(id: uint64) NotFound"]),
    good: formatted(["service Shop", "  - Buy(id: uint64)"]),
  },
  "format-changes": {
    law: "Formatting leaves the IR and the schema hash as they are.",
    reason:
      'webrpc reads what follows "#" in a string as a comment, up to the end of the line; a new line break would end it.',
    bad: formatted(["service Shop", '  @note:"item #1" - Buy(id: uint64)']),
    good: formatted(["service Shop", '  @note:"item 1"', "  - Buy(id: uint64)"]),
  },
  "format-extension": {
    law: "Files to be formatted are named .ridl.",
    reason: "JSON and YAML have formatters of their own.",
    bad: { files: { "notes.md": ["# Notes"] }, commands: ["ridlkit format --check notes.md"] },
    good: formatted(["struct Order"]),
  },
};

/** A schema that `ridlkit format --check` looks at. */
function formatted(lines: readonly string[]): Example {
  return { files: { "api.ridl": [...headerLines, ...lines] }, commands: ["ridlkit format --check api.ridl"] };
}
