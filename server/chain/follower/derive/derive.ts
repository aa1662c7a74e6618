/** Hands what happened on a chain to the derivers, in one transaction with the follower's place. */
import type { Database, Transaction } from "../../../base/storage/database.ts";
import { DatabaseFault } from "../../../base/storage/fault.ts";
import type { AfterCommit, BlockRef, ChainBlock, ChainTransaction, Deriver, LogFilter } from "./deriver.ts";
import { filterBlocks } from "./filters.ts";
import { parkAdded, parkRemoved } from "./parking.ts";

/** What happened: first blocks left the chain, then others became part of it. */
export interface ChainStep {
  readonly chainId: number;
  /** The highest first. */
  readonly removed: readonly BlockRef[];
  /** The lowest first. */
  readonly added: readonly ChainBlock[];
  /** Whether derivers are also told of blocks without logs for them. */
  readonly includesEmptyBlocks: boolean;
}

/** A deriver and what it wanted when the logs were asked for. */
export interface DeriverFilter {
  readonly deriver: Deriver;
  readonly filter: LogFilter;
}

export interface Derived {
  /** To be called now, after the commit. */
  readonly after: readonly AfterCommit[];
  /** What was parked on the way. */
  readonly parked: readonly Parked[];
}

export interface Parked {
  readonly deriver: string;
  readonly step: "added" | "removed";
  readonly block: BlockRef;
  readonly logIndex: number | undefined;
  readonly reason: unknown;
}

/**
 * Commits what the derivers make of a step and what `finish` writes, or nothing of it. Savepoints cost a round trip each, so there
 * are none until a deriver throws; then all is undone and done again, with that deriver's work log by log.
 */
export async function derive(
  database: Database,
  step: ChainStep,
  wanting: readonly DeriverFilter[],
  finish: (tx: Transaction) => Promise<void>,
): Promise<Derived> {
  const careful = new Set<Deriver>();
  for (;;) {
    try {
      return await database.transaction(async (queries) => {
        const tx: ChainTransaction = {
          ...queries,
          chainId: step.chainId,
          isRecent: step.includesEmptyBlocks,
        };
        const after: AfterCommit[] = [];
        const parked: Parked[] = [];
        for (const each of wanting) {
          if (careful.has(each.deriver)) parked.push(...(await deriveCarefully(tx, step, each, after)));
          else await deriveAtOnce(tx, step, each, after);
        }
        await finish(queries);
        return { after, parked };
      });
    } catch (err) {
      if (!(err instanceof DeriverFailure)) throw err;
      careful.add(err.deriver);
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

async function deriveAtOnce(
  tx: ChainTransaction,
  step: ChainStep,
  { deriver, filter }: DeriverFilter,
  after: AfterCommit[],
): Promise<void> {
  const added = blocksFor(step, filter);
  try {
    if (step.removed.length > 0) keep(after, await deriver.removed(tx, step.removed));
    if (added.length > 0) keep(after, await deriver.added(tx, added));
  } catch (err) {
    if (err instanceof DatabaseFault) throw err;
    throw new DeriverFailure(deriver, err);
  }
}

async function deriveCarefully(
  tx: ChainTransaction,
  step: ChainStep,
  { deriver, filter }: DeriverFilter,
  after: AfterCommit[],
): Promise<readonly Parked[]> {
  const parked: Parked[] = [];
  const about = { deriver: deriver.name };
  for (const block of step.removed) {
    const reason = await attempt(tx, after, () => deriver.removed(tx, [block]));
    if (reason === undefined) continue;
    parked.push({ ...about, step: "removed", block, logIndex: undefined, reason: reason.thrown });
    await parkRemoved(tx, deriver.name, block, reason.thrown);
  }
  for (const block of blocksFor(step, filter)) {
    const reason = await attempt(tx, after, () => deriver.added(tx, [block]));
    if (reason === undefined) continue;
    for (const log of block.logs.length === 0 ? [undefined] : block.logs) {
      const logs = log === undefined ? [] : [log];
      const ofLog =
        log === undefined ? reason : await attempt(tx, after, () => deriver.added(tx, [{ ...block, logs }]));
      if (ofLog === undefined) continue;
      parked.push({ ...about, step: "added", block, logIndex: log?.logIndex, reason: ofLog.thrown });
      await parkAdded(tx, deriver.name, block, log?.logIndex, ofLog.thrown);
    }
  }
  return parked;
}

function blocksFor({ added, includesEmptyBlocks }: ChainStep, filter: LogFilter): readonly ChainBlock[] {
  const blocks = filterBlocks(added, filter);
  return includesEmptyBlocks ? blocks : blocks.filter(({ logs }) => logs.length > 0);
}

/** Undoes the work if it throws, and answers what it threw. */
async function attempt(
  tx: ChainTransaction,
  after: AfterCommit[],
  work: () => Promise<AfterCommit | undefined>,
): Promise<{ readonly thrown: unknown } | undefined> {
  await tx.query("savepoint attempt");
  try {
    const callback = await work();
    await tx.query("release savepoint attempt");
    keep(after, callback);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof DatabaseFault) throw thrown;
    await tx.query("rollback to savepoint attempt");
    return { thrown };
  }
}

function keep(after: AfterCommit[], callback: AfterCommit | undefined): void {
  if (callback !== undefined) after.push(callback);
}
