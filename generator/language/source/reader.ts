/** How the generator gets at files: by a port, so that it needs no file system. Paths are as written, joined with "/". */
export interface SourceReader {
  read(path: string): ReadResult;
  /** Names of the files in a folder, for did-you-mean; nothing if it cannot be listed. */
  list?(folder: string): readonly string[];
  /** Whether a path stays below a folder, symbolic links followed. Without it the paths themselves decide. */
  isInside?(path: string, folder: string): boolean;
}

export type ReadResult =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "unreadable"; readonly reason: string }
  | { readonly kind: "too-large"; readonly bytes: number };

/**
 * Largest schema file we read, in bytes: 16 MiB, three times a schema of 20,000 types. It bounds memory when somebody points
 * us at the wrong file.
 */
export const maxSourceBytes: number = 16 * 1024 * 1024;
