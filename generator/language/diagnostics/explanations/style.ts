import type { style as codes } from "../catalog/style.ts";
import { type Example, type Explanations, headerLines } from "./explanation.ts";

const usersService: readonly string[] = [
  "# Users.",
  "service Users",
  "  # Finds a user.",
  "  - GetUser(name: string)",
];

const listedErrors: readonly string[] = [
  "# No user has that name.",
  'error 1 UserGone "no such user" HTTP 404',
  "# Users.",
  "service Users",
  "  # Finds a user.",
  "  - GetUser(name: string) errors UserGone",
];

export const style: Explanations<keyof typeof codes> = {
  "not-canonical": {
    rule: "With format --check, every file is formatted as ridlkit format writes it.",
    reason: "A common format ends discussions about spaces, and keeps diffs small.",
    bad: formatted(["struct   Order", "- id:uint64"]),
    good: formatted(["struct Order", "  - id: uint64"]),
  },
  "format-loses": {
    rule: "Formatting changes spaces and line breaks only.",
    reason: "A word that webrpc ignores is often a misspelt clause.",
    bad: formatted(["service Shop", "  - Buy(id: uint64) NotFound"]),
    good: formatted(["service Shop", "  - Buy(id: uint64)"]),
  },
  "format-changes": {
    rule: "Formatting does not change the IR or the schema hash.",
    reason:
      'webrpc reads the rest of a line after "#" as a comment, even in a string, and a new line break would shorten that comment.',
    bad: formatted(["service Shop", '  @note:"item #1" - Buy(id: uint64)']),
    good: formatted(["service Shop", '  @note:"item 1"', "  - Buy(id: uint64)"]),
  },
  "format-extension": {
    rule: "Only .ridl files are formatted.",
    reason: "JSON and YAML have their own formatters.",
    bad: { files: { "notes.md": ["# Notes"] }, commands: ["ridlkit format --check notes.md"] },
    good: formatted(["struct Order"]),
  },
  "naming-types": {
    rule: "The names of types are in PascalCase.",
    reason: "Nearly all schemas do this, and so do the languages that code is generated for.",
    bad: styled(["# What a user may do.", "struct User_Role"]),
    good: styled(["# What a user may do.", "struct UserRole"]),
  },
  "naming-fields": {
    rule: "The names of fields and arguments are in camelCase.",
    reason: "Generators turn them into names of their language. The meta key json sets another name in JSON.",
    bad: styled(["# A user.", "struct User", "  - created_at: timestamp"]),
    good: styled(["# A user.", "struct User", "  - createdAt: timestamp", "    + json = created_at"]),
  },
  "naming-methods": {
    rule: "The names of methods are in PascalCase.",
    reason: "They are part of the path of every call, so one style makes them easier to find.",
    bad: styled(["# Users.", "service Users", "  # Finds a user.", "  - get_user(name: string)"]),
    good: styled(["# Users.", "service Users", "  # Finds a user.", "  - GetUser(name: string)"]),
  },
  "naming-enum-values": {
    rule: "All values of an enum use one style: UPPER_CASE, lower_case, camelCase or PascalCase.",
    reason: "They are sent exactly as written, and callers easily misspell the one that differs.",
    bad: styled(["# A state.", "enum State: string", "  - ACTIVE", "  - inactive"]),
    good: styled(["# A state.", "enum State: string", "  - ACTIVE", "  - INACTIVE"]),
  },
  "naming-errors": {
    rule: "The names of errors are in PascalCase.",
    reason: "Each error becomes a class in generated code.",
    bad: styled(["# No user has that name.", 'error 1 User_Gone "no such user" HTTP 404']),
    good: styled(["# No user has that name.", 'error 1 UserGone "no such user" HTTP 404']),
  },
  "missing-docs": {
    rule: "Types, errors, services and methods have a comment right above them.",
    reason:
      "The comment becomes part of the generated code and documentation. Fields with clear names need no comment.",
    bad: styled(["struct User", "  - name: string"]),
    good: styled(["# A person who can sign in.", "struct User", "  - name: string"]),
  },
  "unused-types": {
    rule: "In a schema with services, every type is used by a method.",
    reason: "Code is generated for unused types too, and readers search for their use.",
    bad: styled(["# A user.", "struct User", ...usersService]),
    good: styled(usersService),
  },
  "unused-errors": {
    rule: "If every method lists its errors or has @noErrors, every error is listed.",
    reason:
      "An error that no method lists may be raised by the server's hooks, so every method may return it. After an error is removed from the last method that lists it, every method may return it.",
    bad: styled([...listedErrors, "# Locked.", 'error 2 UserLocked "locked" HTTP 403']),
    good: styled(listedErrors),
  },
  "missing-errors-clause": {
    rule: "If one method lists its errors or has @noErrors, all methods do.",
    reason:
      "A method with neither may return any error of the schema, but next to the other methods it looks as if it returned none.",
    bad: styled([...listedErrors, "  # Lists all.", "  - ListUsers() => (names: []string)"]),
    good: styled([...listedErrors, "  # Lists all.", "  @noErrors", "  - ListUsers() => (names: []string)"]),
  },
  "precision-loss": {
    rule: "A JSON number stays within 2^53 - 1.",
    reason:
      "JavaScript and many other languages read JSON numbers as doubles: 9007199254740993 silently becomes 9007199254740992.",
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
    rule: "The time to match a pattern is proportional to the length of the text.",
    reason:
      "Otherwise, a single crafted request can keep the server busy for minutes (ReDoS). `recheck`, an npm package, finds such inputs.",
    bad: styled(["# A label.", "type Label: string", '  + pattern = "^([a-z]+-?)+$"']),
    good: styled(["# A label.", "type Label: string", '  + pattern = "^[a-z]+(-[a-z]+)*$"']),
  },
  "deprecated-without-advice": {
    rule: "A deprecated item says what to use instead.",
    reason: "Readers of the warning need to know what to do.",
    bad: styled([
      "# Users.",
      "service Users",
      "  # Finds a user.",
      "  @deprecated",
      "  - Find(name: string)",
    ]),
    good: styled([
      "# Users.",
      "service Users",
      "  # Finds a user.",
      '  @deprecated:"use GetUser"',
      "  - Find(name: string)",
    ]),
  },
  "mixed-enum-values": {
    rule: "Either all numbers of an enum are written out, or none.",
    reason:
      "A value without a number gets its position in the list, not the previous number plus one. Below, NEXT is 1.",
    bad: styled(["# A step.", "enum Step: uint8", "  - FIRST = 5", "  - NEXT"]),
    good: styled(["# A step.", "enum Step: uint8", "  - FIRST = 5", "  - NEXT = 6"]),
  },
  "implicit-enum-values": {
    rule: "The numbers of an enum are written out.",
    reason: "Inserting a value renumbers all values after it, so stored numbers change their meaning.",
    bad: styled(["# A step.", "enum Step: uint8", "  - FIRST", "  - NEXT"]),
    good: styled(["# A step.", "enum Step: uint8", "  - FIRST = 0", "  - NEXT = 1"]),
  },
  "marked-in-url": {
    rule: "Secret and personal data is not sent in URLs.",
    reason:
      "Servers, proxies and browsers store URLs. GET, DELETE and QUERY routes send their fields in the URL, and so do methods with @cache.",
    bad: styled([
      "# A login.",
      "struct Login",
      "  # The token.",
      "  - token: string",
      "    + secret = true",
      "# The shop.",
      "service Shop",
      "  # Checks a login.",
      '  @readonly @cache:"60s"',
      "  - Check(login: Login) => (ok: bool)",
    ]),
    good: styled([
      "# A login.",
      "struct Login",
      "  # The token.",
      "  - token: string",
      "    + secret = true",
      "# The shop.",
      "service Shop",
      "  # Checks a login.",
      "  @readonly",
      "  - Check(login: Login) => (ok: bool)",
    ]),
  },
  "misspelt-annotations": {
    rule: "The annotations of ridlkit are spelt correctly.",
    reason: "Schemas may use any annotation, so a misspelt one has no effect and is not an error.",
    bad: styled([
      "# The shop.",
      "service Shop",
      "  # Buys a lamp.",
      "  @idempotencykey",
      "  - Buy(lamp: uint32)",
    ]),
    good: styled([
      "# The shop.",
      "service Shop",
      "  # Buys a lamp.",
      "  @idempotencyKey",
      "  - Buy(lamp: uint32)",
    ]),
  },
  "unknown-lint-rule": {
    rule: "A comment that ignores a rule names an existing rule.",
    reason: "Otherwise, it silently has no effect.",
    bad: styled(["#! ridlkit-ignore missing-doc: the name is clear", "struct User"]),
    good: styled(["#! ridlkit-ignore missing-docs: the name is clear", "struct User"]),
  },
};

/** A schema that is linted with all style rules. */
function styled(lines: readonly string[]): Example {
  return {
    files: { "api.ridl": [...headerLines, ...lines] },
    commands: ["ridlkit lint --rules strict api.ridl"],
  };
}

/** A schema that `ridlkit format --check` checks. */
function formatted(lines: readonly string[]): Example {
  return { files: { "api.ridl": [...headerLines, ...lines] }, commands: ["ridlkit format --check api.ridl"] };
}
