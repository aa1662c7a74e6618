import type { Span } from "../source/span.ts";

/** Untyped YAML: a scalar is its text as written, such as `no`, `0x10` or `1_000`. */
export type YamlNode = YamlMap | YamlList | YamlScalar | YamlEmpty;

export interface YamlMap {
  readonly kind: "map";
  readonly entries: readonly YamlEntry[];
  readonly span: Span;
}

export interface YamlEntry {
  readonly key: YamlScalar;
  readonly value: YamlNode;
}

export interface YamlList {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
  readonly span: Span;
}

export interface YamlScalar {
  readonly kind: "scalar";
  readonly text: string;
  /** Written in quotes or as a block scalar. */
  readonly quoted: boolean;
  /** Includes the quotes. */
  readonly span: Span;
}

/** No value after a colon or a dash. */
export interface YamlEmpty {
  readonly kind: "nothing";
  readonly span: Span;
}

/** Whether a node is empty: no value, or an unquoted null where text is not allowed. */
export function isEmptyNode(node: YamlNode): boolean {
  return (
    node.kind === "nothing" ||
    (node.kind === "scalar" && !node.quoted && /^(~|null|Null|NULL)$/.test(node.text))
  );
}

/** Returns a map; an empty node counts as an empty map. */
export function mapOrEmpty(node: YamlNode): YamlMap {
  return node.kind === "map" ? node : { kind: "map", entries: [], span: node.span };
}

/** Describes a node for a message: `"a list"`. Quotes short strings in full. */
export function describe(node: YamlNode): string {
  switch (node.kind) {
    case "map":
      return node.entries.length === 0 ? "an empty map" : "a map";
    case "list":
      return node.items.length === 0 ? "an empty list" : "a list";
    case "scalar":
      return node.text.length > 40 || /[\n"]/.test(node.text) ? "a string" : `"${node.text}"`;
    case "nothing":
      return "nothing";
  }
}

/**
 * The span of a part of a scalar. If the scalar has escapes or line folds, offsets are unknown and the whole span is returned.
 */
export function spanWithin({ text, quoted, span }: YamlScalar, start: number, end: number): Span {
  const quotes = quoted ? 1 : 0;
  if (span.end - span.start !== text.length + 2 * quotes) return span;
  return { start: span.start + quotes + start, end: span.start + quotes + end };
}
