import type { Project, SourceFile } from "ts-morph";
import type { HandlerSyntaxError, TsMorph } from "./handler-index.ts";
import { HandlerTypes, type ServiceByInterface } from "./handler-types.ts";
import { type SourceFacts, sourceFacts } from "./imports-and-exports.ts";

export interface ParseInput {
  /** Contents of the hand-written files by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly interfaces: ServiceByInterface;
  /** Whether an import resolves to generated code. Arguments: the importing file and the specifier. */
  readonly isGenerated: (path: string, specifier: string) => boolean;
  /** Whether an import resolves to the generated code of another schema. */
  readonly isForeign: (path: string, specifier: string) => boolean;
}

/** A parsed hand-written file. */
export interface ParsedFile {
  readonly path: string;
  readonly source: SourceFile;
  readonly types: HandlerTypes;
  readonly facts: SourceFacts;
  readonly syntaxErrors: readonly HandlerSyntaxError[];
}

/** Parses the files in order. */
export function parseFiles(
  { files, ...options }: ParseInput,
  morph: TsMorph,
): ReadonlyMap<string, ParsedFile> {
  const project = new morph.Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: { noLib: true, allowJs: true },
  });
  return new Map(
    [...files].map(([path, text]) => [path, parseFile(project, { path, text, ...options }, morph)]),
  );
}

function parseFile(
  project: Project,
  {
    path,
    text,
    interfaces,
    isGenerated,
    isForeign,
  }: Omit<ParseInput, "files"> & { readonly path: string; readonly text: string },
  morph: TsMorph,
): ParsedFile {
  // TypeScript would strip a byte order mark, which would shift all positions.
  const source = project.createSourceFile(`/${path}`, text.replace(/^\uFEFF/, " "));
  return {
    path,
    source,
    types: new HandlerTypes(
      source,
      { interfaces, isForeign: (specifier) => isForeign(path, specifier) },
      morph,
    ),
    facts: sourceFacts(source, { path, isGenerated }, morph),
    syntaxErrors: syntaxErrorsOf(source, path),
  };
}

function syntaxErrorsOf(source: SourceFile, path: string): readonly HandlerSyntaxError[] {
  // The syntax tree contains the parser's errors, so no program is needed.
  const { parseDiagnostics = [] } = source.compilerNode as unknown as {
    parseDiagnostics?: ParseDiagnostic[];
  };
  return parseDiagnostics.map(({ start, length, messageText }) => {
    const message = typeof messageText === "string" ? messageText : messageText.messageText;
    return { path, span: { start, end: start + length }, message: message.replace(/\.$/, "") };
  });
}

interface ParseDiagnostic {
  readonly start: number;
  readonly length: number;
  readonly messageText: string | { readonly messageText: string };
}
