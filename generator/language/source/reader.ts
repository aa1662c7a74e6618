/** Reads files. An interface, so that the generator does not depend on a file system. Paths use "/". */
export interface SourceReader {
  read(path: string): ReadResult;
  /** Lists the files in a folder, for suggestions. Empty if the folder cannot be listed. */
  list?(folder: string): readonly string[];
  /** Whether a path stays inside a folder once symbolic links are resolved. Without it, paths are compared as text. */
  isInside?(path: string, folder: string): boolean;
}

export type ReadResult =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "unreadable"; readonly reason: string }
  | { readonly kind: "too-large"; readonly bytes: number };

/**
 * Size limit of a schema file in bytes: 16 MiB, three times a schema of 20,000 types. It bounds memory if a user passes the wrong
 * file.
 */
export const maxSourceBytes: number = 16 * 1024 * 1024;

/** Reads some files from memory, by path. */
export function withTexts(reader: SourceReader, texts: ReadonlyMap<string, string>): SourceReader {
  return {
    ...reader,
    read: (path) => {
      const text = texts.get(path);
      return text === undefined ? reader.read(path) : { kind: "bytes", bytes: Buffer.from(text) };
    },
  };
}
