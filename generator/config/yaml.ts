import type { ParsedNode } from "yaml";
import type { Span } from "../source/span.ts";
import type { ConfigEntry, ConfigNode } from "./node.ts";

export type YamlResult =
  | { readonly root: ConfigNode; readonly fault?: never }
  | { readonly root?: never; readonly fault: { readonly message: string; readonly span: Span } };

/** YAML 1.2 to a configuration with places; or the first thing that is not YAML. */
export async function readYaml(text: string): Promise<YamlResult> {
  const { parseDocument, isAlias, isMap, isSeq, isScalar } = await import("yaml");
  const document = parseDocument(text, { prettyErrors: false });
  const error = document.errors[0];
  if (error !== undefined) {
    const [start, end] = error.pos;
    return { fault: { message: sentencePart(error.message), span: { start, end } } };
  }

  function convert(node: ParsedNode | null): ConfigNode {
    if (node === null) return { kind: "null" };
    const span = { start: node.range[0], end: node.range[1] };
    if (isMap(node)) return { kind: "object", entries: node.items.map(convertPair), span };
    if (isSeq(node))
      return { kind: "array", items: node.items.map((item) => convert(item as ParsedNode)), span };
    if (isScalar(node)) return scalar(node.value, span);
    // A configuration has nothing to repeat, and an alias can blow a small text up to any size.
    return { kind: "other", what: isAlias(node) ? "an alias" : "a node of YAML that is no value", span };
  }

  function convertPair({ key, value }: { key: ParsedNode; value: ParsedNode | null }): ConfigEntry {
    const keySpan = { start: key.range[0], end: key.range[1] };
    // "key:" without a value has no node; its place is that of the key.
    const node: ConfigNode = value === null ? { kind: "null", span: keySpan } : convert(value);
    return {
      key: isScalar(key) ? String(key.value) : text.slice(keySpan.start, keySpan.end),
      keySpan,
      value: node,
    };
  }

  return { root: convert(document.contents) };
}

function scalar(value: unknown, span: Span): ConfigNode {
  if (typeof value === "string") return { kind: "string", value, span };
  if (typeof value === "number") return { kind: "number", value, span };
  if (typeof value === "boolean") return { kind: "boolean", value, span };
  return value === null ? { kind: "null", span } : { kind: "other", what: "a value of another kind", span };
}

/** `Implicit keys need to be on a single line` → `implicit keys need to be on a single line`. */
function sentencePart(message: string): string {
  return message.replace(/\.$/, "").replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}
