import { type Hashes, hashOf, type Manifest } from "./manifest.ts";

/** What a generation depends on. */
export interface Basis {
  readonly tool: string;
  readonly options: string;
}

/**
 * Whether a run would change nothing: the same build with the same options, every schema file and every written file as the
 * manifest knows it. Answered from hashes, so that a run with nothing to do parses nothing.
 */
export function isFresh(
  manifest: Manifest,
  basis: Basis,
  readInput: (path: string) => Uint8Array | undefined,
  readFile: (path: string) => Uint8Array | undefined,
): boolean {
  if (manifest.tool !== basis.tool || manifest.options !== basis.options) return false;
  if (Object.keys(manifest.inputs).length === 0 || manifest.next !== undefined) return false;
  return areEqual(manifest.inputs, readInput) && areEqual(manifest.files, readFile);
}

function areEqual(hashes: Hashes, read: (path: string) => Uint8Array | undefined): boolean {
  return Object.entries(hashes).every(([path, hash]) => {
    const content = read(path);
    return content !== undefined && hashOf(content) === hash;
  });
}
