/** Follows one chain while this replica has its lock. */
import { pause } from "../../base/repeat.ts";
import { advanceTo, rewind, undoToCommonAncestor } from "./advance.ts";
import { ReorganizationTooDeep } from "./branch.ts";
import { markStopped, readCheckpoint, Superseded } from "./checkpoint.ts";
import { type FollowerDependencies, FollowerState } from "./follower-state.ts";
import { BlockNotFound, type Header } from "./source.ts";

/** Interval at which the operator's requests are read, in milliseconds. */
const checkpointPollMs = 1_000;

export class Follower {
  readonly #dependencies: FollowerDependencies;
  readonly #state: FollowerState;
  readonly #retries = new Retries();
  /** Number of commits at the last failure. */
  #commits = 0;

  constructor(dependencies: FollowerDependencies) {
    this.#dependencies = dependencies;
    this.#state = new FollowerState(dependencies);
  }

  /** Runs until the signal aborts or another replica takes over. Failures are reported and retried from the last commit. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, events, heads, replicaId } = this.#dependencies;
    const { name, position } = this.#state;
    await position.takeOver(database, replicaId);
    let isUnreported = true;
    while (!signal.aborted) {
      try {
        await position.read(database);
        if (position.checkpoint.epoch !== position.epoch) return;
        const { number, stopped } = position.checkpoint;
        if (isUnreported) events.followStarted(name, number);
        if (isUnreported && stopped !== undefined) events.stopped(name, stopped);
        isUnreported = false;
        // Derivers may have work when their filters are read, even if no block arrives.
        await this.#state.deriverFilters();
        await this.#follow(signal);
      } catch (err) {
        if (signal.aborted) return;
        const delayMs = err instanceof Superseded ? 0 : await this.#failed(err);
        await pause(delayMs, signal);
        // Nodes do not announce a head twice, so poll for it.
        heads.pollNow();
      }
    }
  }

  /** Returns how long to wait, in milliseconds. */
  async #failed(err: unknown): Promise<number> {
    const { events, health } = this.#dependencies;
    const { name, position } = this.#state;
    if (position.commits !== this.#commits) this.#retries.reset();
    this.#commits = position.commits;
    const { delayMs, isReported } = this.#retries.failed(err);
    if (err instanceof ReorganizationTooDeep) {
      await this.#stop(err.message).catch(() => {});
    } else {
      health.failed(err);
      if (isReported) events.failed(name, err);
    }
    return delayMs;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { heads, database, follow, health } = this.#dependencies;
    const { chainId, position } = this.#state;
    let nextPollAt = 0;
    while (!signal.aborted) {
      const { rewindTo } = position.checkpoint;
      if (rewindTo !== undefined) await rewind(this.#state, rewindTo);
      if (position.checkpoint.stopped !== undefined) {
        await pause(checkpointPollMs, signal);
        await position.read(database);
        continue;
      }
      const head = await heads.next(Math.min(checkpointPollMs, follow.pollMs), signal);
      if (head !== undefined) {
        await this.#advanceOrHeal(head, signal);
        health.succeeded();
        this.#retries.reset();
      }
      await this.#state.reportFinality();
      if (performance.now() < nextPollAt) continue;
      nextPollAt = performance.now() + checkpointPollMs;
      const checkpoint = await readCheckpoint(database, chainId);
      if (checkpoint?.rewindTo !== undefined || checkpoint?.stopped !== undefined)
        await position.read(database);
    }
  }

  async #advanceOrHeal(head: Header, signal: AbortSignal): Promise<void> {
    try {
      await advanceTo(this.#state, head, signal);
    } catch (err) {
      if (!(err instanceof ReorganizationTooDeep)) throw err;
      // Nodes do not announce a head twice.
      if (await undoToCommonAncestor(this.#state, head)) this.#dependencies.heads.pollNow();
    }
  }

  async #stop(reason: string): Promise<void> {
    const { database, events } = this.#dependencies;
    const { chainId, name, position } = this.#state;
    await markStopped(database, chainId, position.epoch, reason);
    events.stopped(name, reason);
  }
}

/** First and longest delay after a failure, in milliseconds. The delay doubles with each failure. */
const delayMs = { first: 500, longest: 3_000 } as const;

/**
 * The same while a block that the nodes announced is missing: they will have it in a moment. After `briefMs`, a missing block is a failure
 * like any other.
 */
const missingMs = { first: 10, longest: 500 } as const;
const briefMs = 5_000;

export interface Retry {
  readonly delayMs: number;
  readonly isReported: boolean;
}

/** When a follower tries again after failures, and which of them it reports. */
export class Retries {
  #failures = 0;
  #missing: { count: number; readonly sinceMs: number } | undefined;

  /** Call this after a success: the next delay is the first one. */
  reset(): void {
    this.#failures = 0;
    this.#missing = undefined;
  }

  failed(err: unknown): Retry {
    if (err instanceof BlockNotFound) {
      const now = performance.now();
      this.#missing ??= { count: 0, sinceMs: now };
      if (now - this.#missing.sinceMs < briefMs)
        return { delayMs: delayOf(missingMs, this.#missing.count++), isReported: false };
    }
    return { delayMs: delayOf(delayMs, this.#failures++), isReported: true };
  }
}

function delayOf(
  { first, longest }: { readonly first: number; readonly longest: number },
  count: number,
): number {
  return Math.min(longest, first * 2 ** count);
}
