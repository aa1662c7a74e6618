import { type CatalogEntry, type Example, headerLines } from "../diagnostics/catalog/entry.ts";
import type { MessageParameters } from "../diagnostics/catalog.ts";
import type { DiagnosticExtras } from "../diagnostics/diagnostic.ts";
import type { Scope } from "../model/scope.ts";
import type { Span } from "../source/span.ts";
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

/** A schema without errors: one scope per file, with the scope of the root file last. */
export interface LintedSchema {
  readonly scopes: readonly Scope[];
  readonly root: Scope;
}

/** The location of a finding, and the item (`owner`) above which a comment can ignore it: for a meta key, its field. */
export interface LintLocation {
  readonly file: SchemaFile;
  readonly span: Span;
  readonly owner: { readonly span: Span };
}

export type LintReport<Message extends string> = (
  parameters: MessageParameters<Message>,
  location: LintLocation,
  extra?: DiagnosticExtras,
) => void;

interface LintCheck<Message extends string> {
  readonly name: string;
  /** The smallest preset with this rule: rules of `recommended` are also in `strict`. */
  readonly preset: Exclude<PresetName, "off">;
  check(schema: LintedSchema, report: LintReport<Message>): void | Promise<void>;
}

/** A rule about style or evolution, which can be switched off. */
export interface LintRule extends CatalogEntry, LintCheck<string> {}

export type PresetName = "off" | "default" | "recommended" | "strict";

/** What a rule is written as: the examples are lines of RIDL without the header lines, and are linted with all rules. */
interface LintRuleDefinition<Message extends string>
  extends LintCheck<Message>,
    Omit<CatalogEntry, "severity" | "message" | "examples"> {
  readonly message: Message;
  readonly bad: readonly string[];
  readonly good: readonly string[];
}

/** Checks at compile time that a rule reports the parameters of its message. */
export function defineRule<const Message extends string>({
  bad,
  good,
  ...rule
}: LintRuleDefinition<Message>): LintRule {
  const examples: LintRule["examples"] = () => ({ bad: linted(bad), good: linted(good) });
  return { ...rule, severity: "warning", examples };
}

function linted(lines: readonly string[]): Example {
  return {
    files: { "api.ridl": [...headerLines, ...lines] },
    commands: ["ridlkit lint --preset strict api.ridl"],
  };
}

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
