import type { Project, SourceFile } from "ts-morph";
import { HandlerTypes, type Vocabulary } from "./handler-types.ts";
import { type Notes, noteFile } from "./notes.ts";
import type { Morph, Site, Survey, SyntaxFault } from "./survey.ts";

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
  readonly text: string;
  readonly source: SourceFile;
  readonly types: HandlerTypes;
  readonly notes: Notes;
  readonly faults: readonly SyntaxFault[];
  /** All that is in it, if it gathers no handlers: then that hangs on its own text alone. */
  sites?: readonly Site[];
}

/** Files that were read before, for a process that takes many surveys: of two of them only files that changed are read again. */
export class SurveyMemory {
  readonly #files = new Map<string, SurveyedFile>();
  #project: Project | undefined;
  #basis = "";
  /** Of the files that the last survey was taken of. */
  #last: { readonly files: readonly SurveyedFile[]; readonly survey: Survey } | undefined;

  /** The files of a survey. `basis` says what beside their texts decides what is read in them: with another nothing is known. */
  bringInLine(input: SurveyInput, basis: string, morph: Morph): ReadonlyMap<string, SurveyedFile> {
    if (basis !== this.#basis) this.#forget();
    this.#basis = basis;
    for (const [path, { source }] of this.#files) {
      if (input.files.has(path)) continue;
      source.forget();
      this.#files.delete(path);
    }
    this.#project ??= newProject(morph);
    const { files, ...how } = input;
    const inOrder = new Map<string, SurveyedFile>();
    for (const [path, text] of files) {
      const known = this.#files.get(path);
      if (known?.text !== text) known?.source.forget();
      const file = known?.text === text ? known : readFile(this.#project, { path, text, ...how }, morph);
      inOrder.set(path, file);
      this.#files.set(path, file);
    }
    return inOrder;
  }

  /** The last survey if it was of the same files, and what `take` answers for others. */
  once(files: ReadonlyMap<string, SurveyedFile>, take: () => Survey): Survey {
    const now = [...files.values()];
    const last = this.#last;
    if (last?.files.length === now.length && now.every((file, index) => file === last.files[index]))
      return last.survey;
    const survey = take();
    this.#last = { files: now, survey };
    return survey;
  }

  #forget(): void {
    this.#files.clear();
    this.#last = undefined;
    this.#project = undefined;
  }
}

function newProject({ Project }: Morph): Project {
  return new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: { noLib: true, allowJs: true },
  });
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
    text,
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
