import { posix, resolve } from "node:path";
import { FileWatcher, isInside } from "../../dev/file-watcher.ts";
import type { CommandCall } from "../command.ts";
import { configNames } from "../config/config-file.ts";
import type { Schema } from "../config/schemas.ts";
import { reportCommandError } from "../output/report.ts";
import { type GenerationCall, generationError, jobOf } from "./generation.ts";

export interface WatchCall
  extends GenerationCall,
    Pick<CommandCall, "reloadSchemas" | "report" | "terminal"> {}

/**
 * Generates immediately, and again after each change of a schema, the configuration or the templates, until SIGINT or SIGTERM. On
 * errors, which `generate` reports, the files stay unchanged. `generate` returns the schema files that it has read.
 */
export async function generateOnChange(
  call: WatchCall,
  generate: (schemas: readonly Schema[]) => Promise<readonly string[]>,
): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    let schemas = call.schemas;
    const isGenerated = (path: string): boolean =>
      schemas.some((schema) => isInside(path, jobOf(schema, call).folder.root));
    await using changes = await FileWatcher.of(sourcesOf(call, schemas), isGenerated);
    do {
      const started = Date.now();
      schemas = (await reload(call)) ?? schemas;
      const read = await generate(schemas);
      changes.add([...sourcesOf(call, schemas), ...read], started);
    } while ((await changes.next(stopping.signal)) !== undefined);
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
}

async function reload(call: WatchCall): Promise<readonly Schema[] | undefined> {
  const { value: schemas, error } = await call.reloadSchemas();
  if (error !== undefined) {
    reportCommandError(error, call.report);
    return undefined;
  }
  const fault = generationError({ ...call, schemas });
  if (fault === undefined) return schemas;
  reportCommandError({ kind: "usage", message: fault, help: "ridlkit help generate" }, call.report);
  return undefined;
}

/** The folders in which files may appear that a generation reads, and the configuration. */
function sourcesOf(call: WatchCall, schemas: readonly Schema[]): readonly string[] {
  const { cwd } = call;
  const own = schemas.flatMap((schema) => {
    const { templates } = jobOf(schema, call);
    const folders = templates === undefined ? [] : [templates.absolute];
    return [schemaSource(schema.path, cwd), ...historySource(schema, cwd), ...folders];
  });
  return [...new Set([...own, ...configNames.map((name) => resolve(cwd, name))])];
}

export function historySource({ generation }: Schema, cwd: string): readonly string[] {
  return generation?.history === undefined ? [] : [resolve(cwd, generation.history)];
}

/** Watches the folder of the schema, because an import may name a file that does not exist yet; but never the whole project. */
export function schemaSource(path: string, cwd: string): string {
  const folder = resolve(cwd, posix.dirname(path));
  return folder === resolve(cwd) ? resolve(cwd, path) : folder;
}
