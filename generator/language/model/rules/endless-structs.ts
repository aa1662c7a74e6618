import type { DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import type { StructNode, TypeNode } from "../../syntax/tree.ts";
import { aliasesOf } from "../meta/read.ts";
import type { Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * A struct must not require itself: a cycle of structs needs an optional field, a list or a map.
 * Bad: `struct Node` with `- next: Node`. Good: `- next?: Node`.
 */
export const endlessStructs: Rule = (scope, report) => {
  const settled = new Set<StructNode>();
  for (const node of scope.file.declarations) {
    if (node.kind !== "struct" || settled.has(node)) continue;
    const circle = findCircle(node, scope, settled);
    const [first] = circle;
    if (first !== undefined) {
      report(
        "endless-struct",
        { path: [...circle, first].map(({ name }) => name.text).join(" → ") },
        first.name.span,
        requiredFields(circle, scope),
      );
    }
  }
};

/** Maximum number of fields shown for a cycle, so that long cycles stay readable. */
const maxNotes = 5;

/** Notes for the fields that form the cycle, and advice to make the first one optional. */
function requiredFields(circle: readonly StructNode[], scope: Scope): DiagnosticExtras {
  const fields = circle.slice(0, maxNotes).flatMap((node, index) => {
    const target = circle[(index + 1) % circle.length];
    const field = node.fields.find(({ optional, type }) => !optional && structOf(type, scope) === target);
    const file = scope.typeByName.get(node.name.text)?.file.source;
    return field === undefined || file === undefined ? [] : [{ field, file, node }];
  });
  const [first] = fields;
  if (first === undefined) return {};
  const notes = fields.map(({ field, file, node }) => ({
    message: `"${node.name.text}" requires this field.`,
    at: { file, span: field.span },
  }));
  const { name, type } = first.field;
  const written = first.file.text.slice(type.span.start, type.span.end);
  return { notes, advice: `Make one of the fields optional, for example "${name.text}?: ${written}".` };
}

/** Depth-first search with an explicit stack, since chains of structs can exceed the call stack. */
function findCircle(root: StructNode, scope: Scope, settled: Set<StructNode>): StructNode[] {
  const path: { readonly node: StructNode; readonly needs: StructNode[] }[] = [];
  const onPath = new Set<StructNode>();
  const enter = (node: StructNode): void => {
    path.push({ node, needs: neededBy(node, scope) });
    onPath.add(node);
  };
  enter(root);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const next = top.needs.pop();
    if (next === undefined) {
      settled.add(top.node);
      onPath.delete(top.node);
      path.pop();
    } else if (onPath.has(next)) {
      const nodes = path.map(({ node }) => node);
      for (const node of nodes) settled.add(node);
      return nodes.slice(nodes.indexOf(next));
    } else if (!settled.has(next)) enter(next);
  }
  return [];
}

function neededBy(struct: StructNode, scope: Scope): StructNode[] {
  const needs: StructNode[] = [];
  for (const { optional, type, meta } of struct.fields) {
    const node =
      optional || meta.some(({ key }) => key.text === "nullable") ? undefined : structOf(type, scope);
    if (node !== undefined) needs.push(node);
  }
  return needs.reverse();
}

function structOf(type: TypeNode, scope: Scope): StructNode | undefined {
  const end = aliasesOf(type, scope).at(-1)?.type ?? type;
  const found = end.kind === "named" ? scope.typeByName.get(end.name)?.node : undefined;
  return found?.kind === "struct" ? found : undefined;
}
