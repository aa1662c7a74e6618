import type { ts } from "ts-morph";
import type { TsMorph } from "../../../handlers/index/handler-index.ts";

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
  const host = ts.createCompilerHost(options);
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
