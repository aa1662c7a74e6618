/** Passes changes of a chain to the derivers, in one transaction with the follower's checkpoint. */
import type { Database, Transaction } from "../../../base/storage/database.ts";
import { DatabaseFault } from "../../../base/storage/fault.ts";
import type { AfterCommit, BlockId, ChainBlock, ChainTransaction, Deriver, LogFilter } from "./deriver.ts";
import { filterBlocks } from "./filters.ts";
import { storeSkippedAddition, storeSkippedRemoval } from "./skipped-records.ts";

/**
 * Most blocks that leave the chain in one step. However deep a reorganisation is, no transaction holds its locks for long, and after a
 * failure the undo continues at the last commit.
 */
export const maxRemovedBlocks = 100;

/** A change of the chain: first blocks were removed, then blocks were added. */
export interface ChainStep {
  readonly chainId: number;
  /** Highest first. At most `maxRemovedBlocks`. */
  readonly removed: readonly BlockId[];
  /** Lowest first. */
  readonly added: readonly ChainBlock[];
  /** The newest block that the nodes reported. */
  readonly head: number;
  /** Whether a deriver also gets blocks in which no log passes its filter. */
  readonly includesEmptyBlocks: boolean;
}

/** A deriver with its filter at the time when the logs were requested. */
export interface DeriverFilter {
  readonly deriver: Deriver;
  readonly filter: LogFilter;
}

export interface Derived {
  /** Callbacks to call now, after the commit. */
  readonly after: readonly AfterCommit[];
  /** Logs and blocks that were skipped because a deriver failed on them. */
  readonly skipped: readonly Skipped[];
}

export interface Skipped {
  readonly deriver: string;
  readonly step: "added" | "removed";
  readonly block: BlockId;
  readonly logIndex: number | undefined;
  readonly reason: unknown;
}

/**
 * Commits the derivers' records of a step together with what `finish` writes. Savepoints cost a round trip each, so none are
 * used until a deriver throws. Then everything is rolled back and repeated, and that deriver works log by log.
 */
export async function derive(
  database: Database,
  step: ChainStep,
  deriverFilters: readonly DeriverFilter[],
  finish: (tx: Transaction) => Promise<void>,
): Promise<Derived> {
  const perLog = new Set<Deriver>();
  for (;;) {
    try {
      return await database.transaction(async (queries) => {
        const tx: ChainTransaction = {
          ...queries,
          chainId: step.chainId,
          isRecent: step.includesEmptyBlocks,
        };
        const after: AfterCommit[] = [];
        const skipped: Skipped[] = [];
        for (const each of deriverFilters) {
          if (perLog.has(each.deriver)) skipped.push(...(await derivePerLog(tx, step, each, after)));
          else await deriveWhole(tx, step, each, after);
        }
        await finish(queries);
        return { after, skipped };
      });
    } catch (err) {
      if (!(err instanceof DeriverFailure)) throw err;
      perLog.add(err.deriver);
    }
  }
}

class DeriverFailure extends Error {
  readonly deriver: Deriver;

  constructor(deriver: Deriver, cause: unknown) {
    super(`the deriver ${deriver.name} failed`, { cause });
    this.deriver = deriver;
  }
}

async function deriveWhole(
  tx: ChainTransaction,
  step: ChainStep,
  { deriver, filter }: DeriverFilter,
  after: AfterCommit[],
): Promise<void> {
  const added = blocksFor(step, filter);
  try {
    if (step.removed.length > 0) collect(after, await deriver.removed(tx, step.removed));
    if (added.length > 0) collect(after, await deriver.added(tx, added, step.head));
  } catch (err) {
    if (err instanceof DatabaseFault) throw err;
    throw new DeriverFailure(deriver, err);
  }
}

async function derivePerLog(
  tx: ChainTransaction,
  step: ChainStep,
  { deriver, filter }: DeriverFilter,
  after: AfterCommit[],
): Promise<readonly Skipped[]> {
  const skipped: Skipped[] = [];
  const base = { deriver: deriver.name };
  for (const block of step.removed) {
    const failure = await attempt(tx, after, () => deriver.removed(tx, [block]));
    if (failure === undefined) continue;
    skipped.push({ ...base, step: "removed", block, logIndex: undefined, reason: failure.thrown });
    await storeSkippedRemoval(tx, deriver.name, block, failure.thrown);
  }
  for (const block of blocksFor(step, filter)) {
    const blockFailure = await attempt(tx, after, () => deriver.added(tx, [block], step.head));
    if (blockFailure === undefined) continue;
    for (const log of block.logs.length === 0 ? [undefined] : block.logs) {
      const logs = log === undefined ? [] : [log];
      const failure =
        log === undefined
          ? blockFailure
          : await attempt(tx, after, () => deriver.added(tx, [{ ...block, logs }], step.head));
      if (failure === undefined) continue;
      skipped.push({ ...base, step: "added", block, logIndex: log?.logIndex, reason: failure.thrown });
      await storeSkippedAddition(tx, deriver.name, block, log?.logIndex, failure.thrown);
    }
  }
  return skipped;
}

function blocksFor({ added, includesEmptyBlocks }: ChainStep, filter: LogFilter): readonly ChainBlock[] {
  const blocks = filterBlocks(added, filter);
  return includesEmptyBlocks ? blocks : blocks.filter(({ logs }) => logs.length > 0);
}

/** Rolls the work back if it throws, and returns the error. The wrapper distinguishes a thrown `undefined`. */
async function attempt(
  tx: ChainTransaction,
  after: AfterCommit[],
  work: () => Promise<AfterCommit | undefined>,
): Promise<{ readonly thrown: unknown } | undefined> {
  await tx.query("savepoint attempt");
  try {
    const callback = await work();
    await tx.query("release savepoint attempt");
    collect(after, callback);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof DatabaseFault) throw thrown;
    await tx.query("rollback to savepoint attempt");
    return { thrown };
  }
}

function collect(after: AfterCommit[], callback: AfterCommit | undefined): void {
  if (callback !== undefined) after.push(callback);
}
