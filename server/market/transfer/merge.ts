import { setTimeout as sleep } from "node:timers/promises";
import { copyCells } from "../../base/storage/copy.ts";
import type { Session } from "../../base/storage/session.ts";
import type { Batch, Fault } from "./batch.ts";
import { type RecordKind, stagingRows, stagingTable } from "./kind.ts";
import { lanesMax } from "./lanes.ts";

export interface Merged {
  readonly entries: number;
  readonly added: number;
  readonly changed: number;
  /** Of the entries that cannot be read, and of those that the database has no place for. */
  readonly faults: readonly Fault[];
}

/**
 * Any number that nothing else in the database uses, and beside it that of the lane. Imports take turns in each lane, so that two of
 * them never wait for each other.
 */
const importLock = 7_116_003;
const allLanes = Array.from({ length: lanesMax }, (_, lane) => lane);

/** A batch again after others changed the same records at the same moment. */
const triesMax = 5;

/** Copies a batch into a table of this transaction and merges it from there. Without a lane it may hold what belongs into any. */
export async function merge(
  session: Session,
  kind: RecordKind,
  batch: Batch,
  lane: number | undefined,
): Promise<Merged> {
  const { rows, entries } = batch;
  if (rows.length === 0) return { entries, added: 0, changed: 0, faults: batch.faults };
  for (let tries = 1; ; tries++) {
    try {
      const { faults, ...counts } = await session.transaction(() => mergeOnce(session, kind, rows, lane));
      return { entries, ...counts, faults: [...batch.faults, ...faults] };
    } catch (err) {
      if (tries === triesMax || !isCollision(err)) throw err;
      await sleep(20 * 2 ** tries);
    }
  }
}

async function mergeOnce(
  session: Session,
  kind: RecordKind,
  rows: Batch["rows"],
  lane: number | undefined,
): Promise<Omit<Merged, "entries">> {
  for (const number of lane === undefined ? allLanes : [lane])
    await session.query("select pg_advisory_xact_lock($1, $2)", [importLock, number]);
  // A batch finds what it needs by index. The first batches fill tables that were empty when the database last looked, and later it
  // thinks that going through all of an index costs less than to enter it for each line.
  for (const way of ["seqscan", "mergejoin", "hashjoin"])
    await session.query(`set local enable_${way} = off`);
  const names = kind.columns.map(([name]) => name);
  const { added: isNew, known } = (await kind.addNew?.add(session, names, rows)) ?? { added: 0, known: rows };
  if (known.length === 0) return { added: isNew, changed: 0, faults: [] };
  await stage(session, kind);
  await session.copy(
    stagingRows,
    ["line", ...names],
    known.map(({ head, rest }, index) => `${copyCells([index, ...head])}\t${rest}\n`),
  );
  await analyze(session, kind, known.length);
  const faults: Fault[] = [];
  for (const check of kind.checks) faults.push(...(await refuse(session, check, known)));
  let [added, changed] = [isNew, 0];
  for (const statement of kind.merge) {
    const [counts] = await session.query<{ readonly added?: number; readonly changed?: number }>(statement);
    added += counts?.added ?? 0;
    changed += counts?.changed ?? 0;
  }
  return { added, changed, faults };
}

/**
 * Lines are read by an index as well. Where a statement had to go through them as they are, which is switched off, that would cost so
 * much in the eyes of the database (10^10) that all ways to find the rest were the same to it.
 */
async function stage(session: Session, { columns }: RecordKind): Promise<void> {
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

/** Rows of the staging table when the database last looked at them, by connection. */
const analyzed = new WeakMap<Session, number>();

/** Batches of one file are much alike: only one of another size is looked at again. */
async function analyze(session: Session, { key }: RecordKind, rows: number): Promise<void> {
  const before = analyzed.get(session) ?? 0;
  if (rows <= before && rows * 2 > before) return;
  await session.query(`analyze ${stagingRows} (line, ${key.join(", ")})`);
  analyzed.set(session, rows);
}

async function refuse(session: Session, check: string, rows: Batch["rows"]): Promise<readonly Fault[]> {
  const found = await session.query<{ readonly line: number; readonly fault: string }>(check);
  if (found.length === 0) return [];
  await session.query(`delete from ${stagingTable} where line = any($1)`, [found.map(({ line }) => line)]);
  return found.flatMap(({ line, fault }) => {
    const place = rows[line]?.place;
    return place === undefined ? [] : [{ ...place, reason: `/${fault}` }];
  });
}

/** SQLSTATEs of a unique value that somebody else just took, of deadlocks, and of rows that others changed. */
const collisions: ReadonlySet<unknown> = new Set(["23505", "40P01", "40001"]);

function isCollision(err: unknown): boolean {
  if (!(err instanceof Error)) return false;
  const { code } = (err.cause instanceof Error ? err.cause : err) as { readonly code?: unknown };
  return collisions.has(code);
}
