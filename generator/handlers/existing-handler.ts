import { handlerPath } from "./folders.ts";
import { resolveImport } from "./index/handler-index.ts";
import type { MergeTask } from "./task.ts";

/** A handler that somebody has written. */
export interface ExistingHandler {
  readonly path: string;
  /** The name that its module exports it by. */
  readonly exportName: string;
}

/**
 * The handler of a method that stands in none of the places where handlers are gathered: by its declared type, or by its file. One that
 * is imported already is gathered in some way that is not seen from here, and is left alone.
 */
export function findExistingHandler(
  { input, index }: MergeTask,
  {
    service,
    method,
    functionName,
  }: { readonly service: string; readonly method: string; readonly functionName: string },
): ExistingHandler | undefined {
  const typed = index.references.find(
    (site) => site.kind === "type" && site.isHandler && site.service === service && site.method === method,
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

function isImported(path: string, { input, index }: Pick<MergeTask, "input" | "index">): boolean {
  return [...index.files].some(([from, { relativeImports }]) =>
    relativeImports.some(
      ({ specifier }) => resolveImport(from, specifier, (each) => input.files.has(each)) === path,
    ),
  );
}
