/** Passes changes of a chain to the derivers, in one transaction with the follower's checkpoint. */
import type { Database, Queries, Transaction } from "../../../base/storage/database.ts";
import { DatabaseFault } from "../../../base/storage/fault.ts";
import { hideUrlSecrets } from "../../../base/url-secrets.ts";
import type { Hex } from "../../rpc/chain.ts";
import { bytesOf, hexOf } from "../../rpc/hex.ts";
import type { BlockId, ChainBlock } from "./blocks.ts";
import type { AfterCommit, ChainTransaction, Deriver } from "./deriver.ts";
import { emptyFilter, filterBlocks, type LogFilter } from "./log-filter.ts";

/**
 * Most blocks that leave the chain in one step. However deep a reorganization is, no transaction holds its locks for long, and after a
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

export interface DeriverFiltersOptions {
  readonly chainId: number;
  /** Whether the filters are for blocks that may still leave the chain. */
  readonly isRecent: boolean;
}

export function readDeriverFilters(
  derivers: readonly Deriver[],
  { chainId, isRecent }: DeriverFiltersOptions,
): Promise<readonly DeriverFilter[]> {
  return Promise.all(
    derivers.map(async (deriver) => {
      const filter = await deriver.logFilter(chainId);
      return { deriver, filter: filter.recentOnly === true && !isRecent ? emptyFilter : filter };
    }),
  );
}

/** Whether no filter has changed since these were read. */
export async function areFiltersCurrent(
  deriverFilters: readonly DeriverFilter[],
  options: DeriverFiltersOptions,
): Promise<boolean> {
  const derivers = deriverFilters.map(({ deriver }) => deriver);
  const now = await readDeriverFilters(derivers, options);
  return now.every(({ filter }, index) => filter === deriverFilters[index]?.filter);
}

const maxReasonLength = 500;

const insertSql = `
insert into follower_skipped (chain_id, deriver, step, block_number, block_hash, log_index, reason)
values ($1, $2, $3, $4, $5, $6, $7)`;

export function storeSkippedAddition(
  tx: ChainTransaction,
  deriver: string,
  block: BlockId,
  logIndex: number | undefined,
  reason: unknown,
): Promise<unknown> {
  const { number, hash } = block;
  const values = [tx.chainId, deriver, "added", number, bytesOf(hash), logIndex ?? null, reasonText(reason)];
  return tx.query(insertSql, values);
}

function storeSkippedRemoval(
  tx: ChainTransaction,
  deriver: string,
  { number, hash }: BlockId,
  reason: unknown,
): Promise<unknown> {
  const values = [tx.chainId, deriver, "removed", number, bytesOf(hash), null, reasonText(reason)];
  return tx.query(insertSql, values);
}

const skippedLogsSql = {
  name: "follower-skipped-logs",
  text: `select block_hash, log_index from follower_skipped
         where chain_id = $1 and deriver = $2 and step = 'added' and log_index is not null
           and block_number = any($3::bigint[])`,
};

/** Returns the indexes of the skipped logs of these blocks, by the block's hash. */
export async function readSkippedLogs(
  tx: ChainTransaction,
  deriver: string,
  blocks: readonly BlockId[],
): Promise<ReadonlyMap<Hex, ReadonlySet<number>>> {
  const numbers = blocks.map(({ number }) => number);
  const rows = await tx.query<{ readonly block_hash: Buffer; readonly log_index: number }>(skippedLogsSql, [
    tx.chainId,
    deriver,
    numbers,
  ]);
  const skipped = new Map<Hex, Set<number>>();
  for (const { block_hash, log_index } of rows) {
    const hash = hexOf(block_hash);
    skipped.set(hash, (skipped.get(hash) ?? new Set()).add(log_index));
  }
  return skipped;
}

/**
 * Deletes records that earlier transactions skipped when they added blocks above `above`, up to `through`. Call this when the blocks have been
 * added again: records that failed again were stored by this transaction.
 */
export async function deleteOutdatedSkipped(
  tx: Queries,
  chainId: number,
  { above, through }: { readonly above: number; readonly through: number },
): Promise<void> {
  await tx.query(
    `delete from follower_skipped
     where chain_id = $1 and step = 'added' and block_number > $2 and block_number <= $3 and skipped_at < now()`,
    [chainId, above, through],
  );
}

/** Hides the secrets of URLs, and removes NUL, which Postgres cannot store in text. */
function reasonText(reason: unknown): string {
  const text = reason instanceof Error ? `${reason.name}: ${reason.message}` : `thrown: ${typeof reason}`;
  return hideUrlSecrets(text).slice(0, maxReasonLength).replaceAll("\0", "");
}
