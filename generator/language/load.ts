import { posix } from "node:path";
import {
  type Diagnostic,
  type DiagnosticExtras,
  type DiagnosticLocation,
  diagnose,
} from "./diagnostics/diagnostic.ts";
import type { LoadedFile } from "./model/scope.ts";
import { importHint, nearestFile } from "./nearest-file.ts";
import { parse } from "./ridl/parse.ts";
import { decode } from "./source/decode.ts";
import { maxSourceBytes, type ReadResult, type SourceReader } from "./source/reader.ts";
import { SourceFile } from "./source/source-file.ts";
import type { Import, SchemaFile } from "./syntax/tree.ts";
import { parseYaml } from "./yaml/parse.ts";

export interface Loaded {
  /** Each file once, after all that it imports; the entry comes last. Empty if the entry cannot be read. */
  readonly files: readonly LoadedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Files as they were parsed, by path: what has not changed since is not parsed again. For a process that reads a schema many times. */
export type ParsedFiles = Map<string, ParsedFile>;

interface ParsedFile {
  readonly text: string;
  readonly file: SchemaFile | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface LoadOptions {
  readonly parsed?: ParsedFiles | undefined;
  /** The folder that imports may not lead out of, as paths are written. Default: they may lead anywhere. */
  readonly importRoot?: string | undefined;
}

interface OpenFile {
  readonly path: string;
  readonly file: SchemaFile;
  readonly imports: { readonly node: Import; readonly target: LoadedFile }[];
  /** Index of the import to follow next. */
  next: number;
}

/**
 * Reads a schema file and, through it, every file it imports, each once, be they RIDL or YAML. An import path is relative to the importing file, also
 * with a leading "/"; a circle is reported where it closes and cut there.
 */
export function load(entry: string, reader: SourceReader, { parsed, importRoot }: LoadOptions = {}): Loaded {
  const diagnostics: Diagnostic[] = [];
  const done = new Map<string, LoadedFile>();
  const open: OpenFile[] = [];
  const failed = new Set<string>();

  function enter(path: string, place: DiagnosticLocation, hint: () => DiagnosticExtras): void {
    const file = readSchema(path, { reader, place, diagnostics, hint, parsed });
    if (file === undefined) failed.add(path);
    else open.push({ path, file, imports: [], next: 0 });
  }

  function follow(from: OpenFile): void {
    const node = from.file.imports[from.next++] as Import;
    const path = importedPath(from.path, node);
    const target = done.get(path);
    const place = { file: from.file.source, span: node.path.span };
    if (target !== undefined) from.imports.push({ node, target });
    else if (open.some((file) => file.path === path)) diagnostics.push(cycle(open, path, place));
    else if (importRoot !== undefined && !isInside(path, importRoot, reader)) {
      if (!failed.has(path)) diagnostics.push(diagnose("import-outside", { path: node.path.value }, place));
      failed.add(path);
    } else if (!failed.has(path)) {
      enter(path, place, () => importHint(node, path, from.file, reader));
      // Once it is done, this import is looked at again and finds it.
      if (!failed.has(path)) from.next--;
    }
  }

  enter(posix.normalize(entry), { path: entry }, () => entryHint(entry, reader));
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.next < top.file.imports.length) follow(top);
    else {
      open.pop();
      done.set(top.path, { file: top.file, imports: top.imports });
    }
  }
  return { files: [...done.values()], diagnostics };
}

function entryHint(path: string, reader: SourceReader): DiagnosticExtras {
  const near = nearestFile(path, reader);
  return near === undefined
    ? {}
    : { advice: `Did you mean "${posix.join(posix.dirname(path), near.name)}"?` };
}

function importedPath(importer: string, { path }: Import): string {
  return posix.join(posix.dirname(importer), path.value).replace(/(?<=.)\/$/, "");
}

function isInside(path: string, folder: string, reader: SourceReader): boolean {
  if (reader.isInside !== undefined) return reader.isInside(path, folder);
  const way = posix.relative(folder, path);
  return way !== ".." && !way.startsWith("../");
}

function cycle(open: readonly OpenFile[], path: string, place: DiagnosticLocation): Diagnostic {
  const start = open.findIndex((file) => file.path === path);
  const notes = open.slice(start, -1).map(({ file, next }) => {
    const node = file.imports[next - 1] ?? (file.imports[next] as Import);
    return { message: `Imports "${node.path.value}".`, at: { file: file.source, span: node.path.span } };
  });
  return diagnose("import-cycle", { path }, place, { notes });
}

interface ReadRequest {
  readonly reader: SourceReader;
  readonly place: DiagnosticLocation;
  readonly diagnostics: Diagnostic[];
  readonly hint: () => DiagnosticExtras;
  readonly parsed: ParsedFiles | undefined;
}

function readSchema(
  path: string,
  { reader, place, diagnostics, hint, parsed }: ReadRequest,
): SchemaFile | undefined {
  const source = readSource(path, reader, place, hint);
  if ("code" in source) {
    diagnostics.push(source);
    return undefined;
  }
  const { file, diagnostics: faults } = parseCached(source.file, parsed);
  if (source.looksBinary && faults.some(({ severity }) => severity === "error")) {
    diagnostics.push(diagnose("binary-file", { path }, place));
    return undefined;
  }
  if (source.isLossy) {
    const start = source.file.text.indexOf("\uFFFD");
    diagnostics.push(diagnose("not-utf8", {}, { file: source.file, span: { start, end: start + 1 } }));
  }
  for (const fault of faults) diagnostics.push(fault);
  return file;
}

function parseCached(source: SourceFile, parsed: ParsedFiles | undefined): ParsedFile {
  const { path, text } = source;
  const known = parsed?.get(path);
  if (known?.text === text) return known;
  const { file, diagnostics } = isYaml(path) ? parseYaml(source) : parse(source);
  const fresh = { text, file, diagnostics };
  parsed?.set(path, fresh);
  return fresh;
}

/** A schema in YAML by its name; whatever else is imported is read as RIDL. */
export function isYaml(path: string): boolean {
  return /\.ya?ml$/.test(path);
}

/** A file's text, or the one fault that keeps it from us. `place` is where somebody asked for it, `hint` what they may have meant. */
export function readSource(
  path: string,
  reader: SourceReader,
  place: DiagnosticLocation,
  hint: () => DiagnosticExtras = () => entryHint(path, reader),
): { readonly file: SourceFile; readonly looksBinary: boolean; readonly isLossy: boolean } | Diagnostic {
  const result: ReadResult = reader.read(path);
  switch (result.kind) {
    case "unreadable":
      return diagnose("unreadable-file", { path, reason: result.reason }, place, hint());
    case "too-large": {
      const megabytes = Math.ceil(result.bytes / 1_048_576);
      return diagnose("file-too-large", { path, megabytes, limit: maxSourceBytes / 1_048_576 }, place);
    }
    case "bytes": {
      const { text, ...kind } = decode(result.bytes);
      return { file: new SourceFile(path, text), ...kind };
    }
  }
}
