/** Compares the newest blocks of all nodes of a chain. */
import { repeatUntil } from "../../base/repeat.ts";
import type { Header, Source } from "./source.ts";

/** Interval between requests for the newest blocks, in milliseconds. */
const pollMs = 10_000;

/** A node lags if it lacks a block that another node has had for this time, in milliseconds. */
const lagMs = 20_000;

/** A block this far in the future is not believed, in seconds: it would make all other nodes lag. */
const futureMaxSeconds = 60;

/**
 * Reports the newest block of all nodes until the signal aborts, even while the follower is stopped or fails, so that the operator
 * sees how far it is behind. Failures of nodes are ignored: the follower reports them.
 */
export async function watchHeads(
  source: HeadSource,
  report: (head: Header) => void,
  signal: AbortSignal,
): Promise<void> {
  await repeatUntil(
    signal,
    pollMs,
    headComparison(source, (head) => {
      if (!signal.aborted) report(head);
    }),
  );
}

type HeadSource = Pick<Source, "latestOfEach" | "demoteLagging">;

/**
 * Returns a function that compares the newest blocks once. It demotes nodes that lag: one that responds, but with old blocks, would
 * silently stop the chain.
 */
export function headComparison(source: HeadSource, report: (head: Header) => void): () => Promise<void> {
  const lags = new Lags();
  return async () => {
    const heads = await source.latestOfEach();
    const now = Date.now() / 1_000;
    const credible = heads.map((head) =>
      head !== undefined && head.timestamp <= now + futureMaxSeconds ? head : undefined,
    );
    const newest = newestOf(credible);
    if (newest === undefined) return;
    report(newest);
    for (const node of lags.find(credible, newest.number, performance.now()))
      source.demoteLagging(
        node,
        `it is ${newest.number - (heads[node]?.number ?? 0)} blocks behind another node`,
      );
  };
}

function newestOf(heads: readonly (Header | undefined)[]): Header | undefined {
  return heads.reduce((best, head) => ((head?.number ?? -1) > (best?.number ?? -1) ? head : best), undefined);
}

/** Remembers when each newest block was first seen. */
class Lags {
  #seen: { readonly number: number; readonly atMs: number }[] = [];

  /** Returns the indexes of the nodes that lag. Nodes without a head have failed, which is another fault. */
  find(heads: readonly (Header | undefined)[], newest: number, nowMs: number): readonly number[] {
    if (newest > (this.#seen.at(-1)?.number ?? -1)) this.#seen.push({ number: newest, atMs: nowMs });
    const old = this.#seen.findLastIndex(({ atMs }) => nowMs - atMs >= lagMs);
    this.#seen = this.#seen.slice(Math.max(0, old));
    const known = old === -1 ? undefined : this.#seen[0]?.number;
    if (known === undefined) return [];
    // After a reorganization, or without a node that has failed, no node may have the known block.
    const expected = Math.min(known, newest);
    return heads.flatMap((head, node) => (head !== undefined && head.number < expected ? [node] : []));
  }
}
