import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Declaration, Header, HeaderKey, SchemaFile } from "../syntax/tree.ts";
import { type Composed, compose } from "./compose.ts";
import { fileKeys, keysOf } from "./keys.ts";
import { isNothing, mapOr, type YamlNode } from "./nodes.ts";
import { Parts } from "./parser/entries.ts";
import { readErrors } from "./parser/errors.ts";
import { readImports } from "./parser/imports.ts";
import { Reading } from "./parser/reading.ts";
import { readServices } from "./parser/services.ts";
import { readTypes } from "./parser/types.ts";

/**
 * Reads a schema in YAML into the tree that RIDL gives, with places in the YAML. Takes any text. What is not YAML is reported
 * once and leaves nothing of the file; what is YAML and no schema is reported where it stands, and the rest is read.
 */
export function parseYaml(source: SourceFile): {
  /** Absent if it is not YAML, or no map. */
  readonly file?: SchemaFile;
  readonly diagnostics: readonly Diagnostic[];
} {
  const composed = compose(source);
  if (composed.root === undefined)
    return { diagnostics: composed.fault === undefined ? [] : [composed.fault] };
  const reading = new Reading(source);
  if (composed.root.kind !== "map" && !isNothing(composed.root)) {
    reading.mismatch(composed.root, "A schema file", 'a map with keys such as "webrpc"');
    return { diagnostics: reading.diagnostics };
  }
  const file = readFile(composed.root, composed.comments, reading);
  return { file, diagnostics: reading.diagnostics };
}

function readFile(root: YamlNode, comments: Composed["comments"], reading: Reading): SchemaFile {
  const parts = new Parts(mapOr(root), keysOf(fileKeys), "a schema file", reading);
  const read = <Item>(
    key: string,
    readPart: (node: YamlNode, reading: Reading) => readonly Item[],
  ): readonly Item[] => {
    const node = parts.get(key);
    return node === undefined ? [] : readPart(node, reading);
  };
  const declarations: Declaration[] = [
    ...read("types", readTypes),
    ...read("errors", readErrors),
    ...read("services", readServices),
  ];
  return {
    source: reading.file,
    format: "yaml",
    headers: readHeaders(parts, reading),
    imports: read("imports", readImports),
    declarations,
    comments,
    docs: reading.docs,
  };
}

const headerKeys = ["webrpc", "name", "version", "basepath"] as const satisfies readonly HeaderKey[];

function readHeaders(parts: Parts, reading: Reading): Header[] {
  return headerKeys.flatMap((key): Header[] => {
    const entry = parts.entry(key);
    const value = entry && reading.text(entry.value, `"${key}"`);
    if (entry === undefined || value === undefined) return [];
    const { span: keySpan } = entry.key;
    return [{ kind: "header", key, keySpan, value, span: { start: keySpan.start, end: value.span.end } }];
  });
}
