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
  /** Each file once, after all its imports; the entry comes last. Empty if the entry cannot be read. */
  readonly files: readonly LoadedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Cache of parsed files by path, for a process that reads a schema repeatedly. An entry is valid while the file's text is the
 * same.
 */
export type ParsedFiles = Map<string, ParsedFile>;

interface ParsedFile {
  readonly text: string;
  readonly file: SchemaFile | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface LoadOptions {
  readonly parsed?: ParsedFiles | undefined;
  /** The folder that imports must stay inside, compared by path. Default: imports may point anywhere. */
  readonly importRoot?: string | undefined;
}

interface OpenFile {
  readonly path: string;
  readonly file: SchemaFile;
  readonly imports: { readonly node: Import; readonly target: LoadedFile }[];
  /** Index of the next import to load. */
  next: number;
}

/**
 * Loads a schema file and, recursively, every RIDL or YAML file that it imports, each once. Import paths are relative to the
 * importing file, even with a leading "/". An import cycle is reported and cut at the import that closes it.
 */
export function load(entry: string, reader: SourceReader, { parsed, importRoot }: LoadOptions = {}): Loaded {
  const diagnostics: Diagnostic[] = [];
  const done = new Map<string, LoadedFile>();
  const open: OpenFile[] = [];
  const failed = new Set<string>();

  function enter(path: string, location: DiagnosticLocation, hint: () => DiagnosticExtras): void {
    const file = loadFile(path, { reader, location, diagnostics, hint, parsed });
    if (file === undefined) failed.add(path);
    else open.push({ path, file, imports: [], next: 0 });
  }

  function follow(from: OpenFile): void {
    const node = from.file.imports[from.next++] as Import;
    const path = importedPath(from.path, node);
    const target = done.get(path);
    const location = { file: from.file.source, span: node.path.span };
    if (target !== undefined) from.imports.push({ node, target });
    else if (open.some((file) => file.path === path)) diagnostics.push(cycle(open, path, location));
    else if (importRoot !== undefined && !isInside(path, importRoot, reader)) {
      if (!failed.has(path))
        diagnostics.push(diagnose("import-outside", { path: node.path.value }, location));
      failed.add(path);
    } else if (!failed.has(path)) {
      enter(path, location, () =>
        importHint(
          node,
          path,
          from.file,
          reader,
          open.map((file) => file.path),
        ),
      );
      // Step back, so that this import is visited again once its file is loaded and the target is in `done`.
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
  const relative = posix.relative(folder, path);
  return relative !== ".." && !relative.startsWith("../");
}

function cycle(open: readonly OpenFile[], path: string, location: DiagnosticLocation): Diagnostic {
  const start = open.findIndex((file) => file.path === path);
  const notes = open.slice(start, -1).map(({ file, next }) => {
    const node = file.imports[next - 1] ?? (file.imports[next] as Import);
    return { message: `Imports "${node.path.value}".`, at: { file: file.source, span: node.path.span } };
  });
  // A file that imports itself.
  const advice = start === open.length - 1 ? { advice: "Remove this import." } : {};
  return diagnose("import-cycle", { path }, location, { notes, ...advice });
}

interface ReadRequest {
  readonly reader: SourceReader;
  readonly location: DiagnosticLocation;
  readonly diagnostics: Diagnostic[];
  readonly hint: () => DiagnosticExtras;
  readonly parsed: ParsedFiles | undefined;
}

function loadFile(
  path: string,
  { reader, location, diagnostics, hint, parsed }: ReadRequest,
): SchemaFile | undefined {
  const source = readSource(path, reader, location, hint);
  if ("code" in source) {
    diagnostics.push(source);
    return undefined;
  }
  const { file, diagnostics: parseDiagnostics } = parseCached(source.file, parsed);
  if (source.looksBinary && parseDiagnostics.some(({ severity }) => severity === "error")) {
    diagnostics.push(diagnose("binary-file", { path }, location));
    return undefined;
  }
  if (source.isLossy) {
    const start = source.file.text.indexOf("\uFFFD");
    diagnostics.push(diagnose("not-utf8", {}, { file: source.file, span: { start, end: start + 1 } }));
  }
  for (const diagnostic of parseDiagnostics) diagnostics.push(diagnostic);
  return file;
}

function parseCached(source: SourceFile, parsed: ParsedFiles | undefined): ParsedFile {
  const { path, text } = source;
  const cached = parsed?.get(path);
  if (cached?.text === text) return cached;
  const { file, diagnostics } = isYaml(path) ? parseYaml(source) : parse(source);
  const entry = { text, file, diagnostics };
  parsed?.set(path, entry);
  return entry;
}

/** Whether the file extension means YAML. Any other imported file is parsed as RIDL. */
export function isYaml(path: string): boolean {
  return /\.ya?ml$/.test(path);
}

export interface ReadSource {
  readonly file: SourceFile;
  readonly looksBinary: boolean;
  readonly isLossy: boolean;
}

/**
 * Reads a file's text, or returns the diagnostic that explains why it cannot be read. `location` is that of the import or
 * argument that names the file. `hint` suggests another file.
 */
export function readSource(
  path: string,
  reader: SourceReader,
  location: DiagnosticLocation,
  hint: () => DiagnosticExtras = () => entryHint(path, reader),
): ReadSource | Diagnostic {
  const result: ReadResult = reader.read(path);
  switch (result.kind) {
    case "unreadable":
      return diagnose("unreadable-file", { path, reason: result.reason }, location, hint());
    case "too-large": {
      const megabytes = Math.ceil(result.bytes / 1_048_576);
      return diagnose("file-too-large", { path, megabytes, limit: maxSourceBytes / 1_048_576 }, location);
    }
    case "bytes": {
      const { text, ...kind } = decode(result.bytes);
      return { file: new SourceFile(path, text), ...kind };
    }
  }
}
