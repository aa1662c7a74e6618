import type { Span } from "../source/span.ts";

/** What a YAML text says, without types: a scalar is the text as it is written, be it `no`, `0x10` or `1_000`. */
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
  /** Written in quotes or as a block, and not as it is. */
  readonly quoted: boolean;
  /** Its quotes included. */
  readonly span: Span;
}

/** Nothing after a colon or a dash. */
export interface YamlEmpty {
  readonly kind: "nothing";
  readonly span: Span;
}

/** Whether nothing is said: nothing written, or one of YAML's words for it where no text can stand. */
export function isEmptyNode(node: YamlNode): boolean {
  return (
    node.kind === "nothing" ||
    (node.kind === "scalar" && !node.quoted && /^(~|null|Null|NULL)$/.test(node.text))
  );
}

/** A map; nothing at all is an empty one. */
export function mapOrEmpty(node: YamlNode): YamlMap {
  return node.kind === "map" ? node : { kind: "map", entries: [], span: node.span };
}

/** `"a list"`. Short texts are quoted, so that the reader sees which one is meant. */
export function describe(node: YamlNode): string {
  switch (node.kind) {
    case "map":
      return node.entries.length === 0 ? "an empty map" : "a map";
    case "list":
      return node.items.length === 0 ? "an empty list" : "a list";
    case "scalar":
      return node.text.length > 40 || /[\n"]/.test(node.text) ? "a text" : `"${node.text}"`;
    case "nothing":
      return "nothing";
  }
}

/** Place of a part of a scalar. Behind escapes and line folds places are no longer known, and the whole stands for it. */
export function spanWithin({ text, quoted, span }: YamlScalar, start: number, end: number): Span {
  const quotes = quoted ? 1 : 0;
  if (span.end - span.start !== text.length + 2 * quotes) return span;
  return { start: span.start + quotes + start, end: span.start + quotes + end };
}
