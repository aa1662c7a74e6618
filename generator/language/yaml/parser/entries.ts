import { suggest } from "../../diagnostics/suggest.ts";
import { isEmptyNode, type YamlEntry, type YamlMap, type YamlNode, type YamlScalar } from "../nodes.ts";
import type { ReadContext } from "./read-context.ts";

/**
 * Reads named items in order. They are a map, or a list of names and single-entry maps if names repeat or need no value.
 *
 *     { auth: key, internal: } = [auth: key, internal]
 */
export function entriesOf(node: YamlNode, what: string, context: ReadContext): readonly YamlEntry[] {
  if (isEmptyNode(node)) return [];
  if (node.kind === "map") return distinctEntries(node, context);
  if (node.kind === "list") return node.items.flatMap((item) => itemEntries(item, what, context));
  context.mismatch(node, what, "a map or a list");
  return [];
}

function itemEntries(item: YamlNode, what: string, context: ReadContext): readonly YamlEntry[] {
  if (item.kind === "scalar") {
    const { end } = item.span;
    return [{ key: item, value: { kind: "nothing", span: { start: end, end } } }];
  }
  if (item.kind === "map" && item.entries.length === 1) return item.entries;
  const advice = 'Start every item of a list with "- ", or write a map without it.';
  context.mismatch(item, `An item of ${lowerFirst(what)}`, "a name, or a map with one entry", { advice });
  return item.kind === "map" ? item.entries : [];
}

/** The entries of a map; reports duplicate keys. */
function distinctEntries({ entries }: YamlMap, context: ReadContext): readonly YamlEntry[] {
  const first = new Map<string, YamlScalar>();
  return entries.filter(({ key }) => {
    const earlier = first.get(key.text);
    if (earlier === undefined) {
      first.set(key.text, key);
      return true;
    }
    const notes = [{ message: "First given here.", at: { file: context.file, span: earlier.span } }];
    context.fault("yaml-duplicate-key", { key: key.text }, key.span, { notes });
    return false;
  });
}

/**
 * Reads a map by its known keys. A misspelt key is reported and read as the intended one, so that its value is checked as well.
 */
export class MapReader {
  readonly #entries: ReadonlyMap<string, YamlEntry>;

  constructor(map: YamlMap, keys: readonly string[], what: string, context: ReadContext) {
    const found = new Map<string, YamlEntry>();
    for (const entry of distinctEntries(map, context)) {
      const key = keys.includes(entry.key.text)
        ? entry.key.text
        : reportUnknownKey(entry.key, keys, what, context);
      if (key !== undefined && !found.has(key)) found.set(key, entry);
    }
    this.#entries = found;
  }

  entry(key: string): YamlEntry | undefined {
    return this.#entries.get(key);
  }

  get(key: string): YamlNode | undefined {
    return this.#entries.get(key)?.value;
  }
}

/** Reports an unknown key and returns the one that was probably meant. */
export function reportUnknownKey(
  key: YamlScalar,
  keys: readonly string[],
  what: string,
  context: ReadContext,
  otherwise: string = `The keys are ${keys.join(", ")}.`,
): string | undefined {
  const suggestion = suggest(key.text, keys);
  const edits = suggestion === undefined ? [] : [{ span: key.span, text: suggestion }];
  context.fault(
    "yaml-key-unknown",
    { key: key.text, what },
    key.span,
    suggestion === undefined
      ? { advice: otherwise }
      : {
          advice: `Did you mean "${suggestion}"?`,
          fix: { title: `Write "${suggestion}"`, file: context.file, edits },
        },
  );
  return suggestion;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
