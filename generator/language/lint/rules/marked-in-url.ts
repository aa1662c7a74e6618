import { cacheName } from "../../model/cache.ts";
import { wireNameOf } from "../../model/rules/json-names.ts";
import type { Scope, TypeDeclarationNode } from "../../model/scope.ts";
import { bodilessVerbs } from "../../syntax/route-verbs.ts";
import type { FieldNode, MetaNode, MethodNode, TypeNode } from "../../syntax/tree.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { methodsOf, namesIn } from "../walk.ts";

/** Bad: `@cache` on a method whose request has a secret. Good: the method without `@cache`, which is called by POST. */
export const markedInUrl: LintRule = defineRule({
  name: "marked-in-url",
  preset: "recommended",
  check(schema, report) {
    for (const { node, file, scope } of methodsOf(schema)) {
      if (!isCalledByUrl(node)) continue;
      const field = markedField(node, scope);
      if (field === undefined) continue;
      report({ field, method: node.name.text }, { file, span: node.name.span, owner: node });
    }
  },
});

function isCalledByUrl({ route, annotations }: MethodNode): boolean {
  return route === undefined
    ? annotations.some(({ name }) => name.text === cacheName)
    : bodilessVerbs.has(route.verb.text);
}

/** Returns the name of the first marked argument or field of a request, at any depth. */
function markedField({ input: { succinct, list } }: MethodNode, scope: Scope): string | undefined {
  const seen = new Set<string>();
  const inType = (type: TypeNode, owner: string): string | undefined => {
    for (const name of namesIn(type)) {
      if (seen.has(name)) continue;
      seen.add(name);
      const marked = inDeclaration(scope.typeByName.get(name)?.node, owner);
      if (marked !== undefined) return marked;
    }
    return undefined;
  };
  const inDeclaration = (node: TypeDeclarationNode | undefined, owner: string): string | undefined => {
    if (node?.kind === "struct") return inStruct(node.fields);
    if (node?.kind !== "alias") return undefined;
    return isMarked(node.meta) ? owner : inType(node.type, owner);
  };
  const inStruct = (fields: readonly FieldNode[]): string | undefined => {
    for (const field of fields) {
      const name = wireNameOf(field);
      if (name === undefined) continue;
      const marked = isMarked(field.meta) ? name : inType(field.type, name);
      if (marked !== undefined) return marked;
    }
    return undefined;
  };
  if (succinct !== undefined) return inType({ kind: "named", name: succinct.text, span: succinct.span }, "");
  for (const { name, type } of list) {
    const marked = inType(type, name.text);
    if (marked !== undefined) return marked;
  }
  return undefined;
}

function isMarked(meta: readonly MetaNode[]): boolean {
  return meta.some(
    ({ key, value }) => (key.text === "secret" || key.text === "pii") && value.value === "true",
  );
}
