import type { Database } from "../../base/storage/database.ts";
import type { Health } from "./receiver-health.ts";
import { type AttemptResult, storeResults } from "./store-results.ts";

/** Stores the results of a batch of attempts, and returns the health of their receivers. */
export type StoreResults = (batch: readonly AttemptResult[]) => Promise<readonly Health[]>;

/** Transactions at a time. A second one, because the first may wait for the lock of a notification whose block is being removed. */
const maxConcurrent = 2;

interface WaitingBatch {
  readonly batch: readonly AttemptResult[];
  readonly done: (health: readonly Health[]) => void;
  readonly fail: (err: unknown) => void;
}

/** Stores batches of several hosts that come at the same time in one transaction: many hosts cost as few queries as one. */
export function createResultWriter(database: Database): StoreResults {
  let waiting: WaitingBatch[] = [];
  let running = 0;

  async function run(): Promise<void> {
    running++;
    while (waiting.length > 0) {
      const batches = waiting;
      waiting = [];
      await storeTogether(database, batches);
    }
    running--;
  }

  function start(): void {
    if (running < maxConcurrent && waiting.length > 0) void run();
  }

  return (batch) =>
    new Promise((done, fail) => {
      waiting.push({ batch, done, fail });
      // Later, so that batches of the same moment are stored together.
      if (running < maxConcurrent) setImmediate(start);
    });
}

async function storeTogether(database: Database, batches: readonly WaitingBatch[]): Promise<void> {
  try {
    const health = await storeResults(
      database,
      batches.flatMap(({ batch }) => batch),
    );
    for (const { done, batch } of batches) {
      const listeners = new Set(batch.map(({ item }) => item.listener.id));
      done(health.filter(({ listenerId }) => listeners.has(listenerId)));
    }
  } catch (err) {
    const [first] = batches;
    if (batches.length === 1) return first?.fail(err);
    // A batch that cannot be stored must not hold up those of other hosts.
    await Promise.all(batches.map((each) => storeTogether(database, [each])));
  }
}
