import { existsSync, readFileSync } from "node:fs";
import module, { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import type { ts } from "ts-morph";
import type { TsMorph } from "../../../handlers/index/handler-index.ts";
import type { ImportedPackage } from "../../doctor/examine.ts";
import { foldersAbove } from "../files/folders-above.ts";

type Ts = TsMorph["ts"];

/** Where ts-morph, which contains the compiler, keeps the compiler's library of types. */
const libraryFolder = "/node_modules/typescript/lib";

/** Creates programs as tsc does: comments, which are a large part of the types of Node.js, are not parsed. */
export function createProgram(
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

/** The packages that the project's files import, each once. An import of values takes precedence over one of types. */
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
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile || program.isSourceFileFromExternalLibrary(file)) continue;
    for (const one of importsOf(ts, file)) {
      const { text } = one.specifier;
      if (/^[./#]/.test(text) || ambient.has(text)) continue;
      const name = isBuiltin(text) ? "@types/node" : packageOf(text);
      const known = found.get(name);
      if (known !== undefined && (one.isTypeOnly || !known.isTypeOnly)) continue;
      const imported = resolveImport(ts, { program, file, name, ...one });
      if (imported !== undefined) found.set(name, { ...imported, importer: relative(cwd, file.fileName) });
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
  readonly name: string;
}

/** Returns undefined if the name resolves to a file of the project, by "paths" or by a workspace link. */
function resolveImport(
  ts: Typescript,
  { program, file, name, specifier, isTypeOnly }: ImportInput,
): Omit<ImportedPackage, "importer"> | undefined {
  const options = program.getCompilerOptions();
  const host = moduleHost(ts);
  const mode = ts.getModeForUsageLocation(file, specifier, options);
  const { resolvedModule } = ts.resolveModuleName(
    specifier.text,
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
  try {
    const text = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, "")) as Readonly<
      Record<string, unknown>
    > | null;
    const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
    return text?.["name"] === name || kinds.some((kind) => Object.hasOwn(Object(text?.[kind]), name));
  } catch {
    return false;
  }
}
