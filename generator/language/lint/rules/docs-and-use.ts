import { errorsListedBy, listedErrors } from "../../model/annotations.ts";
import { errorDataOf } from "../../model/meta/read.ts";
import { foldCase } from "../../model/names.ts";
import type { Declared, Scope, TypeDeclarationNode } from "../../model/scope.ts";
import { docsOf } from "../../syntax/docs.ts";
import type { ArgumentsNode, Declaration, MethodNode, SchemaFile } from "../../syntax/tree.ts";
import { declarationsOf, defineRule, type LintedSchema, type LintRule, methodsOf, namesIn } from "../rule.ts";

const usersService: readonly string[] = [
  "# Users.",
  "service Users",
  "  # Finds a user.",
  "  - GetUser(name: string)",
];

const userWithErrors: readonly string[] = [
  "# No user has that name.",
  'error 1 UserGone "no such user" HTTP 404',
  "# Users.",
  "service Users",
  "  # Finds a user.",
  "  - GetUser(name: string) errors UserGone",
];

export const docsAndUseRules: readonly LintRule[] = [
  defineRule({
    name: "missing-docs",
    code: "RK720",
    preset: "strict",
    message: 'The {kind} "{name}" has no documentation.',
    advice: "Describe its purpose in a comment right above it.",
    rule: "Types, errors, services and methods have a comment right above them.",
    reason:
      "The comment becomes part of the generated code and documentation. Fields with clear names need no comment.",
    bad: ["struct User", "  - name: string"],
    good: ["# A person who can sign in.", "struct User", "  - name: string"],
    check(schema, report) {
      const declarations = declarationsOf(schema, "struct", "enum", "alias", "error", "service");
      for (const { node, file } of [...declarations, ...methodsOf(schema)]) {
        if (docsOf(file, node).some((line) => line.trim() !== "")) continue;
        const name = node.kind === "service" ? node.name.value : node.name.text;
        report({ kind: words[node.kind], name }, { file, span: node.name.span, owner: node });
      }
    },
  }),
  defineRule({
    name: "unused-types",
    code: "RK721",
    preset: "strict",
    message: 'No method uses the type "{name}".',
    advice: "Remove it, or add a comment above it: #! ridlkit-ignore unused-types: why",
    rule: "In a schema with services, every type is used by a method.",
    reason: "Code is generated for unused types too, and readers search for their use.",
    bad: ["# A user.", "struct User", ...usersService],
    good: usersService,
    check(schema, report) {
      // A schema without services is a library of types.
      if (schema.root.services.length === 0) return;
      const used = typesInUse(schema);
      for (const { node, file } of schema.root.types) {
        if (used.has(node)) continue;
        report({ name: node.name.text }, { file, span: node.name.span, owner: node });
      }
    },
  }),
  defineRule({
    name: "unused-errors",
    code: "RK722",
    preset: "strict",
    message: 'No method lists the error "{name}", so every method may return it.',
    advice:
      "List it where it is returned, or remove it; if a hook of the server raises it, add a comment above it: #! ridlkit-ignore unused-errors: why",
    rule: "If every method lists its errors or has @noErrors, every error is listed.",
    reason:
      "An error that no method lists may be raised by the server's hooks, so every method may return it. After an error is removed from the last method that lists it, every method may return it.",
    bad: [...userWithErrors, "# Locked.", 'error 2 UserLocked "locked" HTTP 403'],
    good: userWithErrors,
    // A method without a list may return any error, so a schema with such a method has no unused errors.
    check({ root }, report) {
      const services = root.services.map(({ node }) => node);
      const methods = services.flatMap((service) => service.methods);
      if (methods.length === 0 || methods.some((method) => listedErrors(method) === undefined)) return;
      const named = new Set(services.flatMap(errorsListedBy));
      for (const { node, file } of root.errors) {
        const { text: name, span } = node.name;
        if (!named.has(name)) report({ name }, { file, span, owner: node });
      }
    },
  }),
  defineRule({
    name: "missing-errors-clause",
    code: "RK723",
    preset: "strict",
    message: '"{name}" neither lists its errors nor has @noErrors, so it may return any error of the schema.',
    advice: "List its errors, or add @noErrors.",
    rule: "If one method lists its errors or has @noErrors, all methods do.",
    reason:
      "A method with neither may return any error of the schema, but next to the other methods it looks as if it returned none.",
    bad: [...userWithErrors, "  # Lists all.", "  - ListUsers() => (names: []string)"],
    good: [...userWithErrors, "  # Lists all.", "  @noErrors", "  - ListUsers() => (names: []string)"],
    check(schema, report) {
      const methods = [...methodsOf(schema)];
      const silent = methods.filter(({ node }) => listedErrors(node) === undefined);
      if (silent.length === methods.length) return;
      for (const { node, file } of silent) {
        const { text: name, span } = node.name;
        if (!node.proxy) report({ name }, { file, span, owner: node });
      }
    },
  }),
];

const words: Readonly<Record<(Declaration | MethodNode)["kind"], string>> = {
  struct: "struct",
  enum: "enum",
  alias: "type",
  error: "error",
  service: "service",
  method: "method",
};

function typesInUse({ scopes, root }: LintedSchema): ReadonlySet<TypeDeclarationNode> {
  const scopeOf = new Map<SchemaFile, Scope>(scopes.map((scope) => [scope.file, scope]));
  const used = new Set<TypeDeclarationNode>();
  const open: Declared<TypeDeclarationNode>[] = [];
  const use = (name: string, file: SchemaFile): void => {
    // Only the root scope knows a type that is reached through a partial import.
    const inFile = scopeOf.get(file)?.typeByFoldedName.get(foldCase(name));
    const found = inFile ?? root.typeByFoldedName.get(foldCase(name));
    if (found === undefined || used.has(found.node)) return;
    used.add(found.node);
    open.push(found);
  };
  for (const { node, file } of root.services) {
    for (const { input, output } of node.methods) {
      for (const name of [...namesOf(input), ...namesOf(output)]) use(name, file);
    }
  }
  for (const { node, file } of root.types)
    if (node.kind === "alias" && errorDataOf(node) !== undefined) use(node.name.text, file);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, file } = next;
    if (node.kind === "alias") for (const name of namesIn(node.type)) use(name, file);
    if (node.kind === "struct")
      for (const { type } of node.fields) for (const name of namesIn(type)) use(name, file);
  }
  return used;
}

function namesOf({ succinct, list }: ArgumentsNode): string[] {
  return succinct === undefined ? list.flatMap(({ type }) => namesIn(type)) : [succinct.text];
}
