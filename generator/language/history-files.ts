import type { SourceReader } from "./source/reader.ts";

export const keptSuffix = ".webrpc.json";

/** Sorted names of the schema files in the folder of a history. Other files, such as notes, are ignored. */
export function historyFiles(folder: string, reader: SourceReader): readonly string[] {
  return (reader.list?.(folder) ?? []).filter((name) => /[.](json|ridl|ya?ml)$/.test(name)).toSorted();
}
