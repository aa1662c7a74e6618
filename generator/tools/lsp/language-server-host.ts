import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import type { ReadResult } from "../../language/source/reader.ts";
import type { Span } from "../../language/source/span.ts";
import type { LintConfig } from "../config/config.ts";

/** What the server asks of the machine. Paths are absolute and written with "/". */
export interface LanguageServerHost {
  read(path: string): ReadResult;
  /** Names of the files and folders in a folder; none if it cannot be listed. */
  list(folder: string): readonly string[];
  /** Whether a path stays below a folder, symbolic links followed. */
  isInside(path: string, folder: string): boolean;
  /** The project that a file belongs to, by the nearest configuration above it. Asked often: it remembers. */
  projectOf(path: string): Promise<Project>;
  /** Where the hand-written code of that project names methods of the schema. `texts`: files as they stand in the editor. */
  handlerReferences(
    project: Project,
    texts: ReadonlyMap<string, string>,
  ): Promise<readonly HandlerReference[]>;
  /** Files may have changed beside the editor. */
  clearCache(): void;
}

export interface Project {
  /** Absolute path of its folder; of a file without a configuration that of the file. */
  readonly folder: string;
  readonly schemas: readonly ProjectSchema[];
  /** Absolute folders of hand-written handlers. */
  readonly handlers: readonly string[];
  /** What is wrong with the configuration. */
  readonly faults: readonly Diagnostic[];
}

export interface ProjectSchema {
  /** Of its entry file. */
  readonly path: string;
  readonly strict: boolean;
  readonly hashParity: boolean;
  /** The folder that imports may not lead out of. */
  readonly importRoot?: string;
  /** The rules of style that are asked for. */
  readonly lint: LintConfig;
}

/** A place in hand-written code that names a method. */
export interface HandlerReference {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly text: string;
  readonly span: Span;
  /** Whether the handler itself stands here. */
  readonly isHandler: boolean;
}
