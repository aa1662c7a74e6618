import { setTimeout as sleep } from "node:timers/promises";
import { type CopyValue as Cell, copyCells } from "../../base/storage/copy.ts";
import type { Session } from "../../base/storage/session.ts";
import type { Batch, InvalidEntry } from "./batch.ts";
import { type RecordKind, stagingRows, stagingTable } from "./record-kind.ts";

export interface MergeResult {
  readonly entries: number;
  readonly added: number;
  readonly changed: number;
  /** Errors of unreadable entries, and of entries that the checks rejected. */
  readonly errors: readonly InvalidEntry[];
}

/**
 * Key of the advisory lock, combined with the partition number. Imports take turns in each partition, so that they never block each other's
 * rows.
 */
const importLock = 7_116_003;

/**
 * Connections of an import. One processor parses and checks lines about as fast as two connections merge them, so a third would wait. The
 * number is the same for all imports, so that concurrent imports put a record into the same partition.
 */
const maxPartitions = 2;

const allPartitions = Array.from({ length: maxPartitions }, (_, partition) => partition);

/** Attempts per batch, in case of concurrent changes to the same records. */
const maxAttempts = 5;

/** Copies a batch into a temporary table and merges it from there. Without a partition the batch may hold records of any partition. */
export async function mergeBatch(
  session: Session,
  kind: RecordKind,
  batch: Batch,
  partition: number | undefined,
): Promise<MergeResult> {
  const { rows, entries } = batch;
  if (rows.length === 0) return { entries, added: 0, changed: 0, errors: batch.errors };
  for (let tries = 1; ; tries++) {
    try {
      const { errors, ...counts } = await session.transaction(() =>
        mergeOnce(session, kind, rows, partition),
      );
      return { entries, ...counts, errors: [...batch.errors, ...errors] };
    } catch (err) {
      if (tries === maxAttempts || !isRetryable(err)) throw err;
      await sleep(20 * 2 ** tries);
    }
  }
}

async function mergeOnce(
  session: Session,
  kind: RecordKind,
  rows: Batch["rows"],
  partition: number | undefined,
): Promise<Omit<MergeResult, "entries">> {
  for (const number of partition === undefined ? allPartitions : [partition])
    await session.query("select pg_advisory_xact_lock($1, $2)", [importLock, number]);
  // Forces index look-ups. The statistics of an initial import are from when the tables were empty; the planner would later prefer full
  // index scans to a look-up per line.
  for (const method of ["seqscan", "mergejoin", "hashjoin"])
    await session.query(`set local enable_${method} = off`);
  const names = kind.columns.map(([name]) => name);
  const { added: addedNew, known: existing } = (await kind.addNew?.add(session, names, rows)) ?? {
    added: 0,
    known: rows,
  };
  if (existing.length === 0) return { added: addedNew, changed: 0, errors: [] };
  await createStagingTable(session, kind);
  await session.copy(
    stagingRows,
    ["line", ...names],
    existing.map(({ head, rest }, index) => `${copyCells([index, ...head])}\t${rest}\n`),
  );
  await analyze(session, kind, existing.length);
  const errors: InvalidEntry[] = [];
  for (const check of kind.checks) errors.push(...(await runCheck(session, check, existing)));
  let [added, changed] = [addedNew, 0];
  for (const statement of kind.merge) {
    const [counts] = await session.query<{ readonly added?: number; readonly changed?: number }>(statement);
    added += counts?.added ?? 0;
    changed += counts?.changed ?? 0;
  }
  return { added, changed, errors };
}

/**
 * The view reads lines through their primary key. A sequential scan, which is disabled, would cost 10^10 in the planner's estimate and hide
 * the differences between all other plans.
 */
async function createStagingTable(session: Session, { columns }: RecordKind): Promise<void> {
  const [found] = await session.query<{ readonly isThere: boolean }>(
    `select to_regclass('pg_temp.${stagingTable}') is not null as "isThere"`,
  );
  if (found?.isThere === true) return;
  const typed = columns.map(([name, type]) => `${name} ${type}`).join(", ");
  await session.query(
    `create temp table ${stagingRows} (line int primary key, ${typed}) on commit delete rows`,
  );
  await session.query(`create temp view ${stagingTable} as select * from ${stagingRows} where line >= 0`);
}

/** Size of the staging table at its last `analyze`, by session. */
const analyzed = new WeakMap<Session, number>();

/** Batches of a file are alike: only a batch of another size is analyzed again. */
async function analyze(session: Session, { key }: RecordKind, rows: number): Promise<void> {
  const before = analyzed.get(session) ?? 0;
  if (rows <= before && rows * 2 > before) return;
  await session.query(`analyze ${stagingRows} (line, ${key.join(", ")})`);
  analyzed.set(session, rows);
}

async function runCheck(
  session: Session,
  check: string,
  rows: Batch["rows"],
): Promise<readonly InvalidEntry[]> {
  const found = await session.query<{ readonly line: number; readonly fault: string }>(check);
  if (found.length === 0) return [];
  await session.query(`delete from ${stagingTable} where line = any($1)`, [found.map(({ line }) => line)]);
  return found.flatMap(({ line, fault }) => {
    const location = rows[line]?.location;
    return location === undefined ? [] : [{ ...location, reason: `/${fault}` }];
  });
}

/** SQLSTATEs of unique violations, deadlocks and serialization failures. */
const retryableStates: ReadonlySet<unknown> = new Set(["23505", "40P01", "40001"]);

function isRetryable(err: unknown): boolean {
  if (!(err instanceof Error)) return false;
  const { code } = (err.cause instanceof Error ? err.cause : err) as { readonly code?: unknown };
  return retryableStates.has(code);
}

/* Assigns records to the connections of an import. */

export interface Partitioner {
  readonly count: number;
  partitionOf(cells: readonly Cell[]): number;
}

/** How many connections an import of this kind can use. */
export function partitionCount({ partitionBy }: Pick<RecordKind, "partitionBy">): number {
  return partitionBy === undefined ? 1 : maxPartitions;
}

/** Uses a single partition if there are fewer connections than partitions. */
export function createPartitioner(
  kind: Pick<RecordKind, "columns" | "partitionBy">,
  connections: number,
): Partitioner {
  const count = connections < maxPartitions ? 1 : partitionCount(kind);
  if (count === 1) return { count, partitionOf: () => 0 };
  const indexes = (kind.partitionBy ?? []).map((name) =>
    kind.columns.findIndex(([column]) => column === name),
  );
  return {
    count,
    partitionOf(cells) {
      let hash = 0;
      for (const index of indexes) hash = hashOf(String(cells[index]), hash);
      return hash % count;
    },
  };
}

/** A 31-bit hash: its products stay safe integers. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) & 0x7fffffff;
  return hash;
}
