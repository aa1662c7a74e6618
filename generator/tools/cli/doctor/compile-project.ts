import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { ts } from "ts-morph";
import type { TsMorph } from "../../../handlers/index/handler-index.ts";
import { type CompilerConfig, type ImportedPackage, isInside } from "../../doctor/examine.ts";
import { loadTsMorph } from "../files/ts-morph.ts";
import { importedPackages } from "./imported-packages.ts";
import { createProgram } from "./program.ts";

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
export function compileProject(
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
      ? generated
          .flatMap((file) => program.getSemanticDiagnostics(file))
          .filter(({ code }) => !reportedPerPackage.has(code))
          .map((error) => errorText(ts, error, cwd))
      : [],
  };
  return { config, imported: importedPackages(ts, program, cwd) };
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
