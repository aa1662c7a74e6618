import type { Queries } from "../../../base/storage/database.ts";

/** What the archive of a chain stores. */
export interface ArchiveSize {
  readonly chunks: number;
  /** Of the compressed data. */
  readonly bytes: number;
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** The data of chunks is stored apart from their rows, so this reads about 100 bytes for each chunk. */
const sizesSql = {
  name: "archive-sizes",
  text: `
select chain_id::float8 as "chainId", count(*)::float8 as chunks, sum(bytes)::float8 as bytes,
  min(from_block)::float8 as "firstBlock", max(to_block)::float8 as "lastBlock"
from follower_archive group by chain_id`,
};

/** Returns the sizes of all archives that are not empty, by chain id. */
export async function archiveSizes(queries: Queries): Promise<ReadonlyMap<number, ArchiveSize>> {
  const rows = await queries.query<ArchiveSize & { readonly chainId: number }>(sizesSql);
  return new Map(rows.map(({ chainId, ...size }) => [chainId, size]));
}
