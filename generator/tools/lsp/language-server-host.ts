import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import type { ReadResult } from "../../language/source/reader.ts";
import type { Span } from "../../language/source/span.ts";
import type { LintConfig } from "../config/config.ts";

/** File system access and project lookup for the language server. Paths are absolute and use "/". */
export interface LanguageServerHost {
  read(path: string): ReadResult;
  /** Names of the files and folders in a folder. Empty if the folder cannot be listed. */
  list(folder: string): readonly string[];
  /** Whether a path is below a folder after symbolic links are resolved. */
  isInside(path: string, folder: string): boolean;
  /** The project that a file belongs to, by the nearest configuration above it. Called often, so implementations cache. */
  projectOf(path: string): Promise<Project>;
  /** Finds methods of the schema in hand-written code. `texts` holds the unsaved texts of open files, by path. */
  handlerReferences(
    project: Project,
    texts: ReadonlyMap<string, string>,
  ): Promise<readonly HandlerReference[]>;
  /** Called when files may have changed outside the editor. */
  clearCache(): void;
}

export interface Project {
  /** Absolute path. For a file without a configuration, the folder of the file. */
  readonly folder: string;
  readonly schemas: readonly ProjectSchema[];
  /** Absolute paths of folders with hand-written handlers. */
  readonly handlers: readonly string[];
  readonly faults: readonly Diagnostic[];
}

export interface ProjectSchema {
  /** Path of the entry file. */
  readonly path: string;
  readonly strict: boolean;
  readonly hashParity: boolean;
  /** Imports must stay inside this folder. */
  readonly importRoot?: string;
  readonly lint: LintConfig;
}

export interface HandlerReference {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly text: string;
  readonly span: Span;
  /** True at the handler itself, false at other code that mentions the method. */
  readonly isHandler: boolean;
}
