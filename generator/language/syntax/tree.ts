/**
 * What a schema text says, and nothing more: no resolved type, no wire name, no default. Every front end builds this tree,
 * and everything in it knows its place in the text. `readonly` all the way: a later stage builds its own values.
 */
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";

/** A word as it is written. */
export interface Name {
  readonly text: string;
  readonly span: Span;
}

/** A value, quoted or bare, after its escapes were read: `"a\tb"` has the value `a⇥b`. */
export interface Text {
  readonly value: string;
  readonly quoted: boolean;
  readonly span: Span;
}

/** One comment, from its "#" to the end of its line. What it says is read off the text when somebody asks: `syntax/docs.ts`. */
export interface Comment {
  readonly span: Span;
  /** Whether something else stands before it on its line. */
  readonly trailing: boolean;
}

export interface SchemaFile {
  readonly source: SourceFile;
  /** An IR file keeps the order of its types, and the reference tool checks less of it. */
  readonly format: "ridl" | "yaml" | "ir";
  readonly headers: readonly Header[];
  readonly imports: readonly Import[];
  readonly declarations: readonly Declaration[];
  /** All comments in order of appearance, attached or not. */
  readonly comments: readonly Comment[];
  /** What could not be read, and was reported; so that nothing is reported as missing that only could not be read. */
  readonly unparsed?: UnparsedParts;
  /** Documentation by node where the text says it outright; otherwise it is read off the comments. */
  readonly docs?: ReadonlyMap<object, readonly string[]>;
  /**
   * In a tree that was taken from its text: comments that are no documentation, "#" included, by the node they stand above, and
   * those at the end by the source.
   */
  readonly otherComments?: ReadonlyMap<object, readonly string[]>;
}

export interface UnparsedParts {
  /** The words of headers and declarations that are not in the tree: names that they may have declared. */
  readonly words: ReadonlySet<string>;
  /** Whether an import is not in the tree. */
  readonly imports: boolean;
  /** Services some of whose methods are not in the tree. */
  readonly services: ReadonlySet<ServiceNode>;
}

export type HeaderKey = "webrpc" | "name" | "version" | "basepath";

export interface Header {
  readonly kind: "header";
  readonly key: HeaderKey;
  readonly keySpan: Span;
  readonly value: Text;
  readonly span: Span;
}

export interface Import {
  readonly kind: "import";
  readonly path: Text;
  /** Empty: all members. */
  readonly members: readonly Text[];
  /** Where "import" stands, if this is one of the paths listed below it. */
  readonly list?: Span;
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
  readonly methods: readonly MethodNode[];
}

export interface MethodNode {
  readonly kind: "method";
  readonly span: Span;
  readonly name: Name;
  readonly proxy: boolean;
  readonly annotations: readonly AnnotationNode[];
  readonly input: ArgumentsNode;
  readonly output: ArgumentsNode;
  /** Names after `errors`, as written. */
  readonly errors: readonly Name[];
}

export interface AnnotationNode {
  readonly name: Name;
  readonly value: Text | undefined;
  readonly span: Span;
}

export interface ArgumentsNode {
  readonly stream: boolean;
  /** The one bare name of the succinct form `(GetUserRequest)`: the body is that struct. */
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

/** A core type or a reference to a declared one. */
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

/** Nothing where a type should stand: the reference parser lets `map<string,>` pass, and `[]` in an IR file. */
export interface MissingTypeNode {
  readonly kind: "missing";
  readonly span: Span;
}
