import type { MethodNode, SchemaFile } from "../../syntax/tree.ts";
import type { Report, Rule } from "../rule.ts";

/**
 * What the reference tool loses or garbles without a word: documentation above two lines of annotations, and characters outside
 * of ASCII in values.
 * Bad: `@auth:"key"` and `@internal` on lines of their own. Good: `@auth:"key" @internal` on one.
 */
export const referenceLosses: Rule = (scope, report) => {
  const { file } = scope;
  if (file.format === "ir") return;
  for (const { value } of file.headers) warnOfValue(value, report);
  for (const node of file.declarations) {
    if (node.kind === "error") warnOfValue(node.message, report);
    else if (node.kind === "alias") for (const { value } of node.meta) warnOfValue(value, report);
    else if (node.kind === "struct") {
      for (const { meta } of node.fields) for (const { value } of meta) warnOfValue(value, report);
    } else if (node.kind === "service") for (const method of node.methods) warnOfDocs(method, file, report);
  }
};

function warnOfValue(
  { value, span }: { value: string; span: { start: number; end: number } },
  report: Report,
): void {
  if (/[^\x00-\x7f]/.test(value)) report("non-ascii-value", {}, span);
}

function warnOfDocs({ annotations, name }: MethodNode, file: SchemaFile, report: Report): void {
  if (annotations.length < 2) return;
  const { source } = file;
  const lines = new Set(annotations.map(({ span }) => source.lineAt(span.start)));
  if (lines.size < 2) return;
  const above = Math.min(...lines) - 1;
  const hasDocs = file.comments.some(
    ({ span, trailing }) => !trailing && source.lineAt(span.start) === above,
  );
  const [first] = annotations;
  if (hasDocs && first !== undefined) report("annotations-hide-docs", { method: name.text }, first.span);
}
