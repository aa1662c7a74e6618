/** Style and evolution: RK700 to RK739 and RK790. RK700 to RK709 are for formatting; from RK710 on each is a rule with a switch of its own. */
export const style = {
  "not-canonical": {
    code: "RK700",
    severity: "error",
    message: '"{path}" is not formatted.',
    advice: "Run ridlkit format, or add --diff to see what it would change.",
  },
  "format-loses": {
    code: "RK701",
    severity: "error",
    message: 'Formatting would lose "{text}", which webrpc overlooks here.',
    advice: "Remove it, or write what it was meant to be.",
  },
  "format-changes": {
    code: "RK702",
    severity: "error",
    message:
      'Formatting would change the comments of this in webrpc\'s IR, since a string on its line holds "#".',
    advice: 'Write the string without "#", or the item on a line of its own.',
  },
  "format-extension": {
    code: "RK703",
    severity: "error",
    message: '"{path}" is no .ridl file, and only those are formatted.',
  },
  "naming-types": {
    code: "RK710",
    severity: "warning",
    message: 'The type "{name}" is not in PascalCase.',
  },
  "naming-fields": {
    code: "RK711",
    severity: "warning",
    message: '"{name}" is not in camelCase.',
  },
  "naming-methods": {
    code: "RK712",
    severity: "warning",
    message: 'The method "{name}" is not in PascalCase.',
  },
  "naming-enum-values": {
    code: "RK713",
    severity: "warning",
    message: '"{name}" is written in another way than "{other}" in the same enum.',
    advice: "Write all values of an enum in one way.",
  },
  "naming-errors": {
    code: "RK714",
    severity: "warning",
    message: 'The error "{name}" is not in PascalCase.',
  },
  "missing-docs": {
    code: "RK720",
    severity: "warning",
    message: 'The {kind} "{name}" has no documentation.',
    advice: "Say in a comment right above it what it is for.",
  },
  "unused-types": {
    code: "RK721",
    severity: "warning",
    message: 'No method leads to the type "{name}".',
    advice: "Remove it, or say in a comment above it: #! ridlkit-ignore unused-types: why",
  },
  "unused-errors": {
    code: "RK722",
    severity: "warning",
    message: 'No method lists the error "{name}", so every method may return it.',
    advice:
      "List it where it is returned, remove it, or say in a comment above it that the host raises it: #! ridlkit-ignore unused-errors: why",
  },
  "missing-errors-clause": {
    code: "RK723",
    severity: "warning",
    message: '"{name}" neither lists its errors nor has @noErrors, so it may return any error of the schema.',
    advice: "List its errors, or add @noErrors.",
  },
  "precision-loss": {
    code: "RK730",
    severity: "warning",
    message:
      '"{name}" is {type}, a number in JSON, and above 2^53 - 1 JavaScript and others read another one.',
    advice: "Use bigint, or bound it with maximum = 9007199254740991 and the like below 0.",
  },
  "unsafe-pattern": {
    code: "RK731",
    severity: "warning",
    message: "The time of this pattern is {growth} in the length of a text.",
  },
  "deprecated-without-advice": {
    code: "RK732",
    severity: "warning",
    message: '"{name}" is deprecated without a word on what to use instead.',
    advice: 'Say it, as @deprecated:"use GetUser" or + deprecated = "use id".',
  },
  "mixed-enum-values": {
    code: "RK733",
    severity: "warning",
    message: '"{name}" has the number {value}, its place in the list, beside others that are written out.',
    advice: "Write out all numbers of an enum, or none.",
  },
  "implicit-enum-values": {
    code: "RK734",
    severity: "warning",
    message:
      'The values of "{name}" are numbered by their places: one more in between changes all that follow.',
    advice: "Write the numbers out, as - USER = 0.",
  },
  "unknown-lint-rule": {
    code: "RK790",
    severity: "warning",
    message: 'There is no lint rule "{name}", so nothing is ignored.',
  },
} as const;
