import type { style as codes } from "../catalog/style.ts";
import { type Example, type Explanations, headerLines } from "./explanation.ts";

const usersService: readonly string[] = [
  "# Users.",
  "service Users",
  "  # Looks one up.",
  "  - GetUser(name: string)",
];

const listedErrors: readonly string[] = [
  "# Nobody has that name.",
  'error 1 UserGone "no such user" HTTP 404',
  "# Users.",
  "service Users",
  "  # Looks one up.",
  "  - GetUser(name: string) errors UserGone",
];

export const style: Explanations<keyof typeof codes> = {
  "not-canonical": {
    rule: "Under format --check every file reads as ridlkit format writes it.",
    reason: "Nobody then discusses blanks, and a diff shows what changed.",
    bad: formatted(["struct   Order", "- id:uint64"]),
    good: formatted(["struct Order", "  - id: uint64"]),
  },
  "format-loses": {
    rule: "Formatting changes blanks and line breaks, and nothing that somebody wrote.",
    reason: "A word that webrpc overlooks is often one that was meant, as a misspelt clause.",
    bad: formatted(["service Shop", "  - Buy(id: uint64) NotFound"]),
    good: formatted(["service Shop", "  - Buy(id: uint64)"]),
  },
  "format-changes": {
    rule: "Formatting leaves the IR and the schema hash as they are.",
    reason:
      'webrpc reads what follows "#" in a string as a comment, up to the end of the line; a new line break would end it.',
    bad: formatted(["service Shop", '  @note:"item #1" - Buy(id: uint64)']),
    good: formatted(["service Shop", '  @note:"item 1"', "  - Buy(id: uint64)"]),
  },
  "format-extension": {
    rule: "Files to be formatted are named .ridl.",
    reason: "JSON and YAML have formatters of their own.",
    bad: { files: { "notes.md": ["# Notes"] }, commands: ["ridlkit format --check notes.md"] },
    good: formatted(["struct Order"]),
  },
  "naming-types": {
    rule: "Types are in PascalCase.",
    reason: "So are those of nearly every schema and of the languages that code is generated for.",
    bad: styled(["# What a user may do.", "struct User_Role"]),
    good: styled(["# What a user may do.", "struct UserRole"]),
  },
  "naming-fields": {
    rule: "Fields and arguments are in camelCase.",
    reason: "Generators turn them into names of their language; what JSON has is said by json.",
    bad: styled(["# A user.", "struct User", "  - created_at: timestamp"]),
    good: styled(["# A user.", "struct User", "  - createdAt: timestamp", "    + json = created_at"]),
  },
  "naming-methods": {
    rule: "Methods are in PascalCase.",
    reason: "Their names are part of the path of each call, and readers look for one spelling.",
    bad: styled(["# Users.", "service Users", "  # Looks one up.", "  - get_user(name: string)"]),
    good: styled(["# Users.", "service Users", "  # Looks one up.", "  - GetUser(name: string)"]),
  },
  "naming-enum-values": {
    rule: "The values of one enum are written in one way, be it UPPER_CASE, lower_case, camelCase or PascalCase.",
    reason:
      "They are on the wire as they are written, and the odd one out is the one that callers get wrong.",
    bad: styled(["# A state.", "enum State: string", "  - ACTIVE", "  - inactive"]),
    good: styled(["# A state.", "enum State: string", "  - ACTIVE", "  - INACTIVE"]),
  },
  "naming-errors": {
    rule: "Errors are in PascalCase.",
    reason: "Code that is generated makes a class of each.",
    bad: styled(["# Nobody has that name.", 'error 1 User_Gone "no such user" HTTP 404']),
    good: styled(["# Nobody has that name.", 'error 1 UserGone "no such user" HTTP 404']),
  },
  "missing-docs": {
    rule: "Types, errors, services and methods have a comment right above them.",
    reason:
      "It goes into the code and the documentation that are generated. Fields need none if their names say enough.",
    bad: styled(["struct User", "  - name: string"]),
    good: styled(["# Somebody who can sign in.", "struct User", "  - name: string"]),
  },
  "unused-types": {
    rule: "In a schema with services, a method leads to every type.",
    reason: "What nothing leads to is generated all the same, and readers look for its use.",
    bad: styled(["# A user.", "struct User", ...usersService]),
    good: styled(usersService),
  },
  "unused-errors": {
    rule: "If each method lists its errors or has @noErrors, each error is listed.",
    reason:
      "An error that no method lists counts as the host's, so every method may return it. Removing the last mention of an error does that without a word.",
    bad: styled([...listedErrors, "# Locked.", 'error 2 UserLocked "locked" HTTP 403']),
    good: styled(listedErrors),
  },
  "missing-errors-clause": {
    rule: "If one method lists its errors or has @noErrors, all do.",
    reason:
      "A method with neither may return any error of the schema; beside others it reads as if it returned none.",
    bad: styled([...listedErrors, "  # Lists all.", "  - ListUsers() => (names: []string)"]),
    good: styled([...listedErrors, "  # Lists all.", "  @noErrors", "  - ListUsers() => (names: []string)"]),
  },
  "precision-loss": {
    rule: "A number that JSON carries as a number stays within 2^53 - 1.",
    reason:
      "JavaScript and many others read JSON numbers as doubles: 9007199254740993 becomes 9007199254740992 without a word.",
    bad: styled(["# An account.", "struct Account", "  - balance: uint64"]),
    good: styled([
      "# An account.",
      "struct Account",
      "  - balance: bigint",
      "  - visits: uint64",
      "    + maximum = 9007199254740991",
    ]),
  },
  "unsafe-pattern": {
    rule: "The time of a pattern grows with the length of the text, and no faster.",
    reason:
      "One request with a text made for it keeps the server busy for minutes (ReDoS); the texts that take long are found by recheck.",
    bad: styled(["# A label.", "type Label: string", '  + pattern = "^([a-z]+-?)+$"']),
    good: styled(["# A label.", "type Label: string", '  + pattern = "^[a-z]+(-[a-z]+)*$"']),
  },
  "deprecated-without-advice": {
    rule: "What is deprecated says what to use instead.",
    reason: "Whoever meets the warning has to know what to do.",
    bad: styled([
      "# Users.",
      "service Users",
      "  # Looks one up.",
      "  @deprecated",
      "  - Find(name: string)",
    ]),
    good: styled([
      "# Users.",
      "service Users",
      "  # Looks one up.",
      '  @deprecated:"use GetUser"',
      "  - Find(name: string)",
    ]),
  },
  "mixed-enum-values": {
    rule: "The numbers of an enum are all written out, or none is.",
    reason:
      "One that is left out is the place in the list, and not one more than the one before: below, NEXT is 1.",
    bad: styled(["# A step.", "enum Step: uint8", "  - FIRST = 5", "  - NEXT"]),
    good: styled(["# A step.", "enum Step: uint8", "  - FIRST = 5", "  - NEXT = 6"]),
  },
  "implicit-enum-values": {
    rule: "The numbers of an enum are written out.",
    reason:
      "A value that is put in between changes the numbers of all that follow, and what was stored means another one.",
    bad: styled(["# A step.", "enum Step: uint8", "  - FIRST", "  - NEXT"]),
    good: styled(["# A step.", "enum Step: uint8", "  - FIRST = 0", "  - NEXT = 1"]),
  },
  "unknown-lint-rule": {
    rule: "A comment that ignores a rule names one that exists.",
    reason: "Otherwise it ignores nothing, and nobody notices.",
    bad: styled(["#! ridlkit-ignore missing-doc: a name says it", "struct User"]),
    good: styled(["#! ridlkit-ignore missing-docs: a name says it", "struct User"]),
  },
};

/** A schema whose style is looked at. */
function styled(lines: readonly string[]): Example {
  return {
    files: { "api.ridl": [...headerLines, ...lines] },
    commands: ["ridlkit lint --rules strict api.ridl"],
  };
}

/** A schema that `ridlkit format --check` looks at. */
function formatted(lines: readonly string[]): Example {
  return { files: { "api.ridl": [...headerLines, ...lines] }, commands: ["ridlkit format --check api.ridl"] };
}
