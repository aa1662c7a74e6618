import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../../server/base/storage/open-database.ts";
import { type EncodedChunk, LogArchive } from "../../../../../server/chain/follower/archive/archive.ts";
import { createCheckpoint, takeOver } from "../../../../../server/chain/follower/checkpoint.ts";
import type { BlockId } from "../../../../../server/chain/follower/derive/deriver.ts";
import { migratedDatabase } from "../../../../support/server.ts";

let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;
let chainId = 0;

beforeAll(async () => {
  server = await migratedDatabase();
  database = openDatabase(
    { connectionString: server.url },
    { connections: 4, statementTimeoutMs: 10_000, namedStatements: true },
  );
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const idOf = (number: number): BlockId => ({ number, hash: `0x${number.toString(16).padStart(64, "0")}` });

/** A chunk of blocks without logs. `bytes` is its size in the archive. */
async function chunkOf(
  archive: LogArchive,
  from: number,
  { blocks, bytes }: { readonly blocks: number; readonly bytes?: number },
): Promise<EncodedChunk> {
  const content = { from, to: idOf(from + blocks - 1), parentHash: idOf(from - 1).hash, blocks: [] };
  const [chunk] = await archive.encode([content], {});
  if (chunk === undefined) throw new Error("the content was not encoded");
  // Zeros after the compressed data are ignored.
  const data = Buffer.concat([chunk.data, Buffer.alloc(Math.max(0, (bytes ?? 0) - chunk.data.length))]);
  return { ...chunk, data, digest: createHash("sha256").update(data).digest() };
}

/** Returns the number of chunks that are left of 15 chunks of a block each and this one after them. */
async function chunksAfterTidying(last: {
  readonly blocks: number;
  readonly bytes?: number;
}): Promise<number> {
  await createCheckpoint(database, ++chainId, 1);
  const epoch = await takeOver(database, chainId);
  const archive = new LogArchive({
    chainId,
    settings: { logs: "matching", maxMegabytes: 100 },
    database,
    onDamaged: (from, to) => {
      throw new Error(`damaged: ${from}-${to}`);
    },
  });
  const chunks: EncodedChunk[] = [];
  while (chunks.length < 15) chunks.push(await chunkOf(archive, chunks.length + 1, { blocks: 1 }));
  chunks.push(await chunkOf(archive, 16, last));
  await archive.store(database, chunks);
  await archive.tidy(1_000_000, epoch);
  const range = { from: 1, to: 1_000_000 };
  const left = await archive.list(range, {});
  // No block is lost.
  expect(left.reduce((sum, { from, to }) => sum + to - from + 1, 0)).toBe(15 + last.blocks);
  return left.length;
}

test.each([
  [262_143, 1],
  [262_144, 16],
  [262_145, 16],
])("a chunk of %i bytes is merged with 15 small neighbours into %i", async (bytes, chunks) => {
  expect(await chunksAfterTidying({ blocks: 1, bytes })).toBe(chunks);
});

test.each([
  [99_999, 1],
  [100_000, 16],
  [100_001, 16],
])("a chunk of %i blocks is merged with 15 small neighbours into %i", async (blocks, chunks) => {
  expect(await chunksAfterTidying({ blocks })).toBe(chunks);
});
