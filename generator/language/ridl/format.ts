import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { SchemaFile } from "../syntax/tree.ts";
import { parse } from "./parse.ts";
import { print } from "./print/print.ts";
import { referenceComments } from "./reference-comments.ts";
import { firstMissing, significantText } from "./significant-text.ts";

export interface Formatted {
  /** Absent if the text has faults, or would lose something. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The text in canonical form, as `print` writes it, with the line breaks of its first line and without a byte order mark. A text
 * with faults is left alone, and so is one of which a word would be lost or whose IR would change: what is not printed is checked
 * against what is.
 */
export function format(source: SourceFile): Formatted {
  const text = source.text.replace(/^\uFEFF/, "");
  const input = text === source.text ? source : new SourceFile(source.path, text);
  const { file, diagnostics } = parse(input);
  if (diagnostics.some(({ severity }) => severity === "error")) return { diagnostics };
  const printed = print(file);
  const output = printed === text ? file : parse(new SourceFile(source.path, printed)).file;
  const loss = findLostText(file, output) ?? findMovedComment(file, output);
  if (loss !== undefined) return { diagnostics: [...diagnostics, loss] };
  return { text: /^[^\n]*\r\n/.test(text) ? printed.replaceAll("\n", "\r\n") : printed, diagnostics };
}

/** The first thing that printing loses: what the parser overlooks, as webrpc's does. */
function findLostText(before: SchemaFile, after: SchemaFile): Diagnostic | undefined {
  if (before === after) return undefined;
  const { source } = before;
  const written = significantText(source.text);
  const printed = significantText(after.source.text);
  const span = firstMissing(written.code, printed.code) ?? firstMissing(written.comments, printed.comments);
  if (span === undefined) return undefined;
  const text = source.text.slice(span.start, span.end).trim();
  return diagnose("format-loses", { text }, { file: source, span });
}

/** Whether every comment is still with what the reference tool gave it to. */
function findMovedComment(before: SchemaFile, after: SchemaFile): Diagnostic | undefined {
  if (before === after) return undefined;
  const nodes = commented(before);
  const now = commented(after);
  const longer = nodes.length > now.length ? nodes : now;
  const at = longer.findIndex((_, index) => (nodes[index]?.[1] ?? "") !== (now[index]?.[1] ?? ""));
  if (at === -1) return undefined;
  const [node] = nodes[at] ?? [before.declarations[0]];
  return diagnose("format-changes", {}, { file: before.source, span: node?.span ?? { start: 0, end: 0 } });
}

type Spanned = { readonly span: Span };

/** The nodes that have comments in the IR, each with them. */
function commented(file: SchemaFile): [node: Spanned, comments: string][] {
  const found = [...(referenceComments(file) as ReadonlyMap<Spanned, readonly string[]>)];
  return found.map(([node, comments]) => [node, comments.join("\n")]);
}
