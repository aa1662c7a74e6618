import type { CompiledSchema } from "../../../language/compile.ts";
import { currentContract, type History, readHistory } from "../../../language/history.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import type { Schema } from "../config/schemas.ts";

/** Reads the kept versions that servers of a schema speak in addition to its own, oldest first. */
export function earlierVersions(
  { path, filter, generation }: Schema,
  compiled: CompiledSchema,
  reader: SourceReader,
): History {
  if (generation?.history === undefined) return { versions: [], diagnostics: [] };
  const { versions, diagnostics } = readHistory(
    generation.history,
    reader,
    currentContract(path, compiled, filter),
  );
  return { versions: versions.filter(({ isCurrent }) => !isCurrent), diagnostics };
}
