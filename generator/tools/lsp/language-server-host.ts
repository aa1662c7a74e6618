import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import type { ReadResult } from "../../language/source/reader.ts";
import type { Span } from "../../language/source/span.ts";
import type { LintConfig } from "../config/config.ts";

/** Access to files and projects. Paths are absolute and use "/". */
export interface LanguageServerHost {
  read(path: string): ReadResult;
  /** Names of the files and folders in a folder; empty if it cannot be listed. */
  list(folder: string): readonly string[];
  /** Whether a path is below a folder after resolving symbolic links. */
  isInside(path: string, folder: string): boolean;
  /** The project of the nearest configuration above a file. Cached, because it is called often. */
  projectOf(path: string): Promise<Project>;
  /** The positions in hand-written code that name methods of the schema. `texts` are the contents of open files. */
  handlerReferences(
    project: Project,
    texts: ReadonlyMap<string, string>,
  ): Promise<readonly HandlerReference[]>;
  /** Called after files may have changed outside the editor. */
  clearCache(): void;
}

export interface Project {
  /** Absolute path of the folder of the configuration, or of the file if there is none. */
  readonly folder: string;
  readonly schemas: readonly ProjectSchema[];
  /** Absolute paths of folders with hand-written handlers. */
  readonly handlers: readonly string[];
  /** Errors in the configuration. */
  readonly faults: readonly Diagnostic[];
}

export interface ProjectSchema {
  /** Path of the entry file. */
  readonly path: string;
  readonly strict: boolean;
  /** Whether the IR garbles non-ASCII characters as webrpc does, so that the schema hashes match. */
  readonly hashParity: boolean;
  /** Whether 64-bit integers are numbers in generated code. */
  readonly int64Numbers?: boolean;
  /** The folder that imports are confined to. */
  readonly importRoot?: string;
  /** Settings of style rules. */
  readonly lint: LintConfig;
}

/** A position in hand-written code that names a method. */
export interface HandlerReference {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly text: string;
  readonly span: Span;
  /** Whether this is the handler itself. */
  readonly isHandler: boolean;
}
