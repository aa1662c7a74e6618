import { hasCommentLine } from "../../syntax/docs.ts";
import type { AnnotationNode, MetaNode, MethodNode, SchemaFile, Text } from "../../syntax/tree.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";

/**
 * Reports content that the reference tool silently drops or garbles: documentation above annotations on several lines, and
 * non-ASCII characters in values.
 * Bad: `@auth:"key"` and `@internal` on separate lines. Good: `@auth:"key" @internal` on one.
 */
export const referenceLosses: Rule = (scope, report) => {
  const { file } = scope;
  if (file.format !== "ridl") return;
  if (beyondAscii.test(file.source.text)) for (const text of garbledTexts(file)) warnAboutValue(text, report);
  for (const node of file.declarations) {
    if (node.kind === "service") for (const method of node.methods) warnAboutDocs(method, file, report);
  }
};

/** Yields all texts that the reference tool unescapes byte by byte. */
function* garbledTexts({ headers, declarations }: SchemaFile): Generator<Garbled> {
  for (const { value } of headers) yield value;
  for (const node of declarations) {
    switch (node.kind) {
      case "error":
        if (node.message.quoted) yield node.message;
        break;
      case "alias":
        yield* metaTexts(node.meta);
        break;
      case "struct":
        for (const { meta } of node.fields) if (meta.length > 0) yield* metaTexts(meta);
        break;
      case "enum":
        for (const { value, meta } of node.values) {
          if (value !== undefined) yield value;
          yield* metaTexts(meta);
        }
        break;
      case "service":
        yield node.name;
        for (const { annotations } of node.methods)
          for (const { value } of annotations) if (value?.quoted === true) yield value;
    }
  }
}

const beyondAscii = /[^\x00-\x7f]/;

type Garbled = Pick<Text, "value" | "span">;

function* metaTexts(meta: readonly MetaNode[]): Generator<Garbled> {
  for (const { key, value } of meta) {
    yield { value: key.text, span: key.span };
    yield value;
  }
}

function warnAboutValue({ value, span }: Garbled, report: Report): void {
  if (beyondAscii.test(value)) report("non-ascii-value", {}, span);
}

function warnAboutDocs({ annotations, name }: MethodNode, file: SchemaFile, report: Report): void {
  const [first] = annotations;
  if (first === undefined || annotations.length < 2) return;
  const firstLine = file.source.lineAt(first.span.start);
  const isSpread = annotations.some(({ span }) => file.source.lineAt(span.start) !== firstLine);
  if (isSpread && hasCommentLine(file, firstLine - 1))
    report("annotations-hide-docs", { method: name.text }, first.span, () => onOneLine(annotations, file));
}

/** No fix if there are comments between the annotations: joining the lines would make them part of an annotation. */
function onOneLine(annotations: readonly AnnotationNode[], { source: file }: SchemaFile): ReportExtra {
  const gaps = annotations.slice(1).map(({ span }, index) => ({
    start: annotations[index]?.span.end ?? span.start,
    end: span.start,
  }));
  const between = gaps.map(({ start, end }) => file.text.slice(start, end));
  if (between.some((text) => text.trim() !== "")) return {};
  const edits = gaps
    .filter((_, index) => between[index]?.includes("\n"))
    .map((span) => ({ span, text: " " }));
  return { fix: { title: "Put the annotations on one line", file, edits } };
}
