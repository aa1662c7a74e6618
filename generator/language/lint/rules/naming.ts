import { isCamelCase, isPascalCase, toCamelCase, toPascalCase } from "../casing.ts";
import { declarationsOf, defineRule, type LintRule, methodsOf, typedNodesOf } from "../rule.ts";

export const namingRules: readonly LintRule[] = [
  defineRule({
    name: "naming-types",
    code: "RK710",
    preset: "recommended",
    message: 'The type "{name}" is not in PascalCase.',
    rule: "The names of types are in PascalCase.",
    reason: "Nearly all schemas do this, and so do the languages that code is generated for.",
    bad: ["# What a user may do.", "struct User_Role"],
    good: ["# What a user may do.", "struct UserRole"],
    check(schema, report) {
      for (const { node, file } of declarationsOf(schema, "struct", "enum", "alias")) {
        const { text: name, span } = node.name;
        if (!isPascalCase(name)) report({ name }, { file, span, owner: node }, pascalAdvice(name));
      }
    },
  }),
  defineRule({
    name: "naming-fields",
    code: "RK711",
    preset: "strict",
    message: '"{name}" is not in camelCase.',
    rule: "The names of fields and arguments are in camelCase.",
    reason: "Generators turn them into names of their language. The meta key json sets another name in JSON.",
    bad: ["# A user.", "struct User", "  - created_at: timestamp"],
    good: ["# A user.", "struct User", "  - createdAt: timestamp", "    + json = created_at"],
    check(schema, report) {
      for (const { node, owner, file } of typedNodesOf(schema)) {
        const { text: name, span } = node.name;
        if (("kind" in node && node.kind === "alias") || isCamelCase(name)) continue;
        const better = toCamelCase(name);
        report({ name }, { file, span, owner }, isCamelCase(better) ? { advice: `Write "${better}".` } : {});
      }
    },
  }),
  defineRule({
    name: "naming-methods",
    code: "RK712",
    preset: "recommended",
    message: 'The method "{name}" is not in PascalCase.',
    rule: "The names of methods are in PascalCase.",
    reason: "They are part of the path of every call, so one style makes them easier to find.",
    bad: ["# Users.", "service Users", "  # Finds a user.", "  - get_user(name: string)"],
    good: ["# Users.", "service Users", "  # Finds a user.", "  - GetUser(name: string)"],
    check(schema, report) {
      for (const { node, file } of methodsOf(schema)) {
        const { text: name, span } = node.name;
        if (!isPascalCase(name)) report({ name }, { file, span, owner: node }, pascalAdvice(name));
      }
    },
  }),
  defineRule({
    name: "naming-enum-values",
    code: "RK713",
    preset: "recommended",
    message: '"{name}" and "{other}", both in the same enum, use different naming styles.',
    advice: "Use one style for all values of an enum.",
    rule: "All values of an enum use one style: UPPER_CASE, lower_case, camelCase or PascalCase.",
    reason: "They are sent exactly as written, and callers easily misspell the one that differs.",
    bad: ["# A state.", "enum State: string", "  - ACTIVE", "  - inactive"],
    good: ["# A state.", "enum State: string", "  - ACTIVE", "  - INACTIVE"],
    check(schema, report) {
      for (const { node, file } of declarationsOf(schema, "enum")) {
        let possible = Object.values(casings);
        for (const value of node.values) {
          const { text: name, span } = value.name;
          const left = possible.filter((casing) => casing.test(name));
          if (left.length > 0) {
            possible = left;
            continue;
          }
          const first = node.values[0]?.name.text ?? name;
          if (first !== name) report({ name, other: first }, { file, span, owner: value });
          break;
        }
      }
    },
  }),
  defineRule({
    name: "naming-errors",
    code: "RK714",
    preset: "recommended",
    message: 'The error "{name}" is not in PascalCase.',
    rule: "The names of errors are in PascalCase.",
    reason: "Each error becomes a class in generated code.",
    bad: ["# No user has that name.", 'error 1 User_Gone "no such user" HTTP 404'],
    good: ["# No user has that name.", 'error 1 UserGone "no such user" HTTP 404'],
    check(schema, report) {
      for (const { node, file } of declarationsOf(schema, "error")) {
        const { text: name, span } = node.name;
        if (!isPascalCase(name)) report({ name }, { file, span, owner: node }, pascalAdvice(name));
      }
    },
  }),
];

/** Naming styles, the strictest first, because a single word may match several styles. */
const casings: Readonly<Record<string, RegExp>> = {
  UPPER_CASE: /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/,
  lower_case: /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
  camelCase: /^[a-z][A-Za-z0-9]*$/,
  PascalCase: /^[A-Z][A-Za-z0-9]*$/,
};

/** Suggests a name in PascalCase. */
function pascalAdvice(name: string): { readonly advice?: string } {
  const better = toPascalCase(name);
  return isPascalCase(better) ? { advice: `Write "${better}".` } : {};
}
