/** Converts parts of an IR file to syntax tree nodes, for the rules and the model. */
import type { Span } from "../source/span.ts";
import type { AnnotationNode, Header, HeaderKey, MetaNode, Name, Text } from "../syntax/tree.ts";
import type { JsonFields } from "./json-fields.ts";
import type { IrMeta, IrSharedFields, IrValue } from "./schema.ts";

export function header(root: JsonFields, key: HeaderKey): Header[] {
  const value = root.text(key);
  const span = root.spanOf(key);
  if (value === "") return [];
  return [{ kind: "header", key, keySpan: span, value: { value, quoted: true, span }, span }];
}

export function nameOf(json: JsonFields): Name {
  return { text: json.text("name"), span: json.spanOf("name") };
}

export function textAt(json: JsonFields, key: string): Text {
  const value = json.text(key);
  return { value, quoted: isQuoted(value), span: json.spanOf(key) };
}

export function sharedFieldsOf(json: JsonFields): IrSharedFields {
  return { optional: json.boolean("optional"), value: json.text("value"), meta: json.anyObjects("meta") };
}

export function metaNodes(json: JsonFields): MetaNode[] {
  const span = json.spanOf("meta");
  return json.anyObjects("meta").flatMap((meta: IrMeta) =>
    [...(meta ?? [])].map(([key, value]) => ({
      key: { text: key, span },
      value: metaText(value, span),
      span,
    })),
  );
}

function metaText(meta: IrValue, span: Span): Text {
  const value = typeof meta === "string" ? meta : JSON.stringify(meta);
  return { value, quoted: isQuoted(value), span };
}

/** Guesses whether the schema quoted a value: numbers and booleans are usually bare. */
function isQuoted(value: string): boolean {
  return !/^(0|-?[1-9][0-9]{0,14}|true|false)$/.test(value);
}

export function annotationNodes(
  annotations: ReadonlyMap<string, JsonFields | null> | null,
  span: Span,
): AnnotationNode[] {
  return [...(annotations ?? [])].map(([name, json]) => {
    const value = json?.text("value") ?? "";
    const text = value === "" ? undefined : { value, quoted: true, span: json?.spanOf("value") ?? span };
    return { name: { text: name, span }, value: text, span };
  });
}

export function annotationOf(json: JsonFields): { annotationType: string; value: string } {
  return { annotationType: json.text("annotationType"), value: json.text("value") };
}
