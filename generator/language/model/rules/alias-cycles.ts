import type { AliasNode, TypeNode } from "../../syntax/tree.ts";
import type { Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * An alias must resolve to a type that is not an alias.
 * Bad: `type A: B`, `type B: A`. Good: `type A: B`, `type B: string`.
 */
export const aliasCycles: Rule = (scope, report) => {
  const settled = new Set<AliasNode>();
  for (const node of scope.file.declarations) {
    if (node.kind !== "alias") continue;
    const path = new Set<AliasNode>();
    let at: AliasNode | undefined = node;
    while (at !== undefined && !settled.has(at) && !path.has(at)) {
      path.add(at);
      at = nextAlias(at.type, scope);
    }
    if (at !== undefined && !settled.has(at)) {
      const nodes = [...path];
      const circle = [...nodes.slice(nodes.indexOf(at)), at].map(({ name }) => name.text);
      report("alias-cycle", { path: circle.join(" → ") }, at.name.span);
    }
    for (const alias of path) settled.add(alias);
  }
};

/** Returns the alias that this one renames. A list of itself is valid: `[[], [[]]]` is a value of `type A: []A`. */
function nextAlias(type: TypeNode, scope: Scope): AliasNode | undefined {
  const found = type.kind === "named" ? scope.typeByName.get(type.name) : undefined;
  return found?.node.kind === "alias" && found.file === scope.file ? found.node : undefined;
}
