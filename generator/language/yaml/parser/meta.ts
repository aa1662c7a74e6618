import { isMetaKeyName, metaKeys } from "../../model/meta/keys.ts";
import type { MetaNode } from "../../syntax/tree.ts";
import { enumValueKeys, keysOf, typedKeys } from "../keys.ts";
import type { YamlEntry, YamlMap, YamlNode } from "../nodes.ts";
import { entriesOf, reportUnknownKey } from "./entries.ts";
import { type ReadContext, textOf } from "./read-context.ts";

/** The keys of a map. `meta`, and keys of other tools, which contain a dot, may follow. */
interface MetaMapKeys {
  readonly structural: readonly string[];
  /** Meta keys that are written directly in the map. */
  readonly direct: readonly string[];
}

const ofTyped: MetaMapKeys = { structural: keysOf(typedKeys), direct: Object.keys(metaKeys) };

const ofEnumValue: MetaMapKeys = {
  structural: keysOf(enumValueKeys).filter((key) => key !== "json"),
  direct: ["json"],
};

/**
 * Reads the map of a field, an alias or an enum value, with meta keys next to its own keys. Keys of ridlkit and keys with a dot,
 * which belong to other tools, are allowed there directly. Any other key goes under `meta`, so that a typo is not taken for a
 * custom key.
 */
export class MetaMapReader {
  readonly meta: readonly MetaNode[];
  /** Whether a key was rejected. If so, a missing key may just be misspelt, and is not reported. */
  readonly hasFailed: boolean;
  readonly #parts = new Map<string, YamlNode>();

  constructor(map: YamlMap, what: string, context: ReadContext, kind: "typed" | "enum-value" = "typed") {
    const { structural, direct } = kind === "typed" ? ofTyped : ofEnumValue;
    const known = [...structural, ...direct];
    const before = context.diagnostics.length;
    const meta: MetaNode[] = [];
    for (const entry of entriesOf(map, what, context)) {
      const { text } = entry.key;
      const key =
        known.includes(text) || text.includes(".")
          ? text
          : reportUnknownKey(entry.key, known, what, context, advice);
      if (key === undefined) continue;
      if (key === "meta") {
        for (const own of entriesOf(entry.value, '"meta"', context))
          meta.push(...readMeta(own, own.key.text, context));
      } else if (structural.includes(key)) this.#parts.set(key, entry.value);
      else meta.push(...readMeta(entry, key, context));
    }
    this.meta = meta;
    this.hasFailed = context.diagnostics.length > before;
  }

  get(key: "type" | "value" | "docs"): YamlNode | undefined {
    return this.#parts.get(key);
  }
}

const advice = 'Put custom keys under "meta".';

export function isMetaKey(key: string): boolean {
  return isMetaKeyName(key) || key.includes(".");
}

/** Reads a value, or a list of values for a repeated key: `alias: [chainID, chain_id]`. */
function readMeta({ key, value }: YamlEntry, text: string, context: ReadContext): MetaNode[] {
  const name = { text, span: key.span };
  const what = `"${text}"`;
  const nodes = value.kind === "list" ? value.items : [value];
  if (nodes.length === 0) context.mismatch(value, what, "a string, or a list of strings");
  return nodes.flatMap((node) => {
    // Meta values may be empty, unlike other strings: an IR file can contain empty ones.
    const scalar = node.kind === "scalar" && node.quoted ? node : context.scalar(node, what);
    if (scalar === undefined) return [];
    return [{ key: name, value: textOf(scalar), span: { start: key.span.start, end: scalar.span.end } }];
  });
}
