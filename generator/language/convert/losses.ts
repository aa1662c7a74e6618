import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import type { Scope } from "../model/scope.ts";
import { commentsOf, docsOf, publicText } from "../syntax/docs.ts";
import type { Comment, SchemaFile } from "../syntax/tree.ts";
import { documentedIn } from "./detach.ts";

/**
 * Reports content of the schema files that the IR does not hold: private comments, documentation of enums and errors, and
 * proxies.
 */
export function findIrLosses(scope: Scope): Diagnostic[] {
  return [...filesOf(scope)].flatMap((file) => [...lossesOf(file)]);
}

function filesOf(root: Scope): Set<SchemaFile> {
  const scopes = new Set([root]);
  for (const { imports } of scopes) for (const { scope } of imports) scopes.add(scope);
  return new Set([...scopes].map(({ file }) => file));
}

function* lossesOf(file: SchemaFile): Generator<Diagnostic> {
  if (file.format === "ir") return;
  const loss = (what: string, span: Comment["span"]): Diagnostic =>
    diagnose("convert-loses", { what, form: "IR JSON" }, { file: file.source, span });
  const keptComments = new Set<Comment>();
  for (const node of documentedIn(file.declarations)) {
    const irHasDocs = node.kind !== "enum" && node.kind !== "error";
    const isExplicit = file.docs?.has(node) ?? false;
    if (!irHasDocs && isExplicit && docsOf(file, node).length > 0)
      yield loss("the docs of an enum or an error", node.name.span);
    if (!irHasDocs || isExplicit) continue;
    for (const comment of commentsOf(file, node))
      if (publicText(file, comment) !== undefined) keptComments.add(comment);
  }
  for (const comment of file.comments)
    if (!keptComments.has(comment)) yield loss("this comment", comment.span);
  for (const node of file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of node.methods)
      if (method.proxy) yield loss('the keyword "proxy" of a method', method.name.span);
  }
}
