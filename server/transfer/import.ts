import type { Networks } from "../networks/networks.ts";
import type { Session } from "../storage/session.ts";
import { Batch, type Fault } from "./batch.ts";
import { describeIssue } from "./describe-issue.ts";
import type { RecordKind } from "./kind.ts";
import { merge } from "./merge.ts";
import type { Entry } from "./reading/entry.ts";
import { readEntries } from "./reading/read-entries.ts";
import { faultOfTexts } from "./values.ts";

export interface ImportPorts {
  readonly session: Session;
  readonly networks: Networks;
  /** Aborted: what was read is merged, and no more is read. */
  readonly stop: AbortSignal;
  /** Told after each batch, once it is kept. */
  readonly onBatch: (progress: ImportCounts, faults: readonly Fault[]) => void;
}

/** Entries of the file that are done with; `refused` are those with a fault, and what is neither was there already. */
export interface ImportCounts {
  readonly entries: number;
  readonly added: number;
  readonly changed: number;
  readonly refused: number;
}

/**
 * Brings records in, batch after batch, each in a transaction of its own. Reading a batch and merging the one before it go on at
 * the same time. Bytes that were there before are no harm: a run that was killed is run again.
 */
export async function importRecords(
  kind: RecordKind,
  bytes: AsyncIterable<Buffer>,
  ports: ImportPorts,
): Promise<ImportCounts> {
  const known = await kind.learn(ports.session, ports.networks);
  let counts: ImportCounts = { entries: 0, added: 0, changed: 0, refused: 0 };
  let batch = new Batch(kind);
  let merging = Promise.resolve();

  async function take(full: Batch): Promise<void> {
    const { added, changed, faults: found } = await merge(ports.session, kind, full);
    const faults = [...full.faults, ...found].sort(byPlace);
    counts = {
      entries: counts.entries + full.entries,
      added: counts.added + added,
      changed: counts.changed + changed,
      refused: counts.refused + faults.length,
    };
    ports.onBatch(counts, faults);
  }

  async function next(): Promise<void> {
    await merging;
    merging = take(batch);
    // Told where it is waited for.
    merging.catch(() => {});
    batch = new Batch(kind);
  }

  reading: for await (const entries of readEntries(bytes)) {
    for (const entry of entries) {
      read(entry, kind, known, batch);
      if (!batch.isFull) continue;
      await next();
      if (ports.stop.aborted) break reading;
    }
    if (ports.stop.aborted) break;
  }
  await next();
  await merging;
  return counts;
}

function read(entry: Entry, kind: RecordKind, known: unknown, batch: Batch): void {
  if ("fault" in entry) {
    batch.refuse(entry, entry.fault);
    return;
  }
  const { text } = entry;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (err) {
    batch.refuse(entry, `not JSON: ${reasonOf(err)}`);
    return;
  }
  // Only an escape can say what must not be in a text.
  const textFault = text.includes("\\u") ? faultOfTexts(value) : undefined;
  const issues = textFault === undefined ? kind.validate(value) : undefined;
  const staged =
    textFault ??
    (issues === undefined ? kind.stage(value as never, known) : issues.map(describeIssue).join("; "));
  if (typeof staged === "string") batch.refuse(entry, staged);
  else
    batch.add(
      { line: entry.line, ...(entry.index === undefined ? {} : { index: entry.index }) },
      staged,
      text.length,
    );
}

/** V8 shows a part of the text, which may be long or hold control characters. */
function reasonOf(err: unknown): string {
  const message = err instanceof Error ? err.message : String(err);
  return (/^[^"]*?(?=, (?:\.\.\.)?"| \(line )/.exec(message)?.[0] ?? message)
    .replace(/\p{Cc}/gu, "?")
    .slice(0, 120);
}

function byPlace(a: Fault, b: Fault): number {
  return a.line - b.line || (a.index ?? 0) - (b.index ?? 0);
}
