import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import module, { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import type { ts } from "ts-morph";
import { resolveOptions } from "../../../codegen/options.ts";
import { packagesBehind } from "../../../codegen/runtime.ts";
import { loadTsMorph, type TsMorph } from "../../../handlers/index/handler-index.ts";
import { tallyOf } from "../../../language/diagnostics/tally.ts";
import {
  type CompilerConfig,
  type ImportedPackage,
  isInside,
  type ProjectSetup,
  type SchemaSetup,
} from "../../doctor/examine.ts";
import { dependencyIn, parsePackageJson } from "../../doctor/package-json.ts";
import { runtimeName } from "../../doctor/runtime-package.ts";
import type { CommandCall } from "../command.ts";
import type { Schema } from "../config/schemas.ts";
import { foldersAbove } from "../files/folders.ts";
import { isUnwritten } from "../files/output-folder.ts";
import { generateInMemory } from "../generate/generation.ts";
import { installedVersion } from "../generate/missing-packages.ts";
import { ProgressLine } from "../output/terminal.ts";

/** Collects the facts about a project that `examine` judges. Writes nothing. */
export async function inspectProject({ cwd, schemas, reader, report }: CommandCall): Promise<ProjectSetup> {
  using progress = new ProgressLine(report);
  const pathsOf = (part: "out" | "handlers"): readonly string[] =>
    schemas.flatMap(({ generation }) => generation?.[part] ?? []).map((path) => slashed(resolve(cwd, path)));
  return {
    ...compileProject(cwd, { generated: pathsOf("out"), handlers: pathsOf("handlers") }, (path) =>
      progress.show(`Type-checking ${path}`),
    ),
    node: process.versions.node,
    version: report.version,
    installed: installedVersion("ridlkit", cwd),
    runtime: installedVersion(runtimeName, pathsOf("out")[0] ?? cwd),
    schemas: await Promise.all(schemas.map((schema) => inspectSchema(schema, { cwd, reader, report }))),
    packageText: filesAbove(cwd, "package.json")[0],
    attributes: filesAbove(cwd, ".gitattributes").join("\n"),
    isInGit: foldersAbove(cwd).some((folder) => existsSync(join(folder, ".git"))),
  };
}

async function inspectSchema(
  schema: Schema,
  call: Pick<CommandCall, "cwd" | "reader" | "report">,
): Promise<SchemaSetup> {
  const { path: entry, generation } = schema;
  const { cwd, reader } = call;
  const { out, handlers } = generation ?? {};
  const exists = reader.read(entry).kind === "bytes";
  const lock = resolve(cwd, out ?? ".", ".ridlkit.lock");
  return {
    entry,
    exists,
    out,
    handlers,
    hasHandlers: handlers !== undefined && existsSync(resolve(cwd, handlers)),
    output: out !== undefined && exists ? await outputState(schema, call) : "current",
    leftLock: existsSync(lock) ? relative(cwd, lock) : undefined,
    isIgnoredByGit: out !== undefined && isIgnored(out, cwd),
    copiesRuntime: generation?.runtime === "copy",
    importsEndWithTs:
      resolveOptions({ importExtension: generation?.importExtension }).importExtension === ".ts",
  };
}

/** Whether the files on disk are those that `generate` would write. */
async function outputState(
  schema: Schema,
  call: Pick<CommandCall, "cwd" | "reader" | "report">,
): Promise<SchemaSetup["output"]> {
  const { outputs, diagnostics } = await generateInMemory(
    { ...call, schemas: [schema], options: {} },
    call.report,
  );
  if (tallyOf(diagnostics).errors > 0) return "invalid";
  for (const { job, files } of outputs) {
    const difference = job.folder.compare(files);
    const { changes, obstacles, manifest } = difference;
    if (isUnwritten(difference)) return "unwritten";
    if (changes.length + obstacles.length > 0 || manifest !== undefined) return "outdated";
  }
  return "current";
}

/** Texts of the files with this name in the folder and its parents, nearest first. */
function filesAbove(cwd: string, name: string): readonly string[] {
  return foldersAbove(cwd).flatMap((folder) => {
    const path = join(folder, name);
    return existsSync(path) ? [readFileSync(path, "utf8")] : [];
  });
}

/** Returns false if Git is not installed. */
function isIgnored(path: string, cwd: string): boolean {
  try {
    execFileSync("git", ["check-ignore", "--quiet", path], { cwd, stdio: "ignore", timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}

/** With slashes, as the compiler writes paths. */
function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

type Ts = TsMorph["ts"];

/** The result of compiling a project. */
export interface CompiledProject {
  /** Empty if the project has no tsconfig.json. */
  readonly configs: readonly CompilerConfig[];
  readonly imported: readonly ImportedPackage[];
}

/** Absolute paths of the folders of a project. */
export interface ProjectFolders {
  readonly generated: readonly string[];
  readonly handlers: readonly string[];
}

/**
 * Type-checks the project of tsconfig.json, or the generated folders if there is none. If tsconfig.json only references others, the
 * referenced projects that contain generated code are checked. `onStart` gets the path of each configuration before the work on it.
 */
function compileProject(
  cwd: string,
  { generated: folders, handlers }: ProjectFolders,
  onStart: (path: string) => void,
): CompiledProject {
  const morph = loadTsMorph();
  const { ts } = morph;
  const root = join(cwd, "tsconfig.json");
  if (!existsSync(root)) {
    const files = [...folders, ...handlers].flatMap((folder) =>
      existsSync(folder) ? ts.sys.readDirectory(folder, [".ts"]) : [],
    );
    const options = { allowImportingTsExtensions: true, noEmit: true, noLib: true, types: [] };
    return { configs: [], imported: importedPackages(ts, createProgram(morph, files, options), cwd) };
  }
  const compiled = withReferences(ts, root).map((read) => {
    onStart(relative(cwd, read.path));
    return compileConfig(morph, read, { cwd, folders });
  });
  const covering = compiled.filter(({ config }) => config.coversGenerated);
  const relevant = covering.length > 0 ? covering : compiled.slice(0, 1);
  return {
    configs: relevant.map(({ config }) => config),
    imported: distinctBy(
      relevant.flatMap(({ imported }) => imported),
      ({ name }) => name,
    ),
  };
}

interface ReadConfig {
  readonly path: string;
  readonly parsed: ts.ParsedCommandLine;
}

/** A configuration and all configurations that it references, each once. */
function withReferences(ts: Ts, root: string): readonly ReadConfig[] {
  const found = new Map<string, ReadConfig>();
  const follow = (path: string): void => {
    if (found.has(path)) return;
    const read = ts.readConfigFile(path, (file) => ts.sys.readFile(file));
    const parsed = ts.parseJsonConfigFileContent(read.config ?? {}, ts.sys, dirname(path), undefined, path);
    const errors = read.error === undefined ? parsed.errors : [read.error];
    found.set(path, { path, parsed: { ...parsed, errors } });
    for (const reference of parsed.projectReferences ?? [])
      follow(resolve(ts.resolveProjectReferencePath(reference)));
  };
  follow(root);
  return [...found.values()];
}

interface CompileInput {
  readonly cwd: string;
  readonly folders: readonly string[];
}

function compileConfig(
  morph: TsMorph,
  { path, parsed }: ReadConfig,
  { cwd, folders }: CompileInput,
): { readonly config: CompilerConfig; readonly imported: readonly ImportedPackage[] } {
  const { ts } = morph;
  const { options, fileNames, projectReferences = [] } = parsed;
  const program = createProgram(morph, fileNames, options);
  const generated = program
    .getSourceFiles()
    .filter(({ fileName }) => folders.some((folder) => isInside(fileName, folder)));
  const allowsTsImports =
    (options.allowImportingTsExtensions ?? options.rewriteRelativeImportExtensions) === true;
  const config: CompilerConfig = {
    path: relative(cwd, path),
    errors: parsed.errors.filter(({ code }) => code !== noInputs).map((error) => errorText(ts, error, cwd)),
    hasInputs: fileNames.length > 0 || projectReferences.length > 0,
    include: (parsed.raw as { readonly include?: readonly string[] } | undefined)?.include ?? [],
    coversGenerated: generated.length > 0,
    allowsTsImports,
    emits: options.noEmit !== true && options.emitDeclarationOnly !== true,
    module: options.module === undefined ? undefined : ts.ModuleKind[options.module]?.toLowerCase(),
    // Otherwise every import would be an error.
    compileErrors: allowsTsImports
      ? program
          .getSourceFiles()
          .filter((file) => generated.includes(file) || isRuntime(file))
          .flatMap((file) => program.getSemanticDiagnostics(file))
          .filter(({ code }) => !reportedPerPackage.has(code))
          .map((error) => errorText(ts, error, cwd))
      : [],
  };
  return { config, imported: importedPackages(ts, program, cwd) };
}

/** Whether a file is of the package that generated code imports. The compiler checks it unless `skipLibCheck` is set. */
function isRuntime({ fileName }: ts.SourceFile): boolean {
  return fileName.includes(`/node_modules/${runtimeName}/`);
}

/** "No inputs were found in config file": reported separately. */
const noInputs = 18003;

/** A missing module or missing types: reported once for the package. */
const reportedPerPackage: ReadonlySet<number> = new Set([2307, 7016]);

/** `generated/types.ts:3:1: Cannot find name "x".` */
function errorText(ts: Ts, { file, start, messageText }: ts.Diagnostic, cwd: string): string {
  const [message = ""] = ts.flattenDiagnosticMessageText(messageText, "\n").split("\n");
  if (file === undefined || start === undefined) return message;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${relative(cwd, file.fileName)}:${line + 1}:${character + 1}: ${message}`;
}

function distinctBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

/** Where ts-morph, which contains the compiler, keeps the compiler's library of types. */
const libraryFolder = "/node_modules/typescript/lib";

/** Creates programs as tsc does: comments, which are a large part of the types of Node.js, are not parsed. */
function createProgram(
  { Project, ts }: TsMorph,
  rootNames: readonly string[],
  options: ts.CompilerOptions,
): ts.Program {
  const library = new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost();
  const host = Object.assign(ts.createCompilerHost(options), moduleHost(ts));
  const { readFile, fileExists } = host;
  const isLibrary = (path: string): boolean =>
    path.startsWith(`${libraryFolder}/`) && library.fileExists(path);
  return ts.createProgram({
    rootNames,
    options,
    host: Object.assign(host, {
      readFile: (path: string) => (isLibrary(path) ? library.readFile(path) : readFile(path)),
      fileExists: (path: string) => isLibrary(path) || fileExists(path),
      getDefaultLibLocation: () => libraryFolder,
      getDefaultLibFileName: (given: ts.CompilerOptions) =>
        `${libraryFolder}/${ts.getDefaultLibFileName(given)}`,
      getSourceFile: (path: string, parsing: ts.ScriptTarget | ts.CreateSourceFileOptions) => {
        const text = host.readFile(path);
        if (text === undefined) return undefined;
        return sourceFileOf(
          ts,
          path,
          text,
          typeof parsing === "object" ? parsing : { languageVersion: parsing },
        );
      },
      jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
    }),
  });
}

/**
 * The file system in which the compiler finds packages, also those of Yarn Plug'n'Play: as if they were in the `node_modules` of each
 * folder that may import them. Yarn makes `node:fs` read its archives.
 */
function moduleHost({ sys }: Ts): ts.ModuleResolutionHost {
  return {
    fileExists: (path) => sys.fileExists(located(path)),
    readFile: (path) => sys.readFile(located(path)),
    directoryExists: (path) =>
      sys.directoryExists(located(path)) ||
      // The compiler looks for packages in existing folders only.
      (findPnpApi !== undefined && /[/]node_modules([/]@types)?$/.test(path)),
    realpath: (path) => sys.realpath?.(located(path)) ?? path,
  };
}

/** What Yarn adds to `node:module`. Throws for packages that the folder may not import. */
const { findPnpApi } = module as {
  readonly findPnpApi?: (
    folder: string,
  ) => { readonly resolveToUnqualified: (name: string, folder: string) => string | null } | null;
};

function located(path: string): string {
  const [, folder = "", name = "", rest = ""] =
    /^(.*[/])node_modules[/]((?:@[^/]+[/])?[^/@][^/]*)(.*)$/.exec(path) ?? [];
  if (findPnpApi === undefined || name === "" || existsSync(path)) return path;
  try {
    const found = findPnpApi(folder)?.resolveToUnqualified(name, folder) ?? undefined;
    return found === undefined ? path : found.replace(/[/]$/, "") + rest;
  } catch {
    return path;
  }
}

/** Files of types, by path and by the options that matter to them. Projects that reference each other share most of these files. */
const declarationFiles = new Map<string, ts.SourceFile>();

function sourceFileOf(
  ts: Ts,
  path: string,
  text: string,
  options: ts.CreateSourceFileOptions,
): ts.SourceFile {
  if (!/[.]d[.][cm]?ts$/.test(path)) return ts.createSourceFile(path, text, options);
  const key = JSON.stringify([path, options.languageVersion, options.impliedNodeFormat]);
  const known = declarationFiles.get(key);
  if (known?.text === text) return known;
  const parsed = ts.createSourceFile(path, text, options);
  declarationFiles.set(key, parsed);
  return parsed;
}

type Typescript = typeof ts;

/**
 * The packages that the project's files import, directly or in modules of the runtime, each once. An import of values takes precedence
 * over one of types.
 */
export function importedPackages(
  ts: Typescript,
  program: ts.Program,
  cwd: string,
): readonly ImportedPackage[] {
  const ambient = new Set(
    program
      .getTypeChecker()
      .getAmbientModules()
      .map(({ name }) => name.slice(1, -1)),
  );
  const found = new Map<string, ImportedPackage>();
  const add = (input: ImportInput, importer: string): void => {
    const name = isBuiltin(input.text) ? "@types/node" : packageOf(input.text);
    const known = found.get(name);
    const isFirst = known === undefined || (known.isTypeOnly && !input.isTypeOnly);
    const imported = isFirst ? resolveImport(ts, input, name) : known;
    if (imported === undefined) return;
    const others = known?.importers ?? [];
    const importers = new Set(isFirst ? [importer, ...others] : [...others, importer]);
    found.set(name, { ...imported, importers: [...importers] });
  };
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile || program.isSourceFileFromExternalLibrary(file)) continue;
    for (const one of importsOf(ts, file)) {
      const { text } = one.specifier;
      if (/^[./#]/.test(text) || ambient.has(text)) continue;
      add({ program, file, ...one, text }, relative(cwd, file.fileName));
      if (!one.isTypeOnly)
        for (const behind of packagesBehind(text)) add({ program, file, ...one, text: behind }, text);
    }
  }
  return [...found.values()];
}

interface Import {
  readonly specifier: ts.StringLiteral;
  readonly isTypeOnly: boolean;
}

function importsOf(ts: Typescript, file: ts.SourceFile): readonly Import[] {
  return file.statements.flatMap((statement): Import[] => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier: specifier } = statement;
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return [];
    const isTypeOnly = ts.isImportDeclaration(statement) ? isTypeImport(ts, statement) : statement.isTypeOnly;
    return [{ specifier, isTypeOnly }];
  });
}

/** `import type { A } …` and `import { type A } …`. */
function isTypeImport(ts: Typescript, { importClause: clause }: ts.ImportDeclaration): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = clause;
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every((one) => one.isTypeOnly);
}

interface ImportInput extends Import {
  readonly program: ts.Program;
  readonly file: ts.SourceFile;
  /** What `specifier` names, or what a module of the runtime imports that it names. */
  readonly text: string;
}

/** Returns undefined if the name resolves to a file of the project, by "paths" or by a workspace link. */
function resolveImport(
  ts: Typescript,
  { program, file, specifier, text, isTypeOnly }: ImportInput,
  name: string,
): Omit<ImportedPackage, "importers"> | undefined {
  const options = program.getCompilerOptions();
  const host = moduleHost(ts);
  const mode = ts.getModeForUsageLocation(file, specifier, options);
  const { resolvedModule } = ts.resolveModuleName(
    text,
    file.fileName,
    options,
    host,
    undefined,
    undefined,
    mode,
  );
  if (resolvedModule !== undefined && resolvedModule.isExternalLibraryImport !== true) return undefined;
  const folder = dirname(file.fileName);
  const types = resolvedModule !== undefined && /^[.](d[.])?[cm]?tsx?$/.test(resolvedModule.extension);
  const isThere = foldersAbove(folder).some((above) =>
    host.fileExists(join(above, "node_modules", name, "package.json")),
  );
  const isFoundElsewhere =
    resolvedModule !== undefined && !/[/\\]@types[/\\]/.test(resolvedModule.resolvedFileName);
  return {
    name,
    isTypeOnly: isTypeOnly || name === "@types/node",
    isInstalled: isThere || isFoundElsewhere,
    hasTypes: types,
    isInPackageJson: foldersAbove(folder).some((above) => listsPackage(join(above, "package.json"), name)),
  };
}

/** `@scope/name/part` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Whether a package.json depends on the package, or is the package's own. */
function listsPackage(path: string, name: string): boolean {
  if (!existsSync(path)) return false;
  const packageJson = parsePackageJson(readFileSync(path, "utf8")) ?? {};
  return packageJson["name"] === name || dependencyIn(packageJson, name) !== undefined;
}
