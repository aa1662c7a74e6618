import type { Session } from "../../base/storage/session.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import { Batch, type Fault } from "./batch.ts";
import { describeLine } from "./describe-issue.ts";
import type { RecordKind } from "./kind.ts";
import { type LaneFinder, laneFinder } from "./lanes.ts";
import { type Merged, merge } from "./merge.ts";
import type { Entry } from "./reading/entry.ts";
import { readEntries } from "./reading/read-entries.ts";
import { faultOfJson, mayHoldFault } from "./values.ts";

export interface ImportPorts {
  /** As many as are of use: see `lanesOf`. */
  readonly sessions: readonly [Session, ...Session[]];
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

/** What is read for one connection, and what that connection is at. */
interface Lane {
  readonly session: Session;
  readonly number: number | undefined;
  batch: Batch;
  merging: Promise<void>;
}

/**
 * Brings records in, batch after batch, each in a transaction of its own. Reading goes on while batches are merged, and so do batches of
 * records that never meet. Bytes that were there before are no harm: a run that was killed is run again.
 */
export async function importRecords(
  kind: RecordKind,
  bytes: AsyncIterable<Buffer>,
  ports: ImportPorts,
): Promise<ImportCounts> {
  const [first] = ports.sessions;
  const known = await kind.learn(first, ports.networks);
  const laneOf = laneFinder(kind, ports.sessions.length);
  const lanes = ports.sessions.slice(0, laneOf.count).map((session, number): Lane => {
    return {
      session,
      number: laneOf.count === 1 ? undefined : number,
      batch: new Batch(kind),
      merging: Promise.resolve(),
    };
  });
  let counts: ImportCounts = { entries: 0, added: 0, changed: 0, refused: 0 };

  function tell(done: readonly Merged[]): void {
    const faults = done.flatMap((one) => one.faults).sort(byPlace);
    const sum = (count: (one: Merged) => number): number => done.reduce((all, one) => all + count(one), 0);
    counts = {
      entries: counts.entries + sum(({ entries }) => entries),
      added: counts.added + sum(({ added }) => added),
      changed: counts.changed + sum(({ changed }) => changed),
      refused: counts.refused + faults.length,
    };
    ports.onBatch(counts, faults);
  }

  async function next(lane: Lane): Promise<void> {
    await lane.merging;
    const full = lane.batch;
    lane.batch = new Batch(kind);
    lane.merging = merge(lane.session, kind, full, lane.number).then((done) => tell([done]));
    // Told where it is waited for.
    lane.merging.catch(() => {});
  }

  let last: readonly Promise<Merged>[] = [];
  try {
    reading: for await (const entries of readEntries(bytes)) {
      for (const entry of entries) {
        const lane = read(entry, kind, known, lanes, laneOf);
        if (!lane.batch.isFull) continue;
        await next(lane);
        if (ports.stop.aborted) break reading;
      }
      if (ports.stop.aborted) break;
    }
    await Promise.all(lanes.map(({ merging }) => merging));
    last = lanes.map(({ session, batch, number }) => merge(session, kind, batch, number));
    tell(await Promise.all(last));
  } finally {
    // Whoever closes the connections must not meet one at work.
    await Promise.allSettled([...lanes.map(({ merging }) => merging), ...last]);
  }
  return counts;
}

/** Puts an entry into the batch of its lane, or what is wrong with it into that of the first one. */
function read(
  entry: Entry,
  kind: RecordKind,
  known: unknown,
  lanes: readonly Lane[],
  laneOf: LaneFinder,
): Lane {
  const first = lanes[0] as Lane;
  const refuse = (reason: string): Lane => {
    first.batch.refuse(entry, reason);
    return first;
  };
  if ("fault" in entry) return refuse(entry.fault);
  const { text } = entry;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (err) {
    return refuse(`not JSON: ${reasonOf(err)}`);
  }
  const jsonFault = mayHoldFault(text) ? faultOfJson(value) : undefined;
  const issues = jsonFault === undefined ? kind.validate(value) : undefined;
  const staged =
    jsonFault ?? (issues === undefined ? kind.stage(value as never, known) : describeLine(issues));
  if (typeof staged === "string") return refuse(staged);
  const lane = lanes[laneOf.find(staged)] as Lane;
  lane.batch.add(
    { line: entry.line, ...(entry.index === undefined ? {} : { index: entry.index }) },
    staged,
    text.length,
  );
  return lane;
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
