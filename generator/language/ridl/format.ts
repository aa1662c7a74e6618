import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { SchemaFile } from "../syntax/tree.ts";
import { parse } from "./parse.ts";
import { print } from "./print/print.ts";
import { referenceComments } from "./reference-comments.ts";
import { firstMissing, significantText } from "./significant-text.ts";

export interface Formatted {
  /** Absent if the text has errors, or if formatting would lose something. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Formats a file canonically. Uses the line ending of the first line and removes a byte order mark. Leaves the text alone if it
 * has errors, if formatting would lose a word, or if the IR would change. The output is parsed again to check this.
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

/** Reports the first text that formatting would drop because the parser ignores it, as webrpc's parser does. */
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

/** Reports a comment that the reference tool would assign to another node after formatting. */
function findMovedComment(before: SchemaFile, after: SchemaFile): Diagnostic | undefined {
  if (before === after) return undefined;
  const nodesBefore = commentedNodes(before);
  const nodesAfter = commentedNodes(after);
  const longer = nodesBefore.length > nodesAfter.length ? nodesBefore : nodesAfter;
  const at = longer.findIndex(
    (_, index) => (nodesBefore[index]?.[1] ?? "") !== (nodesAfter[index]?.[1] ?? ""),
  );
  if (at === -1) return undefined;
  const [node] = nodesBefore[at] ?? [before.declarations[0]];
  return diagnose("format-changes", {}, { file: before.source, span: node?.span ?? { start: 0, end: 0 } });
}

type Spanned = { readonly span: Span };

/** Returns the nodes that have comments in the IR, with their comments. */
function commentedNodes(file: SchemaFile): [node: Spanned, comments: string][] {
  const found = [...(referenceComments(file) as ReadonlyMap<Spanned, readonly string[]>)];
  return found.map(([node, comments]) => [node, comments.join("\n")]);
}
