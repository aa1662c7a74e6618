/** The archive of a chain: stores the logs that nodes returned, and reads them again. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Database, Queries } from "../../../base/storage/database.ts";
import type { ArchiveSettings } from "../../networks/follow.ts";
import { requireEpoch } from "../checkpoint.ts";
import { type LogFilter, matchesNothing } from "../derive/deriver.ts";
import { type ChunkContent, decodeChunk, encodeChunk } from "./chunk.ts";
import { mergeable, usableChunks } from "./plan.ts";
import {
  archivedBytes,
  type ChunkData,
  type ChunkRow,
  type Coverage,
  coverageOf,
  deleteChunks,
  deleteChunksAbove,
  deleteUnusedCoverages,
  insertChunk,
  intersection,
  listSmallChunks,
  readCoverages,
  readData,
  replaceChunks,
  storeCoverage,
  trimChunks,
} from "./rows.ts";

const compress = promisify(gzip);
const decompress = promisify(gunzip);
/** Twice as fast as the default, for data that is hardly larger. */
const compression = { level: 3 };

/** Chunks below both limits are merged with their neighbours. */
const small = { bytes: 262_144, blocks: 100_000 };

/** Number of commits after which small chunks are merged. */
const commitsPerTidying = 64;

/** A chunk, ready to be stored. */
export interface EncodedChunk extends ChunkData {
  readonly from: number;
  readonly to: number;
  readonly coverage: Coverage;
}

export interface LogArchiveDependencies {
  readonly chainId: number;
  readonly settings: ArchiveSettings;
  readonly database: Database;
  /** A chunk was damaged, and its blocks are requested from the nodes. */
  readonly onDamaged: (from: number, to: number) => void;
}

export class LogArchive {
  readonly #dependencies: LogArchiveDependencies;
  /** An upper bound: failed transactions may have counted. Undefined: not yet known. */
  #bytes: number | undefined;
  #commitsUntilTidying = commitsPerTidying;

  constructor(dependencies: LogArchiveDependencies) {
    this.#dependencies = dependencies;
  }

  /** The filter with which to request logs for derivers with this filter. */
  requestFilter(filter: LogFilter): LogFilter {
    return this.#dependencies.settings.logs === "all" ? { indexInTransaction: true } : filter;
  }

  async encode(contents: readonly ChunkContent[], filter: LogFilter): Promise<readonly EncodedChunk[]> {
    // No logs were requested, so the chunk would be of no use.
    if (matchesNothing(filter)) return [];
    const coverage = coverageOf(filter);
    return Promise.all(contents.map((content) => this.#encode(content, coverage)));
  }

  /** Stores chunks, in the transaction of the checkpoint. */
  async store(tx: Queries, chunks: readonly EncodedChunk[]): Promise<void> {
    const { chainId, settings } = this.#dependencies;
    for (const { from, to, coverage, data, digest } of chunks) {
      this.#bytes = (this.#bytes ?? (await archivedBytes(tx, chainId))) + data.length;
      await replaceChunks(tx, chainId, from, to);
      const coverageId = await storeCoverage(tx, chainId, coverage);
      await insertChunk(tx, chainId, { from, to, coverageId, data, digest });
    }
    const maxBytes = settings.maxMegabytes * 1_000_000;
    if (this.#bytes !== undefined && this.#bytes > maxBytes)
      this.#bytes = await trimChunks(tx, chainId, maxBytes);
  }

  /** Removes the blocks above this one, which have left the chain. */
  async removeAbove(tx: Queries, block: number): Promise<void> {
    await deleteChunksAbove(tx, this.#dependencies.chainId, block);
  }

  /** Returns the chunks with all logs that pass the filter, and that end within the range. Lowest first. */
  list(
    range: { readonly from: number; readonly to: number },
    filter: LogFilter,
  ): Promise<readonly ChunkRow[]> {
    return usableChunks(this.#dependencies.database, this.#dependencies.chainId, range, filter);
  }

  /** Returns undefined if the chunk is gone or damaged. A damaged chunk is removed. */
  async read(
    chunk: ChunkRow,
    filter: Pick<LogFilter, "addresses" | "topics">,
  ): Promise<ChunkContent | undefined> {
    const { database, chainId, onDamaged } = this.#dependencies;
    const stored = await readData(database, chunk.id);
    if (stored === undefined) return undefined;
    const content = await decode(chainId, stored, filter).catch(() => undefined);
    if (content !== undefined && content.from <= chunk.from && content.to.number === chunk.to) return content;
    await this.remove(chunk);
    onDamaged(chunk.from, chunk.to);
    return undefined;
  }

  async remove({ id }: ChunkRow): Promise<void> {
    await deleteChunks(this.#dependencies.database, [id]);
  }

  /** Call this after each commit. Throws Superseded. */
  async committed(settled: number, epoch: number): Promise<void> {
    if (--this.#commitsUntilTidying > 0) return;
    this.#commitsUntilTidying = commitsPerTidying;
    await this.tidy(settled, epoch);
  }

  /** Merges small chunks of blocks up to this one, which can no longer leave the chain. Throws Superseded. */
  async tidy(settled: number, epoch: number): Promise<void> {
    const { database, chainId } = this.#dependencies;
    const chunks = await listSmallChunks(database, chainId, {
      to: settled,
      maxBytes: small.bytes,
      maxBlocks: small.blocks,
    });
    const coverages = await readCoverages(database, chainId);
    for (const group of mergeable(chunks)) {
      const merged = await this.#merge(group, coverages);
      if (merged === undefined) continue;
      await database.transaction(async (tx) => {
        await requireEpoch(tx, chainId, epoch);
        const ids = group.map(({ id }) => id);
        if ((await deleteChunks(tx, ids)) === ids.length) await this.store(tx, [merged]);
      });
    }
    await deleteUnusedCoverages(database, chainId);
  }

  async #merge(
    group: readonly ChunkRow[],
    coverages: ReadonlyMap<string, Coverage>,
  ): Promise<EncodedChunk | undefined> {
    const contents: ChunkContent[] = [];
    for (const chunk of group) {
      const content = await this.read(chunk, {});
      // The next call merges the others.
      if (content === undefined || content.from !== chunk.from) return undefined;
      const last = contents.at(-1)?.to.hash;
      if (last !== undefined && last !== content.parentHash) {
        await this.remove(chunk);
        return undefined;
      }
      contents.push(content);
    }
    const [first, last] = [contents[0], contents.at(-1)];
    const [coverage, ...others] = group.flatMap(({ coverageId }) => coverages.get(coverageId) ?? []);
    if (first === undefined || last === undefined || coverage === undefined) return undefined;
    const blocks = contents.flatMap((content) => content.blocks.filter(({ logs }) => logs.length > 0));
    const { from, parentHash } = first;
    return this.#encode({ from, to: last.to, parentHash, blocks }, others.reduce(intersection, coverage));
  }

  async #encode(content: ChunkContent, coverage: Coverage): Promise<EncodedChunk> {
    const data = await compress(encodeChunk(this.#dependencies.chainId, content), compression);
    return { from: content.from, to: content.to.number, coverage, data, digest: sha256(data) };
  }
}

async function decode(
  chainId: number,
  { data, digest }: ChunkData,
  filter: Pick<LogFilter, "addresses" | "topics">,
): Promise<ChunkContent> {
  if (!sha256(data).equals(digest)) throw new Error("the chunk's data has changed");
  return decodeChunk(chainId, await decompress(data), filter);
}

function sha256(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}
