import { posix } from "node:path";
import { type CompiledSchema, compile, sortDiagnostics } from "../compile.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { expandIr } from "../ir/expand.ts";
import { writeIr } from "../ir/write.ts";
import { isYaml } from "../load.ts";
import type { Declared, Scope } from "../model/scope.ts";
import { print } from "../ridl/print/print.ts";
import type { SourceReader } from "../source/reader.ts";
import type { Declaration, SchemaFile } from "../syntax/tree.ts";
import { printYaml } from "../yaml/print.ts";
import { detach, differences, findInexpressible, findIrLosses } from "./losses.ts";

export type SchemaFormat = "ridl" | "yaml" | "ir";

export interface ConvertOptions {
  readonly to: SchemaFormat;
  /** The output path; import paths are rewritten relative to it. Default: next to the schema. */
  readonly out?: string;
  /** Merge all imported files into the output. Otherwise imports stay, because RIDL and YAML can import each other. */
  readonly bundle?: boolean;
  /** The folder that imports must stay inside. Default: imports may point anywhere. */
  readonly importRoot?: string | undefined;
  /** Write derived structs as structs, in one file like the IR. */
  readonly expand?: boolean;
  /** Report lost content as a warning instead of an error. */
  readonly lossy?: boolean;
}

export interface ConvertedSchema {
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if the schema is invalid, or if the target format cannot express it. */
  readonly text?: string;
}

/**
 * Converts a schema to another format. The output is parsed again and must have the same IR as the input. Content that the target
 * format cannot express is an error at its position.
 */
export function convert(entry: string, reader: SourceReader, options: ConvertOptions): ConvertedSchema {
  const { result, diagnostics } = compile(entry, reader, { importRoot: options.importRoot });
  if (result === undefined) return { diagnostics };
  const conversion =
    options.to === "ir" || options.expand === true
      ? toIr(result, options)
      : toText(entry, result, reader, options);
  const reported = conversion.diagnostics.map((one) =>
    options.lossy === true && one.name === "convert-loses" ? asWarning(one) : one,
  );
  const isRejected = reported.some(({ severity }) => severity === "error");
  if (options.expand === true && options.to !== "ir" && !isRejected) {
    const path = `${entry}.json`;
    const written = convert(path, overlay(reader, path, conversion.text ?? ""), {
      ...options,
      expand: false,
    });
    return { ...written, diagnostics: sortDiagnostics([...reported, ...written.diagnostics]) };
  }
  return {
    diagnostics: sortDiagnostics(reported),
    ...(isRejected || conversion.text === undefined ? {} : { text: conversion.text }),
  };
}

function asWarning(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "warning" };
}

function toIr({ scope, ir, model }: CompiledSchema, { expand = false }: ConvertOptions): ConvertedSchema {
  return { diagnostics: findIrLosses(scope), text: writeIr(expand ? expandIr(ir, model) : ir) };
}

function toText(
  entry: string,
  result: CompiledSchema,
  reader: SourceReader,
  options: ConvertOptions,
): ConvertedSchema {
  const { scope, ir } = result;
  const to = options.to === "yaml" ? "yaml" : "ridl";

  const path = outputPath(entry, to, options.out);
  const tree = options.bundle === true ? bundle(scope) : rebaseImports(detach(scope.file), entry, path);
  const inexpressible = findInexpressible(tree, scope, to);
  if (inexpressible.length > 0) return { diagnostics: inexpressible };
  // RIDL output in the same folder is printed from the original text, so it keeps order, comments and blank lines.
  const keepsText =
    to === "ridl" &&
    scope.file.format === "ridl" &&
    options.bundle !== true &&
    posix.dirname(path) === posix.dirname(entry);
  const text = to === "yaml" ? printYaml(tree) : print(keepsText ? scope.file : tree);
  const reread = compile(path, overlay(reader, path, text));
  return { diagnostics: differences({ scope, ir, reread, to }), text };
}

function outputPath(entry: string, to: "ridl" | "yaml", out: string | undefined): string {
  if (out !== undefined && (to === "yaml" ? isYaml(out) : out.endsWith(".ridl"))) return posix.normalize(out);
  return posix.join(posix.dirname(out ?? entry), `converted-${posix.basename(entry)}.${to}`);
}

/** Rewrites import paths relative to the output's folder. */
function rebaseImports(file: SchemaFile, entry: string, out: string): SchemaFile {
  const from = posix.dirname(out);
  if (posix.normalize(posix.dirname(entry)) === posix.normalize(from)) return file;
  const moved = new Map(
    file.imports.map((node) => {
      const value = posix.relative(from, posix.join(posix.dirname(entry), node.path.value));
      return [node, { ...node, path: { ...node.path, value } }] as const;
    }),
  );
  const withMovedNodes = (lines: SchemaFile["docs"]): Map<object, readonly string[]> =>
    new Map([...(lines ?? [])].map(([node, texts]) => [moved.get(node as never) ?? node, texts]));
  return {
    ...file,
    imports: [...moved.values()],
    docs: withMovedNodes(file.docs),
    otherComments: withMovedNodes(file.otherComments),
  };
}

function overlay(reader: SourceReader, path: string, text: string): SourceReader {
  const bytes = new TextEncoder().encode(text);
  return { read: (wanted) => (wanted === path ? { kind: "bytes", bytes } : reader.read(wanted)) };
}

export function formatOf(path: string): SchemaFormat | undefined {
  if (path.endsWith(".ridl")) return "ridl";
  if (isYaml(path)) return "yaml";
  return path.endsWith(".json") ? "ir" : undefined;
}

/**
 * Merges a schema and its imports into one file without imports, in the order of its IR. Comments at the top of an imported file
 * move above its first declaration.
 */
function bundle(scope: Scope): SchemaFile {
  const files = new Set([...scope.types, ...scope.errors, ...scope.services].map(({ file }) => file));
  const docs = new Map<object, readonly string[]>();
  const otherComments = new Map<object, readonly string[]>();
  for (const file of new Set([...files, scope.file])) {
    const tree = detach(file);
    for (const [node, lines] of tree.docs ?? []) docs.set(node, lines);
    for (const [node, lines] of tree.otherComments ?? []) otherComments.set(node, lines);
    if (file !== scope.file) moveFileComments(tree, docs, otherComments);
  }
  const nodes = (list: readonly Declared<Declaration>[]): Declaration[] => list.map(({ node }) => node);
  const declarations = [...nodes(scope.types), ...nodes(scope.errors), ...nodes(scope.services)];
  return { ...scope.file, format: "yaml", imports: [], declarations, docs, otherComments };
}

type Lines = Map<object, readonly string[]>;

/** Moves the comments of headers and imports, and those at the end of a file, above its first declaration. */
function moveFileComments(file: SchemaFile, docs: Lines, otherComments: Lines): void {
  const heads: object[] = [...file.headers, ...file.imports];
  const lines = heads.flatMap((node) => [
    ...(otherComments.get(node) ?? []),
    ...commented(docs.get(node) ?? []),
  ]);
  const atEnd = otherComments.get(file.source) ?? [];
  otherComments.delete(file.source);
  const [first] = file.declarations;
  const all = [...lines, ...atEnd];
  if (first !== undefined && all.length > 0)
    otherComments.set(first, [...all, ...(otherComments.get(first) ?? [])]);
}

function commented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "#" : `# ${line}`));
}
