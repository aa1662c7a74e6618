import type { Project, SourceFile } from "ts-morph";
import { HandlerTypes, type Vocabulary } from "./handler-types.ts";
import { type Notes, noteFile } from "./notes.ts";
import type { Morph, SyntaxFault } from "./survey.ts";

export interface SurveyInput {
  /** Texts of the hand-written files by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly vocabulary: Vocabulary;
  /** Whether an import, by the path of the file and its specifier, leads into the generated folder. */
  readonly isGenerated: (path: string, specifier: string) => boolean;
  /** Whether it leads into what another schema generates: names from there are none of this one's. */
  readonly isForeign: (path: string, specifier: string) => boolean;
}

/** A file as it was read. */
export interface SurveyedFile {
  readonly path: string;
  readonly source: SourceFile;
  readonly types: HandlerTypes;
  readonly notes: Notes;
  readonly faults: readonly SyntaxFault[];
}

/** Parses the files, in their order. */
export function readFiles({ files, ...how }: SurveyInput, morph: Morph): ReadonlyMap<string, SurveyedFile> {
  const project = new morph.Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: { noLib: true, allowJs: true },
  });
  return new Map([...files].map(([path, text]) => [path, readFile(project, { path, text, ...how }, morph)]));
}

function readFile(
  project: Project,
  {
    path,
    text,
    vocabulary,
    isGenerated,
    isForeign,
  }: Omit<SurveyInput, "files"> & { readonly path: string; readonly text: string },
  morph: Morph,
): SurveyedFile {
  // A byte order mark would be cut off, and every place be one off.
  const source = project.createSourceFile(`/${path}`, text.replace(/^\uFEFF/, " "));
  return {
    path,
    source,
    types: new HandlerTypes(
      source,
      { vocabulary, isForeign: (specifier) => isForeign(path, specifier) },
      morph,
    ),
    notes: noteFile(source, { path, isGenerated }, morph),
    faults: faultsOf(source, path),
  };
}

function faultsOf(source: SourceFile, path: string): readonly SyntaxFault[] {
  // What the parser says is kept in the tree, and costs no program.
  const { parseDiagnostics = [] } = source.compilerNode as unknown as { parseDiagnostics?: ParseFault[] };
  return parseDiagnostics.map(({ start, length, messageText }) => {
    const message = typeof messageText === "string" ? messageText : messageText.messageText;
    return { path, span: { start, end: start + length }, message: message.replace(/\.$/, "") };
  });
}

interface ParseFault {
  readonly start: number;
  readonly length: number;
  readonly messageText: string | { readonly messageText: string };
}
