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

/** A node with its file and scope. */
export interface Located<Node> {
  readonly node: Node;
  readonly file: SchemaFile;
  readonly scope: Scope;
}

/** The declarations of the given kinds in all files. */
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

/** A field, an argument or an alias: everything with a name and a type. */
export type TypedNode = FieldNode | ArgumentNode | Extract<Declaration, { kind: "alias" }>;

/** All fields, arguments and aliases, each with the item to which a comment above it belongs. */
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

/** The names that a type contains: `map<string,[]User>` → `string`, `User`. */
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
