import { handlerPath } from "./folders.ts";
import { resolveImport } from "./index/handler-index.ts";
import type { UpdateTask } from "./task.ts";

/** A handler that is already written. */
export interface ExistingHandler {
  readonly path: string;
  /** Its export name. */
  readonly exportName: string;
}

/**
 * Finds the handler of an unregistered method, by its declared type or its file. A handler that is already imported is skipped: it is
 * probably registered in a way that the index does not recognise.
 */
export function findExistingHandler(
  { input, index }: UpdateTask,
  {
    service,
    method,
    functionName,
  }: { readonly service: string; readonly method: string; readonly functionName: string },
): ExistingHandler | undefined {
  const typed = index.references.find(
    (reference) =>
      reference.kind === "type" &&
      reference.isHandler &&
      reference.service === service &&
      reference.method === method,
  );
  const path = typed?.path ?? handlerPath(input.root, service, method);
  const { exports = new Set<string>() } = index.files.get(path) ?? {};
  const [only, ...others] = exports;
  const exportName =
    typed?.exportName ??
    [functionName, method].find((name) => exports.has(name)) ??
    (others.length === 0 ? only : undefined);
  return exportName === undefined || isImported(path, { input, index }) ? undefined : { path, exportName };
}

function isImported(path: string, { input, index }: Pick<UpdateTask, "input" | "index">): boolean {
  return [...index.files].some(([from, { relativeImports }]) =>
    relativeImports.some(
      ({ specifier }) => resolveImport(from, specifier, (each) => input.files.has(each)) === path,
    ),
  );
}
