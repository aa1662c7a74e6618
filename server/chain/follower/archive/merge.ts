import type { ChunkRow } from "./rows.ts";

/** A merged chunk has about this many bytes. */
const targetBytes = 1_048_576;

/** Fewer chunks than this are as fast to read one by one. */
const minChunks = 16;

/** Returns groups of chunks without gaps between them, to merge each group. `chunks` are sorted, lowest first. */
export function mergeable(chunks: readonly ChunkRow[]): readonly (readonly ChunkRow[])[] {
  const groups: ChunkRow[][] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    const group = groups.at(-1);
    if (group !== undefined && group.at(-1)?.to === chunk.from - 1 && bytes < targetBytes) group.push(chunk);
    else {
      groups.push([chunk]);
      bytes = 0;
    }
    bytes += chunk.bytes;
  }
  return groups.filter((group) => group.length >= minChunks);
}
