import { foldCase } from "../../model/names.ts";
import type { Declared, Scope, TypeDeclarationNode } from "../../model/scope.ts";
import type { ArgumentsNode, SchemaFile } from "../../syntax/tree.ts";
import { defineRule, type LintedSchema, type LintRule } from "../rule.ts";
import { namesIn } from "../walk.ts";

/** Reports types that no method uses. A schema without services is a library of types, so nothing is reported. */
export const unusedTypes: LintRule = defineRule({
  name: "unused-types",
  preset: "strict",
  check(schema, report) {
    if (schema.root.services.length === 0) return;
    const used = typesInUse(schema);
    for (const { node, file } of schema.root.types) {
      if (used.has(node)) continue;
      report({ name: node.name.text }, { file, span: node.name.span, owner: node });
    }
  },
});

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
