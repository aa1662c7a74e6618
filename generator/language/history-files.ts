import type { SourceReader } from "./source/reader.ts";

export const keptSuffix = ".webrpc.json";

/** The latest kept version, as a whole. Its name never changes, so that a review of the next version shows only the changes. */
export const latestFile = "latest.webrpc.json";

/** Sorted names of the schema files in the folder of a history. Other files, such as notes, are ignored. */
export function historyFiles(folder: string, reader: SourceReader): readonly string[] {
  return (reader.list?.(folder) ?? []).filter((name) => /[.](json|ridl|ya?ml)$/.test(name)).toSorted();
}
