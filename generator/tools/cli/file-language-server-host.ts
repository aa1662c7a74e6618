import { existsSync, readdirSync } from "node:fs";
import { dirname, posix, resolve } from "node:path";
import { type HandlerIndex, loadTsMorph } from "../../handlers/index/handler-index.ts";
import { readSyncState, syncStateFile } from "../../handlers/sync-state.ts";
import { CompileCache, compile } from "../../language/compile.ts";
import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import type { ReadResult } from "../../language/source/reader.ts";
import { SourceFile } from "../../language/source/source-file.ts";
import type { HandlerReference, LanguageServerHost, Project } from "../lsp/language-server-host.ts";
import type { CommandError } from "./command-error.ts";
import { findConfig } from "./config/config-file.ts";
import { chooseSchemas, forCode, type Schema } from "./config/schemas.ts";
import { fileReader } from "./files/reader.ts";
import { handlerFolders, readHandlerFiles } from "./scaffold/handler-files.ts";

/** A folder with a configuration, and its schemas. */
interface ConfiguredFolder {
  readonly project: Project;
  readonly schemas: readonly Schema[];
}

/** Gives the language server access to files and configurations. Caches configurations by folder. */
export class NodeLanguageServerHost implements LanguageServerHost {
  readonly #reader = fileReader("/");
  readonly #byFolder = new Map<string, Promise<ConfiguredFolder | undefined>>();
  readonly #compileCache = new CompileCache();

  read(path: string): ReadResult {
    return this.#reader.read(path);
  }

  list(folder: string): readonly string[] {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  }

  isInside(path: string, folder: string): boolean {
    return this.#reader.isInside?.(path, folder) ?? true;
  }

  async projectOf(path: string): Promise<Project> {
    const folder = dirname(path);
    const found = await this.#nearest(folder);
    return found?.project ?? { folder, schemas: [], handlers: [], faults: [] };
  }

  async handlerReferences(
    { folder }: Project,
    texts: ReadonlyMap<string, string>,
  ): Promise<readonly HandlerReference[]> {
    const found = await this.#nearest(folder);
    if (found === undefined) return [];
    return handlerReferences(folder, { ...found, texts, compiled: this.#compileCache });
  }

  clearCache(): void {
    this.#byFolder.clear();
  }

  /** Finds the configuration of the folder or of the nearest parent, up to the root of the repository. */
  #nearest(folder: string): Promise<ConfiguredFolder | undefined> {
    let found = this.#byFolder.get(folder);
    if (found === undefined) {
      found = this.#search(folder);
      this.#byFolder.set(folder, found);
    }
    return found;
  }

  async #search(folder: string): Promise<ConfiguredFolder | undefined> {
    const here = await readConfiguredFolder(folder);
    if (here !== undefined) return here;
    const above = dirname(folder);
    return above === folder || existsSync(resolve(folder, ".git")) ? undefined : this.#nearest(above);
  }
}

async function readConfiguredFolder(folder: string): Promise<ConfiguredFolder | undefined> {
  const found = await findConfig({ cwd: folder, reader: fileReader(folder), requestedPath: undefined });
  if (found.error !== undefined) return invalidFolder(folder, found.error);
  if (found.value === undefined) return undefined;
  const chosen = chooseSchemas({
    command: "lsp",
    files: [],
    options: {},
    environment: {},
    found: found.value,
  });
  if (chosen.error !== undefined) return invalidFolder(folder, chosen.error);
  const schemas = chosen.value;
  const absolute = (path: string): string => posix.resolve(folder, path);
  return {
    schemas,
    project: {
      folder,
      schemas: schemas.map(forCode).map(({ path, strict, hashParity, lint, int64Numbers, importRoot }) => ({
        path: absolute(path),
        strict,
        hashParity,
        lint,
        int64Numbers,
        ...(importRoot === undefined ? {} : { importRoot: absolute(importRoot) }),
      })),
      handlers: schemas.flatMap(({ generation }) =>
        generation?.handlers === undefined ? [] : [absolute(generation.handlers)],
      ),
      faults: [],
    },
  };
}

/** A folder whose configuration is invalid has no schemas: each of its files is checked alone. */
function invalidFolder(folder: string, error: CommandError): ConfiguredFolder {
  const faults =
    error.kind === "configuration" ? error.diagnostics.map((one) => withAbsolutePaths(folder, one)) : [];
  return { schemas: [], project: { folder, schemas: [], handlers: [], faults } };
}

function withAbsolutePaths(folder: string, diagnostic: Diagnostic): Diagnostic {
  const { at, path } = diagnostic;
  const file = at && new SourceFile(posix.resolve(folder, at.file.path), at.file.text);
  return {
    ...diagnostic,
    path: posix.resolve(folder, path),
    ...(at === undefined || file === undefined ? {} : { at: { file, span: at.span } }),
  };
}

export interface ReferenceSearch {
  readonly schemas: readonly Schema[];
  /** Unsaved texts of the editor, by absolute path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly compiled: CompileCache;
}

/** Finds where the hand-written code of a project names methods. Skips schemas with errors. */
async function handlerReferences(
  folder: string,
  { schemas, ...search }: ReferenceSearch,
): Promise<readonly HandlerReference[]> {
  const found = await Promise.all(schemas.map((schema) => referencesOf(schema, { folder, ...search })));
  return found.flat();
}

async function referencesOf(
  schema: Schema,
  { folder, texts, compiled }: Omit<ReferenceSearch, "schemas"> & { readonly folder: string },
): Promise<readonly HandlerReference[]> {
  const folders = handlerFolders(schema, folder);
  if (folders === undefined) return [];
  const reader = fileReader(folder);
  const { result } = compile(schema.path, reader, { ...schema, cache: compiled });
  if (result === undefined) return [];
  const [{ indexHandlers }, { contractOfModel }] = await Promise.all([
    import("../../handlers/update-handlers.ts"),
    import("../../handlers/contract.ts"),
  ]);
  const contract = contractOfModel(result.model);
  const standing = reader.read(posix.join(folders.root, syncStateFile));
  const lastSync =
    standing.kind === "bytes" ? readSyncState(Buffer.from(standing.bytes).toString("utf8")) : undefined;
  const files = new Map(
    [...readHandlerFiles(folder, folders).files].map(([path, text]) => [
      path,
      texts.get(posix.resolve(folder, path)) ?? text,
    ]),
  );
  const index: HandlerIndex = indexHandlers({ ...folders, files, contract, lastSync }, loadTsMorph());
  return index.references.map(({ service, method, path, span, isHandler }) => ({
    service,
    method,
    path: posix.resolve(folder, path),
    text: files.get(path) ?? "",
    span,
    isHandler,
  }));
}
