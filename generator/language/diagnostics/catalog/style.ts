/** Style and evolution: RK700 to RK739 and RK790. RK700 to RK709 are about formatting; from RK710 on, each code is a lint rule that can be switched off. */
export const style = {
  "not-canonical": {
    code: "RK700",
    severity: "error",
    message: '"{path}" is not formatted.',
    advice: "Run ridlkit format, or add --diff to see what would change.",
  },
  "format-loses": {
    code: "RK701",
    severity: "error",
    message: 'Formatting would lose "{text}", which webrpc ignores here.',
    advice: "Remove it, or correct it.",
  },
  "format-changes": {
    code: "RK702",
    severity: "error",
    message:
      'Formatting would change the comments in webrpc\'s IR, because a string on this line contains "#".',
    advice: 'Write the string without "#", or put the item on a line of its own.',
  },
  "format-extension": {
    code: "RK703",
    severity: "error",
    message: '"{path}" is not a .ridl file, and only .ridl files are formatted.',
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
    message: '"{name}" and "{other}", both in the same enum, use different naming styles.',
    advice: "Use one style for all values of an enum.",
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
    advice: "Describe its purpose in a comment right above it.",
  },
  "unused-types": {
    code: "RK721",
    severity: "warning",
    message: 'No method uses the type "{name}".',
    advice: "Remove it, or add a comment above it: #! ridlkit-ignore unused-types: why",
  },
  "unused-errors": {
    code: "RK722",
    severity: "warning",
    message: 'No method lists the error "{name}", so every method may return it.',
    advice:
      "List it where it is returned, or remove it; if a hook of the server raises it, add a comment above it: #! ridlkit-ignore unused-errors: why",
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
    message: '"{name}" is {type}, and JavaScript reads JSON numbers above 2^53 - 1 inexactly.',
    advice:
      "Use bigint, or limit it with maximum = 9007199254740991 and, if it can be negative, minimum = -9007199254740991.",
  },
  "unsafe-pattern": {
    code: "RK731",
    severity: "warning",
    message: "The time to match this pattern is {growth} in the length of the input.",
  },
  "deprecated-without-advice": {
    code: "RK732",
    severity: "warning",
    message: '"{name}" is deprecated, but the schema does not say what to use instead.',
    advice: 'Add it, such as @deprecated:"use GetUser" or + deprecated = "use id".',
  },
  "mixed-enum-values": {
    code: "RK733",
    severity: "warning",
    message: '"{name}" gets the number {value} from its position, while other values have explicit numbers.',
    advice: "Write out all numbers of an enum, or none.",
  },
  "implicit-enum-values": {
    code: "RK734",
    severity: "warning",
    message:
      'The values of "{name}" are numbered by position, so inserting one renumbers all values after it.',
    advice: "Write the numbers out, such as - USER = 0.",
  },
  "marked-in-url": {
    code: "RK735",
    severity: "warning",
    message:
      '"{field}" is secret or personal data, but "{method}" is called with it in a URL, which servers and proxies log.',
    advice: "Use a route with a body, such as POST, or remove @cache.",
  },
  "misspelt-annotations": {
    code: "RK736",
    severity: "warning",
    message: 'The annotation "{name}" is unknown; did you mean "{suggestion}"?',
    advice:
      "If it is meant for other tools, add a comment above the method: #! ridlkit-ignore misspelt-annotations: why",
  },
  "unknown-lint-rule": {
    code: "RK790",
    severity: "warning",
    message: 'There is no lint rule "{name}", so this comment ignores nothing.',
  },
} as const;
