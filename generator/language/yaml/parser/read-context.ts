import type { CatalogName, ParametersOf } from "../../diagnostics/catalog.ts";
import { type Diagnostic, type DiagnosticExtras, diagnose } from "../../diagnostics/diagnostic.ts";
import { suggest } from "../../diagnostics/suggest.ts";
import { knownAnnotations } from "../../model/annotations.ts";
import { isMetaKeyName } from "../../model/meta/keys.ts";
import { replaceFix } from "../../model/names.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import type { Name, Text } from "../../syntax/tree.ts";
import {
  describe,
  isEmptyNode,
  spanWithin,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from "../nodes.ts";

/** Maximum number of diagnostics per file, far more than are shown. */
const maxFaults = 1_000;

/** The diagnostics and documentation of one file. Methods that fail report once and return `undefined`. */
export class ReadContext {
  readonly file: SourceFile;
  readonly diagnostics: Diagnostic[] = [];
  readonly docs: Map<object, readonly string[]> = new Map();

  constructor(file: SourceFile) {
    this.file = file;
  }

  fault<Code extends CatalogName>(
    name: Code,
    parameters: ParametersOf<Code>,
    span: Span,
    extra: DiagnosticExtras = {},
  ): undefined {
    if (this.diagnostics.length < maxFaults)
      this.diagnostics.push(diagnose(name, parameters, { file: this.file, span }, extra));
    return undefined;
  }

  /** Reports a node of the wrong kind: `mismatch(node, "The code of an error", "a number")`. */
  mismatch(node: YamlNode, what: string, wanted: string, extra: DiagnosticExtras = {}): undefined {
    return this.fault("yaml-kind", { what, wanted, found: describe(node) }, node.span, extra);
  }

  /** Reads a scalar that is not empty. */
  scalar(node: YamlNode, what: string): YamlScalar | undefined {
    if (node.kind === "scalar" && node.text !== "") return node;
    if (node.kind === "nothing" || node.kind === "scalar")
      return this.fault("yaml-missing-value", { what }, node.span);
    const [first, ...more] = node.kind === "list" ? node.items : [];
    const isOne = first?.kind === "scalar" && more.length === 0;
    return this.mismatch(node, what, "a string", isOne ? withoutBrackets(first.text) : {});
  }

  text(node: YamlNode, what: string): Text | undefined {
    const scalar = this.scalar(node, what);
    return scalar && textOf(scalar);
  }

  /** Reads a name that RIDL can write. */
  name(node: YamlNode, what: string, extra: DiagnosticExtras = {}): Name | undefined {
    const scalar = this.scalar(node, what);
    if (scalar === undefined) return undefined;
    const { text } = scalar;
    if (isRidlWord(text)) return { text, span: spanOfName(scalar) };
    return this.fault("yaml-name", { what, name: text }, scalar.span, extra);
  }

  /** Reads a name that may end with "?", which marks it optional. */
  optionalName(
    node: YamlNode,
    what: string,
  ): { readonly name: Name; readonly optional: boolean } | undefined {
    const scalar = this.scalar(node, what);
    if (scalar === undefined) return undefined;
    const optional = scalar.text.endsWith("?");
    if (!optional) {
      const name = this.name(scalar, what);
      return name && { name, optional };
    }
    const text = scalar.text.slice(0, -1);
    if (isRidlWord(text)) return { name: { text, span: spanWithin(scalar, 0, text.length) }, optional };
    return this.fault("yaml-name", { what, name: text }, scalar.span);
  }
}

/** Advice on a list of one item where a string is expected. */
export function withoutBrackets(item: string): DiagnosticExtras {
  return { advice: `Write ${item} without a list.` };
}

export function textOf({ text, quoted, span }: YamlScalar): Text {
  return { value: text, quoted, span };
}

/** The span without quotes, so that a fix can replace the name. */
function spanOfName({ text, quoted, span }: YamlScalar): Span {
  if (!quoted || span.end - span.start !== text.length + 2) return span;
  return { start: span.start + 1, end: span.end - 1 };
}

/** Whether RIDL's lexer reads the text as one word. */
export function isRidlWord(text: string): boolean {
  return /^[A-Za-z0-9_][^\0 \t\r\n[\]()<>{}=:\u00bf?\u00a1!,"\\]*$/.test(text);
}

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
  const name = item.kind === "map" ? item.entries.find(({ key }) => key.text === "name")?.value : undefined;
  if (name?.kind === "scalar") {
    const named = { advice: `Write the name as the key: "${name.text}: …".` };
    return (
      context.mismatch(item, `An item of ${lowerFirst(what)}`, "a name, or a map with one entry", named) ?? []
    );
  }
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
 * Reads a map by its known keys. A misspelled key is reported and read as the intended one, so that its value is checked as well.
 */
export class MapReader {
  readonly #entries: ReadonlyMap<string, YamlEntry>;

  constructor(map: YamlMap, keys: readonly string[], what: string, context: ReadContext) {
    const found = new Map<string, YamlEntry>();
    for (const entry of distinctEntries(map, context)) {
      const key = keys.includes(entry.key.text)
        ? entry.key.text
        : reportUnknownKey(
            entry.key,
            suggestKey(entry.key.text, keys) ?? adviseKey(entry.key.text, keys),
            what,
            context,
          );
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

/** What to write in place of an unknown key. */
export interface KeyAdvice {
  readonly advice: string;
  /** The key that was probably meant. */
  readonly renamed?: string;
}

/** Reports an unknown key and returns the one that was probably meant. */
export function reportUnknownKey(
  { text: key, span }: YamlScalar,
  { advice, renamed }: KeyAdvice,
  what: string,
  context: ReadContext,
): string | undefined {
  const { file } = context;
  const suggestion = renamed === undefined ? {} : { suggestion: replaceFix(renamed, { file, span }) };
  context.fault("yaml-key-unknown", { key, what }, span, { advice, ...suggestion });
  return renamed;
}

/** Advice for a key that misspells one of `keys`. */
export function suggestKey(key: string, keys: readonly string[]): KeyAdvice | undefined {
  const renamed = suggest(key, keys);
  return renamed === undefined ? undefined : { advice: `Did you mean "${renamed}"?`, renamed };
}

/** Advice for a key that belongs elsewhere, or nowhere. */
function adviseKey(key: string, keys: readonly string[]): KeyAdvice {
  if (/^(description|desc|title|summary|documentation|comment)$/i.test(key) && keys.includes("docs"))
    return { advice: 'Write "docs".', renamed: "docs" };
  if (keys.includes("annotations") && knownAnnotations.some(({ name }) => name === key))
    return { advice: `Put it under "annotations": [${key}].` };
  if (keys.includes("methods") && /^[A-Z]/.test(key)) return { advice: 'Put it under "methods".' };
  if (key === "type" && keys.includes("fields"))
    return { advice: 'A struct has only "fields"; remove "type".' };
  const all = `The keys are ${keys.join(", ")}.`;
  return isMetaKeyName(key) ? { advice: `${all} Meta keys belong to fields and aliases.` } : { advice: all };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/**
 * Reads the key `docs`: a node's documentation as a string or a list of lines. It replaces the comments above the node. An empty
 * value means no documentation.
 */
export function readDocs(node: object, docs: YamlNode | undefined, context: ReadContext): void {
  if (docs === undefined) return;
  const lines = docLines(docs, context);
  if (lines !== undefined) context.docs.set(node, lines);
}

function docLines(docs: YamlNode, context: ReadContext): readonly string[] | undefined {
  switch (docs.kind) {
    case "nothing":
      return [];
    case "scalar":
      return docs.text.trimEnd() === ""
        ? []
        : docs.text
            .trimEnd()
            .split("\n")
            .map((line) => line.trimEnd());
    case "list":
      return docs.items.flatMap((item) => {
        if (item.kind === "scalar" && !item.text.includes("\n")) return [item.text];
        context.mismatch(item, "A line of docs", "a string on one line");
        return [];
      });
    case "map":
      return context.mismatch(docs, "docs", "a string, or a list of lines");
  }
}
