/** Commits changes of the chain with everything that belongs to them: derived records, the checkpoint, and the archive. */
import type { ChunkContent } from "./archive/chunk.ts";
import { advanceCheckpoint, deleteSkippedAbove } from "./checkpoint.ts";
import { type ChainStep, type DeriverFilter, derive } from "./derive/derive.ts";
import type { LogFilter } from "./derive/deriver.ts";
import { deleteOutdatedSkipped } from "./derive/skipped-records.ts";
import type { Following } from "./following.ts";
import type { NewBlocks } from "./known-blocks.ts";
import { undoRewound } from "./rewinding.ts";
import { dropRewoundThrough } from "./rewound-blocks.ts";

export interface Progress extends NewBlocks {
  /** What nodes returned, for the archive. */
  readonly fetched?: { readonly contents: readonly ChunkContent[]; readonly filter: LogFilter };
  /** Whether the blocks are those of the archive, which are the blocks that were committed before. */
  readonly isArchived?: boolean;
}

export async function commit(
  following: Following,
  step: ChainStep,
  deriverFilters: readonly DeriverFilter[],
  progress: Progress,
): Promise<void> {
  const { chainId, name, position, archive } = following;
  const { database, events, health } = following.dependencies;
  const { epoch, checkpoint: from } = position;
  const reapplied = position.rewound.filter(({ number }) => number <= progress.to.number);
  if (reapplied.length > 0) await undoRewound(following, reapplied, progress);
  const { fetched } = progress;
  const chunks = fetched && archive?.encode(fetched.contents, fetched.filter);
  // Marks a rejection as handled: it is thrown below.
  chunks?.catch(() => {});
  const { after, skipped } = await derive(database, step, deriverFilters, async (tx) => {
    if (step.removed.length > 0) {
      await deleteSkippedAbove(tx, chainId, progress.ancestor);
      await archive?.removeAbove(tx, progress.ancestor);
    }
    if (reapplied.length > 0) {
      await dropRewoundThrough(tx, chainId, progress.to.number);
      await deleteOutdatedSkipped(tx, chainId, { above: progress.ancestor, through: progress.to.number });
    }
    await advanceCheckpoint(tx, { chainId, epoch, from, ...progress });
    if (chunks !== undefined) await archive?.store(tx, await chunks);
  });
  for (const callback of after) callback();
  health.succeeded();
  position.advance(progress, step.removed);
  for (const { deriver, block, logIndex, reason } of skipped)
    events.skipped(name, { deriver, block: block.number, logIndex, reason });
  const logs = step.added.reduce((sum, block) => sum + block.logs.length, 0);
  const { to, head, ancestor } = progress;
  events.advanced(name, { block: to.number, head, blocks: to.number - ancestor, logs });
  await archive?.committed(progress.settled, epoch);
}
