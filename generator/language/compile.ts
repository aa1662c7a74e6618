import { posix } from "node:path";
import { asReference, type Diagnostic, diagnose, underStrict } from "./diagnostics/diagnostic.ts";
import { keptSuffix, latestFile } from "./history-files.ts";
import { buildIr, normalizeIr } from "./ir/build.ts";
import { applyDifference, type IrDifference, readDifference } from "./ir/difference.ts";
import { readIr } from "./ir/read.ts";
import type { IrSchema } from "./ir/schema.ts";
import { isYaml, load, type ParsedFiles, type ReadSource, readSource } from "./load.ts";
import { buildModel } from "./model/build.ts";
import { check } from "./model/check.ts";
import type { Model } from "./model/model.ts";
import { buildScope, buildScopes, type LoadedFile, type Scope } from "./model/scope.ts";
import type { SourceReader } from "./source/reader.ts";
import { SourceFile } from "./source/source-file.ts";

export interface CompileOptions {
  /** Also reject schemas that the reference tool wrongly accepts. */
  readonly strict?: boolean;
  /** Only warn about mistakes in keys that the reference tool does not read. Such keys then have no effect. */
  readonly lenient?: boolean;
  /** Garble non-ASCII values byte by byte, as the reference tool does, so that schema hashes match. */
  readonly hashParity?: boolean;
  /** Reject limits of 64-bit integers that no number meets, for code in which these integers are numbers. */
  readonly int64Numbers?: boolean;
  /** The folder that imports must stay inside. Default: imports may point anywhere. */
  readonly importRoot?: string | undefined;
  /** Results of earlier compilations. The result is the same with and without a cache. */
  readonly cache?: CompileCache | undefined;
}

/** Lets a process that compiles a schema repeatedly reuse parsed files, and whole results if no file changed. */
export class CompileCache {
  readonly parsed: ParsedFiles = new Map();
  readonly #last = new Map<
    string,
    { readonly files: readonly LoadedFile[]; readonly compilation: Compilation }
  >();

  /** Returns the cached result if the files are the same, and calls `compileFiles` otherwise. */
  getOrCompile(key: string, files: readonly LoadedFile[], compileFiles: () => Compilation): Compilation {
    const cached = this.#last.get(key);
    if (cached !== undefined && areUnchanged(cached.files, files)) return cached.compilation;
    const compilation = compileFiles();
    this.#last.set(key, { files, compilation });
    return compilation;
  }
}

/** Compares syntax trees by identity: the parse cache returns the same tree for an unchanged file. */
function areUnchanged(before: readonly LoadedFile[], now: readonly LoadedFile[]): boolean {
  return before.length === now.length && now.every(({ file }, index) => file === before[index]?.file);
}

export interface Compilation {
  /** Sorted by file and position. At most 100, followed by one that counts the rest. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if there is an error. */
  readonly result: CompiledSchema | undefined;
}

/** Drops warnings, for commands that leave them to `lint`. Under `strict`, they are errors. */
export function errorsOf({ diagnostics }: Pick<Compilation, "diagnostics">): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === "error");
}

export interface CompiledSchema {
  /** One scope per file; the entry file's scope comes last. */
  readonly scopes: readonly Scope[];
  readonly counts: SchemaCounts;
  /** The scope of the entry file: everything that it can refer to. */
  readonly scope: Scope;
  /** Built on first access, as is `ir`: checking a schema needs neither. */
  readonly model: Model;
  readonly ir: IrSchema;
}

/** Totals across all files, imports included. */
export interface SchemaCounts {
  readonly services: number;
  readonly methods: number;
  readonly types: number;
  readonly errors: number;
}

/** Maximum number of reported diagnostics. A file with more of them repeats one mistake, or is not a schema. */
const maxDiagnostics = 100;

/**
 * Compiles one schema, from its entry file to the checked model and the IR. Reads files only through `reader`. User input never
 * makes it throw.
 */
export function compile(entry: string, reader: SourceReader, options: CompileOptions = {}): Compilation {
  const { cache, strict = false, lenient = false, hashParity = false, int64Numbers = false } = options;
  const read = readSchema(entry, reader, options);
  // Failed reads may succeed next time, and IR files are cheap to read, so neither is cached.
  if (cache === undefined || read.files === undefined) return compileFiles(entry, read, options);
  const key = `${entry} ${strict} ${lenient} ${hashParity} ${int64Numbers}`;
  return cache.getOrCompile(key, read.files, () => compileFiles(entry, read, options));
}

function compileFiles(
  entry: string,
  { getScopes, ir, diagnostics: loadDiagnostics }: ReadSchema,
  options: CompileOptions,
): Compilation {
  const scopes = getScopes();
  // With hash parity the caller has accepted garbled values, so the warning about them is dropped.
  const isReported = ({ name }: Diagnostic): boolean =>
    name !== "non-ascii-value" || options.hashParity !== true;
  const all = [...loadDiagnostics, ...check(scopes, options.int64Numbers ?? false)].filter(isReported);
  const found = foreignDocument(entry, all) ?? (options.lenient === true ? all.map(asReference) : all);
  const diagnostics = sortDiagnostics(options.strict === true ? found.map(underStrict) : found);
  const isRejected =
    found.some(({ severity }) => severity === "error") || (options.strict === true && found.length > 0);
  return {
    diagnostics,
    result: scopes.length === 0 || isRejected ? undefined : lazyResult(scopes, ir, options),
  };
}

interface ReadSchema {
  /** Lazy, because callers with a cached result skip it. */
  readonly getScopes: () => readonly Scope[];
  /** The files behind the scopes. Absent if loading reported anything. */
  readonly files?: readonly LoadedFile[];
  /** Set for an IR file, which is written back as it was read. */
  readonly ir?: IrSchema;
  readonly diagnostics: readonly Diagnostic[];
}

/** Chooses the parser by the file extension. */
function readSchema(
  entry: string,
  reader: SourceReader,
  { cache, importRoot }: Pick<CompileOptions, "cache" | "importRoot">,
): ReadSchema {
  if (entry.endsWith(".ridl") || isYaml(entry)) {
    const { files, diagnostics } = load(entry, reader, { parsed: cache?.parsed, importRoot });
    const getScopes = (): readonly Scope[] => buildScopes(files);
    return diagnostics.length === 0 ? { getScopes, files, diagnostics } : { getScopes, diagnostics };
  }
  if (!entry.endsWith(".json")) {
    const what = foreignExtensions.get(posix.extname(entry));
    const error =
      what === undefined
        ? diagnose("schema-extension", { path: entry }, { path: entry })
        : diagnose("foreign-document", { path: entry, what }, { path: entry });
    return { getScopes: noScopes, diagnostics: [folderError(entry, reader) ?? error] };
  }
  const source = readWhole(entry, reader);
  if ("code" in source) return { getScopes: noScopes, diagnostics: [source] };
  const { read, diagnostics } = readIr(source.file);
  if (read === undefined) {
    if (!source.looksBinary) return { getScopes: noScopes, diagnostics };
    return { getScopes: noScopes, diagnostics: [diagnose("binary-file", { path: entry }, { path: entry })] };
  }
  return { getScopes: () => [buildScope(read.file)], ir: read.ir, diagnostics };
}

/** Reads an IR file. A kept version may be stored as its difference from the next one. */
function readWhole(path: string, reader: SourceReader): ReadSource | Diagnostic {
  const stored: { readonly file: SourceFile; readonly difference: IrDifference }[] = [];
  let source = readSource(path, reader, { path });
  while (!("code" in source)) {
    const { file } = source;
    const difference = readDifference(file.text);
    if (difference === undefined) break;
    stored.push({ file, difference });
    const paths = [difference.next + keptSuffix, latestFile].map((name) =>
      posix.join(posix.dirname(file.path), name),
    );
    // The chain ends at a later version, so a version that comes twice is a mistake.
    const others = paths.filter((one) => !stored.some((before) => before.file.path === one));
    const next = readFirst(others, reader);
    if (next === undefined) return notRestored(file, difference.next);
    source = next;
  }
  if ("code" in source) return source;
  let { file } = source;
  for (const { file: own, difference } of stored.toReversed()) {
    const text = applyDifference(difference, file.text);
    if (text === undefined) return notRestored(own, difference.next);
    file = new SourceFile(own.path, text);
  }
  return { ...source, file };
}

/** Reads the first of some files that exists. */
function readFirst(paths: readonly string[], reader: SourceReader): ReadSource | undefined {
  for (const path of paths) {
    const source = readSource(path, reader, { path });
    if (!("code" in source)) return source;
  }
  return undefined;
}

function notRestored(file: SourceFile, next: string): Diagnostic {
  return diagnose("history-difference", { next }, { file, span: { start: 0, end: 0 } });
}

/** Reports a folder that contains schemas. */
function folderError(path: string, reader: SourceReader): Diagnostic | undefined {
  const file = reader.list?.(path).find((name) => name.endsWith(".ridl") || isYaml(name));
  if (file === undefined) return undefined;
  const advice = `Name a file in it, such as "${posix.join(path, file)}".`;
  return diagnose("unreadable-file", { path, reason: "it is a directory" }, { path }, { advice });
}

/** Replaces the errors of a document that is no schema. */
function foreignDocument(entry: string, found: readonly Diagnostic[]): readonly Diagnostic[] | undefined {
  const file = found.find(({ severity, path }) => severity === "error" && path === entry)?.at?.file;
  if (file === undefined || /^\s*["{]*webrpc"?\s*[:=]/m.test(file.text)) return undefined;
  const what = foreignTexts.find(([pattern]) => pattern.test(file.text))?.[1];
  if (what === undefined) return undefined;
  return [diagnose("foreign-document", { path: entry, what }, { file, span: { start: 0, end: 0 } })];
}

const foreignTexts: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/(?:^|[{,])\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]/m, "an OpenAPI document"],
  [/(?:^|[{,])\s*["']?asyncapi["']?\s*:/m, "an AsyncAPI document"],
  [/(?:^|[{,])\s*["']?\$(?:schema|defs)["']?\s*:/m, "a JSON Schema"],
  [/^\s*syntax\s*=\s*["']proto[23]["']/m, "a Protocol Buffers file"],
  [/^\s*(?:extend\s+)?(?:type\s+(?:Query|Mutation|Subscription)\b[^:\n]*|schema\s*)\{/m, "a GraphQL schema"],
];

const foreignExtensions: ReadonlyMap<string, string> = new Map([
  [".proto", "a Protocol Buffers file"],
  [".graphql", "a GraphQL schema"],
  [".gql", "a GraphQL schema"],
  [".thrift", "a Thrift file"],
  [".smithy", "a Smithy model"],
  [".tsp", "a TypeSpec file"],
]);

function noScopes(): readonly Scope[] {
  return [];
}

function lazyResult(
  scopes: readonly Scope[],
  read: IrSchema | undefined,
  options: CompileOptions,
): CompiledSchema {
  const root = scopes.at(-1) as Scope;
  let model: Model | undefined;
  let ir: IrSchema | undefined;
  return {
    scopes,
    counts: countsOf(root),
    scope: root,
    get model(): Model {
      model ??= buildModel(root);
      return model;
    },
    get ir(): IrSchema {
      ir ??= read === undefined ? buildIr(root, options) : normalizeIr(root, read);
      return ir;
    },
  };
}

function countsOf({ services, types, errors }: Scope): SchemaCounts {
  const own = [...new Set(services)];
  const methods = own.reduce((sum, { node }) => sum + node.methods.length, 0);
  return { services: own.length, methods, types: types.length, errors: errors.length };
}

/** Removes duplicates and sorts by file, in load order, and by position. Drops warnings first when there are too many. */
export function sortDiagnostics<Found extends Diagnostic>(found: readonly Found[]): (Found | Diagnostic)[] {
  const unique = [
    ...new Map(
      found.map((one) => [`${one.code}\0${one.path}\0${one.at?.span.start}\0${one.message}`, one]),
    ).values(),
  ];
  const files = [...new Set(unique.map(({ path }) => path))];
  const rank = new Map(files.map((path, index) => [path, index]));
  const offset = (one: Found): number => one.at?.span.start ?? -1;
  const byPosition = (a: Found, b: Found): number =>
    (rank.get(a.path) ?? 0) - (rank.get(b.path) ?? 0) || offset(a) - offset(b);
  if (unique.length <= maxDiagnostics) return unique.sort(byPosition);
  const errors = unique.filter(({ severity }) => severity === "error");
  const warnings = unique.filter(({ severity }) => severity === "warning");
  const shown = [...errors, ...warnings].slice(0, maxDiagnostics).sort(byPosition);
  const rest = diagnose(
    "too-many",
    { hidden: unique.length - maxDiagnostics },
    { path: shown[0]?.path ?? "" },
  );
  return [...shown, errors.length > 0 ? rest : { ...rest, severity: "warning" }];
}
