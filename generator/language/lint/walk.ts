import type { Scope } from "../model/scope.ts";
import type {
  ArgumentNode,
  Declaration,
  FieldNode,
  MetaNode,
  MethodNode,
  SchemaFile,
  ServiceNode,
  TypeNode,
} from "../syntax/tree.ts";
import type { LintedSchema } from "./rule.ts";

/** A node and the file and scope that it stands in. */
export interface Located<Node> {
  readonly node: Node;
  readonly file: SchemaFile;
  readonly scope: Scope;
}

/** Declarations of one kind, in all files. */
export function* declarationsOf<Kind extends Declaration["kind"]>(
  { scopes }: LintedSchema,
  ...kinds: readonly Kind[]
): Generator<Located<Extract<Declaration, { kind: Kind }>>> {
  const wanted: ReadonlySet<string> = new Set(kinds);
  for (const scope of scopes) {
    for (const node of scope.file.declarations) {
      if (wanted.has(node.kind))
        yield { node: node as Extract<Declaration, { kind: Kind }>, file: scope.file, scope };
    }
  }
}

export function* methodsOf(
  schema: LintedSchema,
): Generator<Located<MethodNode> & { readonly service: ServiceNode }> {
  for (const { node: service, ...rest } of declarationsOf(schema, "service")) {
    for (const node of service.methods) yield { node, service, ...rest };
  }
}

/** A field, an argument or an alias: what has a name, a type and, if it is no argument, meta lines. */
export type TypedNode = FieldNode | ArgumentNode | Extract<Declaration, { kind: "alias" }>;

/** Everything that has a type, with the item whose comments are its own. */
export function* typedNodesOf(
  schema: LintedSchema,
): Generator<
  Located<TypedNode> & { readonly meta: readonly MetaNode[]; readonly owner: TypedNode | MethodNode }
> {
  for (const { node, ...rest } of declarationsOf(schema, "struct", "alias")) {
    for (const typed of node.kind === "struct" ? node.fields : [node])
      yield { node: typed, meta: typed.meta, owner: typed, ...rest };
  }
  for (const { node: owner, file, scope } of methodsOf(schema)) {
    for (const node of [...owner.input.list, ...owner.output.list])
      yield { node, meta: [], owner, file, scope };
  }
}

/** The names in a type: `map<string,[]User>` → `string`, `User`. */
export function namesIn(type: TypeNode): string[] {
  switch (type.kind) {
    case "named":
      return [type.name];
    case "list":
      return namesIn(type.element);
    case "map":
      return [...namesIn(type.key), ...namesIn(type.value)];
    case "missing":
      return [];
  }
}
