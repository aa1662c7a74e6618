/** The archive's tables. */

import { createHash } from "node:crypto";
import type { Queries } from "../../../base/storage/database.ts";
import type { Hex } from "../../rpc/chain.ts";
import { bytesOf, hexOf } from "../../rpc/hex.ts";
import type { LogFilter } from "../derive/deriver.ts";

export interface ChunkRow {
  readonly id: string;
  /** The blocks for which the chunk is used. */
  readonly from: number;
  readonly to: number;
  readonly coverageId: string;
  readonly bytes: number;
}

/** Compressed data and its SHA-256. */
export interface ChunkData {
  readonly data: Buffer;
  readonly digest: Buffer;
}

interface StoredRow {
  readonly id: string;
  readonly from_block: string;
  readonly to_block: string;
  readonly coverage_id: string;
  readonly bytes: number;
}

function rowOf({ id, from_block, to_block, coverage_id, bytes }: StoredRow): ChunkRow {
  return { id, from: Number(from_block), to: Number(to_block), coverageId: coverage_id, bytes };
}

const columns = "id, from_block, to_block, coverage_id, bytes";

/** Returns the chunks that end in this range of blocks and have one of these coverages, lowest first. */
export async function listChunks(
  queries: Queries,
  chainId: number,
  {
    from,
    to,
    coverageIds,
  }: { readonly from: number; readonly to: number; readonly coverageIds: readonly string[] },
): Promise<readonly ChunkRow[]> {
  const rows = await queries.query<StoredRow>(
    `select ${columns} from follower_archive
     where chain_id = $1 and to_block between $2 and $3 and coverage_id = any($4::bigint[]) order by from_block, to_block desc`,
    [chainId, from, to, coverageIds],
  );
  return rows.map(rowOf);
}

/** Returns at most a thousand of the newest chunks that are smaller than this, lowest first. */
export async function listSmallChunks(
  queries: Queries,
  chainId: number,
  { to, maxBytes, maxBlocks }: { readonly to: number; readonly maxBytes: number; readonly maxBlocks: number },
): Promise<readonly ChunkRow[]> {
  const rows = await queries.query<StoredRow>(
    `select ${columns} from follower_archive
     where chain_id = $1 and to_block <= $2 and bytes < $3 and to_block - from_block < $4 - 1
     order by from_block desc, to_block limit 1000`,
    [chainId, to, maxBytes, maxBlocks],
  );
  return rows.map(rowOf).reverse();
}

export async function readData(queries: Queries, id: string): Promise<ChunkData | undefined> {
  const [row] = await queries.query<ChunkData>("select data, digest from follower_archive where id = $1", [
    id,
  ]);
  return row;
}

export async function insertChunk(
  tx: Queries,
  chainId: number,
  { from, to, coverageId, data, digest }: Omit<ChunkRow, "id" | "bytes"> & ChunkData,
): Promise<void> {
  await tx.query(
    `insert into follower_archive (chain_id, from_block, to_block, coverage_id, bytes, digest, data)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [chainId, from, to, coverageId, data.length, digest, data],
  );
}

/** Makes room for a chunk of these blocks: deletes chunks within the range, and no longer uses others for blocks of the range. */
export async function replaceChunks(tx: Queries, chainId: number, from: number, to: number): Promise<void> {
  await tx.query(
    `with replaced as (delete from follower_archive where chain_id = $1 and from_block >= $2 and to_block <= $3)
     update follower_archive set from_block = $3 + 1 where chain_id = $1 and from_block between $2 and $3 and to_block > $3`,
    [chainId, from, to],
  );
}

export async function deleteChunks(queries: Queries, ids: readonly string[]): Promise<number> {
  const deleted = await queries.query(
    "delete from follower_archive where id = any($1::bigint[]) returning 1",
    [ids],
  );
  return deleted.length;
}

/** Deletes the chunks with blocks above this one. */
export async function deleteChunksAbove(tx: Queries, chainId: number, block: number): Promise<void> {
  await tx.query("delete from follower_archive where chain_id = $1 and to_block > $2", [chainId, block]);
}

/** Deletes the lowest chunks until the others have at most this many bytes. Returns the bytes that are left. */
export async function trimChunks(tx: Queries, chainId: number, maxBytes: number): Promise<number> {
  await tx.query(
    `with sized as (
       select id, sum(bytes) over (order by to_block desc, id desc) as total from follower_archive where chain_id = $1
     )
     delete from follower_archive using sized where follower_archive.id = sized.id and total > $2`,
    [chainId, maxBytes],
  );
  return archivedBytes(tx, chainId);
}

export async function archivedBytes(queries: Queries, chainId: number): Promise<number> {
  const [row] = await queries.query<{ readonly bytes: string }>(
    "select coalesce(sum(bytes), 0) as bytes from follower_archive where chain_id = $1",
    [chainId],
  );
  return Number(row?.bytes);
}

export async function deleteUnusedCoverages(tx: Queries, chainId: number): Promise<void> {
  await tx.query(
    `delete from follower_archive_coverage coverage where chain_id = $1
       and not exists (select from follower_archive where coverage_id = coverage.id)`,
    [chainId],
  );
}

/** Returns the id of this coverage, which is stored if it is new. */
export async function storeCoverage(tx: Queries, chainId: number, coverage: Coverage): Promise<string> {
  const digest = digestOf(coverage);
  const find = "select id from follower_archive_coverage where chain_id = $1 and digest = $2";
  const [known] = await tx.query<{ readonly id: string }>(find, [chainId, digest]);
  if (known !== undefined) return known.id;
  const list = (set: ReadonlySet<Hex> | undefined): readonly Buffer[] | null =>
    set === undefined ? null : [...set].map(bytesOf);
  const { addresses, topics, hasIndexes } = coverage;
  const [added] = await tx.query<{ readonly id: string }>(
    `insert into follower_archive_coverage (chain_id, addresses, topics, has_indexes, digest)
     values ($1, $2, $3, $4, $5) returning id`,
    [chainId, list(addresses), list(topics), hasIndexes, digest],
  );
  return added?.id ?? "";
}

interface CoverageRow {
  readonly id: string;
  readonly addresses: readonly Buffer[] | null;
  readonly topics: readonly Buffer[] | null;
  readonly has_indexes: boolean;
}

export async function readCoverages(
  queries: Queries,
  chainId: number,
): Promise<ReadonlyMap<string, Coverage>> {
  const rows = await queries.query<CoverageRow>(
    "select id, addresses, topics, has_indexes from follower_archive_coverage where chain_id = $1",
    [chainId],
  );
  const set = (list: readonly Buffer[] | null): ReadonlySet<Hex> | undefined =>
    list === null ? undefined : new Set(list.map(hexOf));
  return new Map(
    rows.map(({ id, addresses, topics, has_indexes }) => [
      id,
      { addresses: set(addresses), topics: set(topics), hasIndexes: has_indexes },
    ]),
  );
}

/** Deletes the archive of a chain, in steps that are small enough for the statement time-out. */
export async function deleteArchive(queries: Queries, chainId: number): Promise<void> {
  for (let deleted = 1; deleted > 0; ) {
    const rows = await queries.query(
      `delete from follower_archive where id in (select id from follower_archive where chain_id = $1 limit 200) returning 1`,
      [chainId],
    );
    deleted = rows.length;
  }
  await queries.query("delete from follower_archive_coverage where chain_id = $1", [chainId]);
}

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

/* Which logs a chunk of the archive contains, and whether these suffice for a filter. */

/** Logs of any of these contracts with any of these first topics. */
export interface Coverage {
  /** Undefined: any contract. */
  readonly addresses: ReadonlySet<Hex> | undefined;
  /** Undefined: any event. */
  readonly topics: ReadonlySet<Hex> | undefined;
  /** Whether the logs have their index within their transaction. */
  readonly hasIndexes: boolean;
}

export function coverageOf({ addresses, topics, indexInTransaction }: LogFilter): Coverage {
  return { addresses, topics, hasIndexes: indexInTransaction === true };
}

/** Whether every log that passes the filter is in the chunk, with what the filter requires. */
export function covers(coverage: Coverage, filter: LogFilter): boolean {
  return (
    includes(coverage.addresses, filter.addresses) &&
    includes(coverage.topics, filter.topics) &&
    (coverage.hasIndexes || filter.indexInTransaction !== true)
  );
}

function includes(all: ReadonlySet<Hex> | undefined, some: ReadonlySet<Hex> | undefined): boolean {
  if (all === undefined) return true;
  if (some === undefined || some.size > all.size) return false;
  for (const item of some) if (!all.has(item)) return false;
  return true;
}

/** What both cover. */
export function intersection(a: Coverage, b: Coverage): Coverage {
  return {
    addresses: inBoth(a.addresses, b.addresses),
    topics: inBoth(a.topics, b.topics),
    hasIndexes: a.hasIndexes && b.hasIndexes,
  };
}

function inBoth(a: ReadonlySet<Hex> | undefined, b: ReadonlySet<Hex> | undefined): typeof a {
  if (a === undefined || b === undefined) return a ?? b;
  return new Set([...a].filter((item) => b.has(item)));
}

/** Equal for equal coverages. */
export function digestOf({ addresses, topics, hasIndexes }: Coverage): Buffer {
  const sorted = (set: ReadonlySet<Hex> | undefined): string => (set ? [...set].sort().join() : "any");
  return createHash("sha256")
    .update(`${sorted(addresses)}|${sorted(topics)}|${hasIndexes}`)
    .digest();
}
