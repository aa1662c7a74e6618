import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Declaration, Header, HeaderKey, Import, SchemaFile, Text } from "../syntax/tree.ts";
import { type ComposeResult, compose } from "./compose.ts";
import { fileKeys, keysOf } from "./keys.ts";
import { isEmptyNode, mapOrEmpty, type YamlEntry, type YamlNode } from "./nodes.ts";
import { entriesOf, MapReader, ReadContext, textOf } from "./parser/read-context.ts";
import { readErrors, readServices } from "./parser/services.ts";
import { readTypes } from "./parser/types.ts";

export interface ParsedYaml {
  /** Absent if the text is not YAML, or not a map. */
  readonly file?: SchemaFile;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses a YAML schema into the same syntax tree as RIDL, with spans in the YAML text. Accepts any text. A YAML syntax error is
 * reported once and leaves no tree. Valid YAML that is not a valid schema is reported at its position, and the rest is read.
 */
export function parseYaml(source: SourceFile): ParsedYaml {
  const { root, fault, comments } = compose(source);
  if (root === undefined) return { diagnostics: fault === undefined ? [] : [fault] };
  const context = new ReadContext(source);
  if (root.kind !== "map" && !isEmptyNode(root)) {
    context.mismatch(root, "A schema file", 'a map with keys such as "webrpc"');
    return { diagnostics: context.diagnostics };
  }
  const file = readFile(root, comments, context);
  return { file, diagnostics: context.diagnostics };
}

function readFile(root: YamlNode, comments: ComposeResult["comments"], context: ReadContext): SchemaFile {
  const parts = new MapReader(mapOrEmpty(root), keysOf(fileKeys), "a schema file", context);
  const read = <Item>(
    key: string,
    readPart: (node: YamlNode, context: ReadContext) => readonly Item[],
  ): readonly Item[] => {
    const node = parts.get(key);
    return node === undefined ? [] : readPart(node, context);
  };
  const declarations: Declaration[] = [
    ...read("types", readTypes),
    ...read("errors", readErrors),
    ...read("services", readServices),
  ];
  return {
    source: context.file,
    format: "yaml",
    headers: readHeaders(parts, context),
    imports: read("imports", readImports),
    declarations,
    comments,
    docs: context.docs,
  };
}

const headerKeys = ["webrpc", "name", "version", "basepath"] as const satisfies readonly HeaderKey[];

function readHeaders(parts: MapReader, context: ReadContext): Header[] {
  return headerKeys.flatMap((key): Header[] => {
    const entry = parts.entry(key);
    const value = entry && context.text(entry.value, `"${key}"`);
    if (entry === undefined || value === undefined) return [];
    return [{ kind: "header", key, value, span: { start: entry.key.span.start, end: value.span.end } }];
  });
}

/** `imports`: paths, or paths with member names, as in `[errors.yaml, types.ridl: [Pet, Toy]]`. */
function readImports(node: YamlNode, context: ReadContext): Import[] {
  if (node.kind === "scalar" && !isEmptyNode(node)) {
    context.mismatch(node, '"imports"', "a list", { advice: `Write it as a list: [${node.text}].` });
    return [];
  }
  return entriesOf(node, '"imports"', context).flatMap((entry) => {
    const path = readPath(entry, context);
    if (path === undefined) return [];
    const members = readMembers(entry.value, context);
    const end = members.at(-1)?.span.end ?? path.span.end;
    return [{ kind: "import", path, members, span: { start: path.span.start, end } }];
  });
}

function readPath({ key }: YamlEntry, context: ReadContext): Text | undefined {
  return context.text(key, "The path of an import");
}

/** No list means all members. An empty list is rejected, because it could be read as "no members". */
function readMembers(node: YamlNode, context: ReadContext): Text[] {
  if (isEmptyNode(node)) return [];
  if (node.kind !== "list" || node.items.length === 0) {
    context.mismatch(node, "The list of imported names", "a list of names", {
      advice: "Leave it out to import all of the file.",
    });
    return [];
  }
  return node.items.flatMap((item) => {
    const scalar = context.scalar(item, "A name to import");
    return scalar === undefined ? [] : [textOf(scalar)];
  });
}
