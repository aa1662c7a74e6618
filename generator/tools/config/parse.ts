import type { Node } from "yaml";
import { type Diagnostic, diagnose } from "../../language/diagnostics/diagnostic.ts";
import { parseJson } from "../../language/source/json.ts";
import type { SourceFile } from "../../language/source/source-file.ts";
import type { Span } from "../../language/source/span.ts";
import type { ConfigEntry, ConfigNode, RawConfig } from "./read.ts";

/** The result of parsing a configuration. */
export type ParsedConfig =
  | { readonly config: RawConfig; readonly diagnostics: readonly [] }
  | { readonly config: undefined; readonly diagnostics: readonly Diagnostic[] };

/** Parses a configuration in JSON. */
export function parseJsonConfig(file: SourceFile): ParsedConfig {
  const { value, fault } = parseJson(file);
  if (fault !== undefined) return syntaxError(file, { format: "JSON", ...fault });
  return { config: { path: file.path, file, root: value }, diagnostics: [] };
}

/** Parses a configuration in YAML 1.2. The YAML parser is imported lazily, because loading it takes 40 ms. */
export async function parseYamlConfig(file: SourceFile): Promise<ParsedConfig> {
  const { root, fault } = await readYaml(file.text);
  if (fault !== undefined) return syntaxError(file, { format: "YAML", ...fault });
  return { config: { path: file.path, file, root }, diagnostics: [] };
}

interface SyntaxFault {
  readonly format: string;
  readonly message: string;
  readonly span: { readonly start: number; readonly end: number };
}

function syntaxError(file: SourceFile, { format, message, span }: SyntaxFault): ParsedConfig {
  return {
    config: undefined,
    diagnostics: [diagnose("config-syntax", { format, reason: message }, { file, span })],
  };
}

type YamlResult =
  | { readonly root: ConfigNode; readonly fault?: never }
  | { readonly root?: never; readonly fault: { readonly message: string; readonly span: Span } };

/** Parses YAML 1.2 to a configuration with positions, or returns the first syntax error. */
async function readYaml(text: string): Promise<YamlResult> {
  const { parseDocument, isMap, isScalar, isSeq } = await import("yaml");
  const document = parseDocument(text, { prettyErrors: false, schema: "core" });
  const error = document.errors[0];
  if (error !== undefined) {
    const [start, end] = error.pos;
    const message =
      error.code === "MULTIPLE_DOCS"
        ? "a second document starts here, but a configuration is a single document"
        : withoutCapitalAndPeriod(error.message);
    return { fault: { message, span: { start, end } } };
  }

  function convert(node: unknown): ConfigNode {
    const span = spanOf(node);
    if (isMap(node)) return { kind: "object", entries: node.items.map(convertPair), ...span };
    if (isSeq(node)) return { kind: "array", items: node.items.map(convert), ...span };
    if (isScalar(node)) return { ...scalar(node.value), ...span };
    if (node === null) return { kind: "null" };
    // Aliases are rejected: a configuration does not need them, and they can expand a small file to any size.
    return { kind: "other", what: "an alias or an ordered map", ...span };
  }

  function convertPair({ key, value }: { readonly key: unknown; readonly value: unknown }): ConfigEntry {
    const { span } = spanOf(key);
    const name = isScalar(key) ? String(key.value) : text.slice(span?.start, span?.end);
    return { key: name, ...(span === undefined ? {} : { keySpan: span }), value: convert(value) };
  }

  return { root: convert(document.contents) };
}

/** Nodes that the parser adds, such as the value in `{ key }`, have no position. */
function spanOf(node: unknown): { readonly span?: Span } {
  const range = (node as Partial<Node> | null)?.range;
  return range == null ? {} : { span: { start: range[0], end: range[1] } };
}

function scalar(value: unknown): ConfigNode {
  if (typeof value === "string") return { kind: "string", value };
  if (typeof value === "number") return { kind: "number", value };
  if (typeof value === "boolean") return { kind: "boolean", value };
  return value === null ? { kind: "null" } : { kind: "other", what: "a value of another kind" };
}

/** `Implicit keys need to be on a single line` → `implicit keys need to be on a single line`. */
function withoutCapitalAndPeriod(message: string): string {
  return message.replace(/\.$/, "").replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}
