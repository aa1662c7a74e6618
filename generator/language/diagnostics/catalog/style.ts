import { type Example, type Examples, headerLines } from "./entry.ts";

/** Formatting, and comments about lint rules: RK700 to RK709 and RK790. The lint rules have RK710 to RK739; each is in `lint/rules/`. */
export const style = {
  "not-canonical": {
    code: "RK700",
    severity: "error",
    message: '"{path}" is not formatted.',
    advice: "Run ridlkit format, or add --diff to see what would change.",
    rule: "With format --check, every file is formatted as ridlkit format writes it.",
    reason: "A common format ends discussions about spaces, and keeps diffs small.",
    examples: (): Examples => ({
      bad: formatted(["struct   Order", "- id:uint64"]),
      good: formatted(["struct Order", "  - id: uint64"]),
    }),
  },
  "format-loses": {
    code: "RK701",
    severity: "error",
    message: 'Formatting would lose "{text}", which webrpc ignores here.',
    advice: "Remove it, or correct it.",
    rule: "Formatting changes spaces and line breaks only.",
    reason: "Text that webrpc ignores is often a mistake.",
    examples: (): Examples => ({
      bad: formatted(["struct Ask", "", "struct Answer", "", "service Shop", "  - Buy(Ask) => (Answer);"]),
      good: formatted(["struct Ask", "", "struct Answer", "", "service Shop", "  - Buy(Ask) => (Answer)"]),
    }),
  },
  "format-changes": {
    code: "RK702",
    severity: "error",
    message:
      'Formatting would change the comments in webrpc\'s IR, because a string on this line contains "#".',
    advice: 'Write the string without "#", or put the item on a line of its own.',
    rule: "Formatting does not change the IR or the schema hash.",
    reason:
      'webrpc reads the rest of a line after "#" as a comment, even in a string, and a new line break would shorten that comment.',
    examples: (): Examples => ({
      bad: formatted(["service Shop", '  @note:"item #1" - Buy(id: uint64)']),
      good: formatted(["service Shop", '  @note:"item 1"', "  - Buy(id: uint64)"]),
    }),
  },
  "format-extension": {
    code: "RK703",
    severity: "error",
    message: '"{path}" is not a .ridl file, and only .ridl files are formatted.',
    rule: "Only .ridl files are formatted.",
    reason: "JSON and YAML have their own formatters.",
    examples: (): Examples => ({
      bad: { files: { "notes.md": ["# Notes"] }, commands: ["ridlkit format --check notes.md"] },
      good: formatted(["struct Order"]),
    }),
  },
  "unknown-lint-rule": {
    code: "RK790",
    severity: "warning",
    message: 'There is no lint rule "{name}", so this comment ignores nothing.',
    rule: "A comment that ignores a rule names an existing rule.",
    reason: "Otherwise, it silently has no effect.",
    examples: (): Examples => ({
      bad: styled(["#! ridlkit-ignore missing-doc: the name is clear", "struct User"]),
      good: styled(["#! ridlkit-ignore missing-docs: the name is clear", "struct User"]),
    }),
  },
} as const;

/** A schema that is linted with all style rules. */
function styled(lines: readonly string[]): Example {
  return {
    files: { "api.ridl": [...headerLines, ...lines] },
    commands: ["ridlkit lint --preset strict api.ridl"],
  };
}

/** A schema that `ridlkit format --check` checks. */
function formatted(lines: readonly string[]): Example {
  return { files: { "api.ridl": [...headerLines, ...lines] }, commands: ["ridlkit format --check api.ridl"] };
}
