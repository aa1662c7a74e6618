import { posix } from "node:path";
import type { HandlerIndex } from "../../../handlers/index/handler-index.ts";
import { readSyncState, syncStateFile } from "../../../handlers/sync-state.ts";
import { type CompileCache, compile } from "../../../language/compile.ts";
import type { HandlerReference } from "../../lsp/language-server-host.ts";
import type { Schema } from "../config/schemas.ts";
import { fileReader } from "../files/reader.ts";
import { loadTsMorph } from "../files/ts-morph.ts";
import { readHandlerFiles } from "./handler-files.ts";
import { handlerFolders } from "./handler-folders.ts";

export interface ReferenceSearch {
  readonly schemas: readonly Schema[];
  /** Unsaved texts of the editor, by absolute path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly compiled: CompileCache;
}

/** Finds where the hand-written code of a project names methods. Skips schemas with errors. */
export async function handlerReferences(
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
  const [{ indexHandlers }, { contractOf }, { buildPlan }, { resolveOptions }] = await Promise.all([
    import("../../../handlers/update-handlers.ts"),
    import("../../../handlers/contract.ts"),
    import("../../../codegen/plan/build.ts"),
    import("../../../codegen/options.ts"),
  ]);
  const contract = contractOf(buildPlan(result.model, resolveOptions({})));
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
