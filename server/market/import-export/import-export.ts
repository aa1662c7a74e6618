import type { Session } from "../../base/storage/session.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import { withoutNulls } from "../records/json-row.ts";
import { Batch, type InvalidEntry } from "./batch.ts";
import { describeIssues, jsonError, mayHoldJsonError } from "./check-values.ts";
import { createPartitioner, type MergeResult, mergeBatch, type Partitioner } from "./merge.ts";
import { type Entry, readEntries } from "./reading/read-entries.ts";
import type { ExportOptions, RecordKind } from "./record-kind.ts";

interface ImportDependencies {
  /** At most `partitionCount` of them are used. */
  readonly sessions: readonly [Session, ...Session[]];
  readonly networks: Networks;
  /** On abort, reading stops, and entries already read are merged. */
  readonly stop: AbortSignal;
  /** Called after each committed batch. */
  readonly onBatch: (progress: ImportCounts, errors: readonly InvalidEntry[]) => void;
}

/** Processed entries of the file. `invalid` ones were not imported; the rest was unchanged. */
export interface ImportCounts {
  readonly entries: number;
  readonly added: number;
  readonly changed: number;
  readonly invalid: number;
}

/** The batch that is filled for one connection, and the merge that the connection is running. */
interface Partition {
  readonly session: Session;
  readonly number: number | undefined;
  batch: Batch;
  merging: Promise<void>;
}

/**
 * Imports records in batches, each in its own transaction. Reading continues during merges, and partitions merge concurrently. Imports are
 * idempotent, so a run that was killed can be repeated.
 */
export async function importRecords(
  kind: RecordKind,
  bytes: AsyncIterable<Buffer>,
  dependencies: ImportDependencies,
): Promise<ImportCounts> {
  const [first] = dependencies.sessions;
  const context = await kind.loadContext(first, dependencies.networks);
  const partitioner = createPartitioner(kind, dependencies.sessions.length);
  const partitions = dependencies.sessions.slice(0, partitioner.count).map((session, number): Partition => {
    return {
      session,
      number: partitioner.count === 1 ? undefined : number,
      batch: new Batch(kind),
      merging: Promise.resolve(),
    };
  });
  let counts: ImportCounts = { entries: 0, added: 0, changed: 0, invalid: 0 };

  function report(done: readonly MergeResult[]): void {
    const errors = done.flatMap((result) => result.errors).sort(byLocation);
    const sum = (count: (result: MergeResult) => number): number =>
      done.reduce((all, result) => all + count(result), 0);
    counts = {
      entries: counts.entries + sum(({ entries }) => entries),
      added: counts.added + sum(({ added }) => added),
      changed: counts.changed + sum(({ changed }) => changed),
      invalid: counts.invalid + errors.length,
    };
    dependencies.onBatch(counts, errors);
  }

  async function next(partition: Partition): Promise<void> {
    await partition.merging;
    const full = partition.batch;
    partition.batch = new Batch(kind);
    partition.merging = mergeBatch(partition.session, kind, full, partition.number).then((done) =>
      report([done]),
    );
    // A failure is reported where the promise is awaited.
    partition.merging.catch(() => {});
  }

  let last: readonly Promise<MergeResult>[] = [];
  try {
    reading: for await (const entries of readEntries(bytes)) {
      for (const entry of entries) {
        const partition = routeEntry(entry, kind, context, partitions, partitioner);
        if (!partition.batch.isFull) continue;
        await next(partition);
        if (dependencies.stop.aborted) break reading;
      }
      if (dependencies.stop.aborted) break;
    }
    await Promise.all(partitions.map(({ merging }) => merging));
    last = partitions.map(({ session, batch, number }) => mergeBatch(session, kind, batch, number));
    report(await Promise.all(last));
  } finally {
    // The caller closes the connections, so none may be in use.
    await Promise.allSettled([...partitions.map(({ merging }) => merging), ...last]);
  }
  return counts;
}

/** Adds an entry to the batch of its partition, or its error to the first batch. */
function routeEntry(
  entry: Entry,
  kind: RecordKind,
  context: unknown,
  partitions: readonly Partition[],
  partitioner: Partitioner,
): Partition {
  const first = partitions[0] as Partition;
  const reject = (reason: string): Partition => {
    first.batch.reject(entry, reason);
    return first;
  };
  if ("error" in entry) return reject(entry.error);
  const { text } = entry;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (err) {
    return reject(`not JSON: ${jsonErrorText(err)}`);
  }
  const invalidJson = mayHoldJsonError(text) ? jsonError(value) : undefined;
  const issues = invalidJson === undefined ? kind.validate(value) : undefined;
  const staged =
    invalidJson ?? (issues === undefined ? kind.stage(value as never, context) : describeIssues(issues));
  if (typeof staged === "string") return reject(staged);
  const partition = partitions[partitioner.partitionOf(staged)] as Partition;
  partition.batch.add(
    { line: entry.line, ...(entry.index === undefined ? {} : { index: entry.index }) },
    staged,
    text.length,
  );
  return partition;
}

/** Cuts the excerpt of the text from V8's message: it may be long or contain control characters. */
function jsonErrorText(err: unknown): string {
  const message = err instanceof Error ? err.message : String(err);
  return (/^[^"]*?(?=, (?:\.\.\.)?"| \(line )/.exec(message)?.[0] ?? message)
    .replace(/\p{Cc}/gu, "?")
    .slice(0, 120);
}

function byLocation(a: InvalidEntry, b: InvalidEntry): number {
  return a.line - b.line || (a.index ?? 0) - (b.index ?? 0);
}

/** Yields all records of a kind as NDJSON in large chunks, from one snapshot. */
export async function* exportRecords(
  session: Session,
  kind: RecordKind,
  options: ExportOptions,
): AsyncIterable<{ readonly text: string; readonly records: number }> {
  await session.query("begin isolation level repeatable read read only");
  await session.query(`declare records no scroll cursor for ${kind.exportSql(options)}`);
  for (;;) {
    const rows = await session.query<object>(`fetch ${kind.fetchCount} from records`);
    if (rows.length === 0) break;
    yield { text: rows.map(lineOf).join(""), records: rows.length };
  }
  await session.query("commit");
}

/** Omits null fields; nulls within free-form values stay. */
function lineOf(row: object): string {
  return `${JSON.stringify(withoutNulls(row))}\n`;
}
