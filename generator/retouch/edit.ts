import { parse } from "../ridl/parse.ts";
import { referenceComments } from "../ridl/reference-comments.ts";
import { SourceFile } from "../source/source-file.ts";
import { type Documented, docsOf } from "../syntax/docs.ts";
import type { Declaration, Header, Import, SchemaFile, StructNode } from "../syntax/tree.ts";

/** A struct in a text that is a part of its file, large enough for its comments to be found. */
export interface StructSite {
  readonly node: StructNode;
  readonly file: SchemaFile;
}

/** A struct that was edited: its two versions, and where it starts in its file now. */
export interface EditedStruct {
  readonly before: StructSite;
  readonly now: StructSite;
  readonly start: number;
}

/**
 * The structs in which a text differs from what it was. Undefined if it differs in anything else, or if that cannot be told without
 * reading all of what it was: lines of one declaration or of a few that follow each other may have changed, and comments above them.
 */
export function editedStructs(before: string, now: SchemaFile): readonly EditedStruct[] | undefined {
  const { text } = now.source;
  if (now.format !== "ridl") return undefined;
  if (text === before) return [];
  const nodes = nodesOf(now);
  const lines = changedLines(before, text);
  // One more on either side, so that no comment between two of them is torn off.
  const first = nodes.findLastIndex(({ span }) => span.start <= lines.start);
  const next = nodes.findIndex(({ span }) => span.start >= lines.end);
  if (first === -1) return undefined;
  const from = Math.max(first - 1, 0);
  const to = next === -1 ? nodes.length : next + 1;
  const start = nodes[from]?.span.start ?? 0;
  const end = nodes[to]?.span.start ?? text.length;
  if (!isLineStart(text, start) || !(end === text.length || isLineStart(text, end))) return undefined;
  const old = parsePart(before.slice(start, end + before.length - text.length), now);
  const part = parsePart(text.slice(start, end), now);
  if (old === undefined || part === undefined) return undefined;
  if (!isSameRow(part.nodes, nodes.slice(from, to), start)) return undefined;
  return pairs(old, part, start);
}

type Node = Header | Import | Declaration;

interface Part {
  readonly file: SchemaFile;
  readonly nodes: readonly Node[];
}

function nodesOf({ headers, imports, declarations }: SchemaFile): readonly Node[] {
  return [...headers, ...imports, ...declarations].sort((a, b) => a.span.start - b.span.start);
}

/** Whole lines, by their place in the new text. */
function changedLines(before: string, now: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(before.length, now.length);
  const same = longest(shorter, (length) => before.slice(0, length) === now.slice(0, length));
  const sameAtEnd = longest(
    shorter - same,
    (length) => before.slice(before.length - length) === now.slice(now.length - length),
  );
  const start = now.lastIndexOf("\n", same - 1) + 1;
  const lineEnd = now.indexOf("\n", now.length - sameAtEnd);
  return { start: same === 0 ? 0 : start, end: lineEnd === -1 ? now.length : lineEnd + 1 };
}

/** The largest number up to `most` that `holds`; with each number it holds for all that are smaller. */
function longest(most: number, holds: (length: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === "\n";
}

function parsePart(text: string, { source }: SchemaFile): Part | undefined {
  const { file, diagnostics } = parse(new SourceFile(source.path, text));
  if (diagnostics.some(({ severity }) => severity === "error")) return undefined;
  return { file, nodes: nodesOf(file) };
}

/** Whether a part of a file is read by itself as it is read in the file. */
function isSameRow(part: readonly Node[], whole: readonly Node[], start: number): boolean {
  return (
    part.length === whole.length &&
    part.every((node, index) => {
      const same = whole[index];
      return (
        same?.kind === node.kind &&
        same.span.start === node.span.start + start &&
        same.span.end === node.span.end + start
      );
    })
  );
}

function pairs(before: Part, now: Part, start: number): readonly EditedStruct[] | undefined {
  if (before.nodes.length !== now.nodes.length) return undefined;
  // The reference tool gives their comments to whatever follows, however far it is.
  if (now.nodes.some(({ kind }) => kind === "error")) return undefined;
  const isSame = sameness(before.file, now.file);
  const edited: EditedStruct[] = [];
  for (const [index, node] of now.nodes.entries()) {
    const old = before.nodes[index] as Node;
    if (isSame(old, node)) continue;
    if (node.kind !== "struct" || old.kind !== "struct" || node.name.text !== old.name.text) return undefined;
    edited.push({
      before: { node: old, file: before.file },
      now: { node, file: now.file },
      start: start + node.span.start,
    });
  }
  return edited;
}

/** Whether two nodes say the same, in words and in comments, be it to us or to the reference tool. */
function sameness(oldFile: SchemaFile, nowFile: SchemaFile): (old: Node, now: Node) => boolean {
  const [oldComments, nowComments] = [referenceComments(oldFile), referenceComments(nowFile)];
  const said = (node: Node, file: SchemaFile, comments: typeof oldComments): string =>
    JSON.stringify(documentedIn(node).map((one) => [docsOf(file, one), comments.get(one)]));
  return (old, now) =>
    old.kind === now.kind &&
    textOf(old, oldFile) === textOf(now, nowFile) &&
    said(old, oldFile, oldComments) === said(now, nowFile, nowComments);
}

function textOf({ span }: Node, { source }: SchemaFile): string {
  return source.text.slice(span.start, span.end);
}

function documentedIn(node: Node): readonly Documented[] {
  switch (node.kind) {
    case "struct":
      return [node, ...node.fields];
    case "enum":
      return [node, ...node.values];
    case "service":
      return [node, ...node.methods];
    case "alias":
    case "error":
      return [node];
    default:
      return [];
  }
}
