import type { AnnotationNode, MethodNode, SchemaFile } from "../../syntax/tree.ts";
import { hasValue, noErrorsName } from "../listed-errors.ts";
import { replaceFix } from "../name-fixes.ts";
import type { ReportExtra, Rule } from "../rule.ts";

/**
 * `@noErrors` has no value, and must not be combined with a list of errors.
 * Bad: `@noErrors - Buy() errors SoldOut`. Good: `- Buy() errors SoldOut`.
 */
export const noErrors: Rule = (scope, report) => {
  const { file } = scope;
  for (const node of file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of node.methods) {
      const found = method.annotations.find(({ name }) => name.text === noErrorsName);
      if (found === undefined) continue;
      const parameters = { method: method.name.text };
      if (method.errors.length > 0)
        report("no-errors-and-list", parameters, found.span, () => withoutAnnotation(method, found, file));
      else if (hasValue(found))
        report("no-errors-value", parameters, found.span, () => withoutValue(found, file));
    }
  }
};

function withoutValue({ span }: AnnotationNode, { format, source: file }: SchemaFile): ReportExtra {
  return format === "ridl" ? { fix: replaceFix(`@${noErrorsName}`, { file, span }) } : {};
}

/** Removes the annotation and the whitespace around it. Offers no fix if other text is in between. */
function withoutAnnotation(
  { annotations }: MethodNode,
  { span }: AnnotationNode,
  { format, source: file }: SchemaFile,
): ReportExtra {
  if (format !== "ridl") return {};
  const earlier = annotations.findLast((other) => other.span.end <= span.start)?.span.end;
  const blanksBefore = earlier === undefined ? "" : file.text.slice(earlier, span.start);
  const blanksAfter = /^(?:[ \t]*\r?\n)?[ \t]*/.exec(file.text.slice(span.end))?.[0] ?? "";
  const isAlone = earlier === undefined;
  const next = file.text.charAt(span.end + blanksAfter.length);
  if (blanksBefore.trim() !== "" || (isAlone && next !== "-" && next !== "@")) return {};
  const edit = isAlone
    ? { start: span.start, end: span.end + blanksAfter.length }
    : { start: span.start - blanksBefore.length, end: span.end };
  return { fix: { title: `Remove "@${noErrorsName}"`, file, edits: [{ span: edit, text: "" }] } };
}
