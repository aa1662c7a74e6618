/**
 * The syntax tree: a schema as written, without resolved types, wire names or defaults. Every parser builds it, and every node has
 * a span. It is `readonly`: later stages build their own values.
 */
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";

export interface Name {
  readonly text: string;
  readonly span: Span;
}

/** A quoted or bare value with escapes resolved: `"a\tb"` has the value `a⇥b`. */
export interface Text {
  readonly value: string;
  readonly quoted: boolean;
  readonly span: Span;
}

/** One comment, from "#" to the end of its line. Its text is read on demand: see `syntax/docs.ts`. */
export interface Comment {
  readonly span: Span;
  /** Whether the comment follows other content on its line. */
  readonly trailing: boolean;
}

export interface SchemaFile {
  readonly source: SourceFile;
  /** An IR file keeps the order of its types, and the reference tool checks less of it. */
  readonly format: "ridl" | "yaml" | "ir";
  readonly headers: readonly Header[];
  readonly imports: readonly Import[];
  readonly declarations: readonly Declaration[];
  /** All comments in order of appearance, whether they document a node or not. */
  readonly comments: readonly Comment[];
  /** Parts that failed to parse. They suppress errors about missing names that may be declared there. */
  readonly unparsed?: UnparsedParts;
  /** Documentation by node, if the source states it explicitly. Otherwise documentation is read from the comments. */
  readonly docs?: ReadonlyMap<object, readonly string[]>;
  /**
   * In a tree detached from its text: comments that are not documentation, "#" included, by the node below them. Comments at the
   * end of the file are keyed by the source file.
   */
  readonly otherComments?: ReadonlyMap<object, readonly string[]>;
}

export interface UnparsedParts {
  /** All words of headers and declarations that failed to parse: any of them may be a declared name. */
  readonly words: ReadonlySet<string>;
  readonly imports: boolean;
  /** Services with methods that failed to parse. */
  readonly services: ReadonlySet<ServiceNode>;
}

export type HeaderKey = "webrpc" | "name" | "version" | "basepath";

export interface Header {
  readonly kind: "header";
  readonly key: HeaderKey;
  readonly value: Text;
  readonly span: Span;
}

export interface Import {
  readonly kind: "import";
  readonly path: Text;
  /** Empty means all members. */
  readonly members: readonly Text[];
  /** Span of the keyword "import" above a list of paths, if this import is in such a list. */
  readonly listKeywordSpan?: Span;
  readonly span: Span;
}

export type Declaration = EnumNode | StructNode | AliasNode | ErrorNode | ServiceNode;

export interface EnumNode {
  readonly kind: "enum";
  readonly span: Span;
  readonly name: Name;
  readonly base: Name;
  readonly values: readonly EnumValueNode[];
}

export interface EnumValueNode {
  readonly kind: "enum-value";
  readonly span: Span;
  readonly name: Name;
  readonly value: Text | undefined;
  readonly meta: readonly MetaNode[];
}

export interface StructNode {
  readonly kind: "struct";
  readonly span: Span;
  readonly name: Name;
  readonly fields: readonly FieldNode[];
}

export interface FieldNode {
  readonly kind: "field";
  readonly span: Span;
  readonly name: Name;
  readonly optional: boolean;
  readonly type: TypeNode;
  readonly meta: readonly MetaNode[];
}

export interface AliasNode {
  readonly kind: "alias";
  readonly span: Span;
  readonly name: Name;
  readonly type: TypeNode;
  readonly meta: readonly MetaNode[];
}

/** `+ key = value`. */
export interface MetaNode {
  readonly key: Name;
  readonly value: Text;
  readonly span: Span;
}

export interface ErrorNode {
  readonly kind: "error";
  readonly span: Span;
  readonly code: Name;
  readonly name: Name;
  readonly message: Text;
  readonly httpStatus: Name | undefined;
}

export interface ServiceNode {
  readonly kind: "service";
  readonly span: Span;
  readonly name: Text;
  /** The prefix of its routes. */
  readonly path: Text | undefined;
  readonly methods: readonly MethodNode[];
}

/** `GET /pets/{id}`: the HTTP method and path of a method, in place of `POST` and its default path. */
export interface RouteNode {
  readonly verb: Name;
  readonly path: Text;
  readonly span: Span;
}

export interface MethodNode {
  readonly kind: "method";
  readonly span: Span;
  readonly name: Name;
  readonly proxy: boolean;
  readonly annotations: readonly AnnotationNode[];
  readonly input: ArgumentsNode;
  readonly output: ArgumentsNode;
  readonly errors: readonly Name[];
  /** Written below the method, and not part of its span. */
  readonly route?: RouteNode;
}

export interface AnnotationNode {
  readonly name: Name;
  readonly value: Text | undefined;
  readonly span: Span;
}

export interface ArgumentsNode {
  readonly stream: boolean;
  /** The name in the succinct form `(GetUserRequest)`: that struct is the body. */
  readonly succinct: Name | undefined;
  readonly list: readonly ArgumentNode[];
  readonly span: Span;
}

export interface ArgumentNode {
  readonly name: Name;
  readonly optional: boolean;
  readonly type: TypeNode;
  readonly span: Span;
}

export type TypeNode = NamedTypeNode | ListTypeNode | MapTypeNode | MissingTypeNode;

/** A core type, or a reference to a declared type. */
export interface NamedTypeNode {
  readonly kind: "named";
  readonly name: string;
  readonly span: Span;
}

export interface ListTypeNode {
  readonly kind: "list";
  readonly element: TypeNode;
  readonly span: Span;
}

export interface MapTypeNode {
  readonly kind: "map";
  readonly key: TypeNode;
  readonly value: TypeNode;
  readonly span: Span;
}

/** A missing type: the reference parser accepts `map<string,>`, and `[]` in an IR file. */
export interface MissingTypeNode {
  readonly kind: "missing";
  readonly span: Span;
}

/** Returns the methods of all services of a file. */
export function methodsIn({ declarations }: SchemaFile): readonly MethodNode[] {
  return declarations.flatMap((node) => (node.kind === "service" ? node.methods : []));
}

export function annotationNamed({ annotations }: MethodNode, wanted: string): AnnotationNode | undefined {
  return annotations.find(({ name }) => name.text === wanted);
}
