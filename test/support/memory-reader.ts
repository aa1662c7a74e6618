import { posix } from "node:path";
import type { ReadResult, SourceReader } from "../../generator/language/source/reader.ts";

/** Path → text. */
export type Files = Readonly<Record<string, string>>;

/** Reads from memory as the reference parser reads from its file system: no path leads above the root. */
export function memoryReader(files: Files): SourceReader {
  return {
    read(path: string): ReadResult {
      const text = files[posix.normalize(path)];
      if (text === undefined) return { kind: "unreadable", reason: "it does not exist" };
      return { kind: "bytes", bytes: encoder.encode(text) };
    },
    list: (folder) =>
      Object.keys(files)
        .filter((path) => posix.dirname(path) === posix.normalize(folder))
        .map((path) => posix.basename(path)),
  };
}

const encoder = new TextEncoder();
