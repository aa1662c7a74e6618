import { referenceComments, referenceLines } from "../ridl/reference-comments.ts";
import type { Span } from "../source/span.ts";
import { commentsOf, type Documented, docsOf, publicText } from "../syntax/docs.ts";
import type { Comment, Declaration, SchemaFile } from "../syntax/tree.ts";

/**
 * Returns a tree that no longer needs its source text: every comment becomes either documentation of a node or one of the other
 * comments above it. If the reference tool assigns different documentation to a node, the IR's documentation wins and the
 * comments are kept as private ones.
 */
export function detach(file: SchemaFile): SchemaFile {
  if (file.format === "ir") return { ...file, docs: file.docs ?? new Map() };
  const assigner = new CommentAssigner(file);
  for (const node of [...file.headers, ...file.imports]) assigner.addHeadNode(node);
  const reference = file.format === "ridl" ? referenceComments(file) : undefined;
  for (const node of documentedIn(file.declarations)) assigner.add(node, reference);
  assigner.assignRemaining();
  return { ...file, docs: assigner.docs, otherComments: assigner.otherComments };
}

type Node = Documented & { readonly kind: string; readonly name: { readonly span: Span } };

class CommentAssigner {
  readonly docs: Map<object, readonly string[]> = new Map();
  readonly otherComments: Map<object, string[]> = new Map();
  /** Private comments from directly above a node; they stay directly above it. */
  readonly #adjacent = new Map<object, string[]>();
  readonly #file: SchemaFile;
  readonly #assigned = new Set<Comment>();
  /** All nodes that can have comments above them, with their start offsets. */
  readonly #nodes: { readonly node: object; readonly start: number; readonly isHead: boolean }[] = [];

  constructor(file: SchemaFile) {
    this.#file = file;
  }

  /** Adds a header or an import. Comments above it describe the file and are not in the IR. */
  addHeadNode(node: { readonly span: { readonly start: number } }): void {
    this.#nodes.push({ node, start: node.span.start, isHead: true });
  }

  add(node: Node, reference: ReadonlyMap<object, readonly string[]> | undefined): void {
    const start = Math.min(node.span.start, node.annotations?.[0]?.span.start ?? node.span.start);
    this.#nodes.push({ node, start, isHead: false });
    const comments = commentsOf(this.#file, node).filter((comment) => !this.#assigned.has(comment));
    for (const comment of comments) this.#assigned.add(comment);
    const docs = docsOf(this.#file, node);
    const irDocs = reference === undefined || !isInIr(node) ? undefined : (reference.get(node) ?? []);
    const agreesWithIr = irDocs === undefined || sameLines(referenceLines(docs), irDocs);
    this.docs.set(node, agreesWithIr ? docs : irDocs);
    const hasOwnDocs = this.#file.docs?.has(node) ?? false;
    for (const comment of comments) {
      const isDocumentation = agreesWithIr && !hasOwnDocs && publicText(this.#file, comment) !== undefined;
      if (!isDocumentation) append(this.#adjacent, node, this.#private(comment));
    }
  }

  /** Assigns comments that belong to no node: a trailing comment to the node before it, any other to the next node. */
  assignRemaining(): void {
    const nodes = this.#nodes.toSorted((a, b) => a.start - b.start);
    let next = 0;
    let last: { owner: object; line: number } | undefined;
    for (const comment of this.#file.comments) {
      while ((nodes[next]?.start ?? Number.POSITIVE_INFINITY) < comment.span.start) next++;
      if (this.#assigned.has(comment)) continue;
      const line = this.#file.source.lineAt(comment.span.start);
      const owner = (comment.trailing ? nodes[next - 1] : undefined) ?? nodes[next];
      const text = this.#text(comment);
      const node = owner?.node ?? this.#file.source;
      if (last?.owner === node && line > last.line + 1 && owner?.isHead !== true)
        append(this.otherComments, node, "");
      last = { owner: node, line };
      if (owner === undefined) append(this.otherComments, node, text);
      else if (owner.isHead && !text.startsWith("#!"))
        this.docs.set(owner.node, [...(this.docs.get(owner.node) ?? []), text.replace(/^# ?/, "")]);
      else append(this.otherComments, node, comment.trailing ? this.#private(comment) : text);
    }
    for (const [node, texts] of this.#adjacent)
      for (const text of texts) append(this.otherComments, node, text);
  }

  #text({ span }: Comment): string {
    return this.#file.source.text.slice(span.start, span.end).trimEnd();
  }

  /** `# note` → `#! note`, so that the comment is not mistaken for documentation in its new position. */
  #private(comment: Comment): string {
    return this.#text(comment).replace(/^#!?/, "#!");
  }
}

function append(lists: Map<object, string[]>, node: object, text: string): void {
  const list = lists.get(node);
  if (list === undefined) lists.set(node, [text]);
  else list.push(text);
}

/** The IR has no documentation of enums and errors. */
function isInIr({ kind }: Node): boolean {
  return kind !== "enum" && kind !== "error";
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

export function* documentedIn(declarations: readonly Declaration[]): Generator<Node> {
  for (const node of declarations) {
    yield node;
    if (node.kind === "struct") yield* node.fields;
    else if (node.kind === "enum") yield* node.values;
    else if (node.kind === "service") yield* node.methods;
  }
}
