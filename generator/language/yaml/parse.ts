import { type Diagnostic, diagnose, type Fix } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Declaration, Header, HeaderKey, SchemaFile } from "../syntax/tree.ts";
import { type ComposeResult, compose, type ParseFailure } from "./compose.ts";
import { fileKeys, keysOf } from "./keys.ts";
import { isEmptyNode, mapOrEmpty, type YamlNode } from "./nodes.ts";
import { MapReader } from "./parser/entries.ts";
import { readErrors } from "./parser/errors.ts";
import { readImports } from "./parser/imports.ts";
import { ReadContext } from "./parser/read-context.ts";
import { readServices } from "./parser/services.ts";
import { readTypes } from "./parser/types.ts";
import type { Repair } from "./repair/repair.ts";
import { type ParseOutcome, repairOfLine, repairOfSyntax } from "./repair/search.ts";

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
  const { failure, ...parsed } = read(source);
  const [first] = parsed.diagnostics;
  if (first?.at === undefined) return parsed;
  if (failure !== undefined) return { diagnostics: [withSyntaxRepair(first, source, failure)] };
  return { ...parsed, diagnostics: withLineRepair(parsed.diagnostics, source) };
}

function read(source: SourceFile): ParsedYaml & { readonly failure?: ParseFailure } {
  const { root, fault, failure, comments } = compose(source);
  if (root === undefined)
    return {
      diagnostics: fault === undefined ? [] : [fault],
      ...(failure === undefined ? {} : { failure }),
    };
  const context = new ReadContext(source);
  if (root.kind !== "map" && !isEmptyNode(root)) {
    context.mismatch(root, "A schema file", 'a map with keys such as "webrpc"');
    return { diagnostics: context.diagnostics };
  }
  const file = readFile(root, comments, context);
  return { file, diagnostics: context.diagnostics };
}

function outcomeOf(source: SourceFile): ParseOutcome {
  const { failure, diagnostics } = read(source);
  return { faults: diagnostics.length, ...(failure === undefined ? {} : { failure }) };
}

/** Reports the error where the mistake was made, if a repair explains it. */
function withSyntaxRepair(fault: Diagnostic, source: SourceFile, failure: ParseFailure): Diagnostic {
  const repair = repairOfSyntax(source, failure, outcomeOf);
  if (repair === undefined) return fault;
  const { reason, advice, at: span } = repair;
  return diagnose("yaml-syntax", { reason }, { file: source, span }, { advice, fix: fixOf(repair, source) });
}

/** A mistake on one line that is still valid YAML is reported as one error, with the repair as its fix. */
function withLineRepair(faults: readonly Diagnostic[], source: SourceFile): readonly Diagnostic[] {
  const [first] = faults;
  if (first?.at === undefined) return faults;
  const repair = repairOfLine(source, first.at.span.start, faults.length, outcomeOf);
  if (repair === undefined) return faults;
  const line = source.lineAt(first.at.span.start);
  const others = faults.filter(({ at }) => at !== undefined && source.lineAt(at.span.start) !== line);
  const advice = `${repair.reason.charAt(0).toUpperCase()}${repair.reason.slice(1)}: ${lowerFirst(repair.advice)}`;
  const at = { file: source, span: repair.at };
  return [{ ...first, at, advice, fix: fixOf(repair, source) }, ...others];
}

function fixOf({ title, edits }: Repair, file: SourceFile): Fix {
  return { title, file, edits };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
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
    const { span: keySpan } = entry.key;
    return [{ kind: "header", key, keySpan, value, span: { start: keySpan.start, end: value.span.end } }];
  });
}
