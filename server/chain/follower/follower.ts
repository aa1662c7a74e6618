/** Follows one chain while this replica leads. */
import { setTimeout as sleep } from "node:timers/promises";
import { advanceTo } from "./advance.ts";
import { deleteArchive } from "./archive/rows.ts";
import { ReorganisationTooDeep } from "./branch.ts";
import { markStopped, readCheckpoint, Superseded } from "./checkpoint.ts";
import { type FollowerDependencies, Following } from "./following.ts";
import { undoToCommonAncestor } from "./reorganisation.ts";
import { Retries } from "./retries.ts";
import { rewind } from "./rewinding.ts";
import type { Header } from "./source.ts";

/** Interval at which the operator's requests are read, in milliseconds. */
const checkpointPollMs = 1_000;

export class Follower {
  readonly #dependencies: FollowerDependencies;
  readonly #following: Following;
  readonly #retries = new Retries();
  /** Number of commits at the last failure. */
  #commits = 0;

  constructor(dependencies: FollowerDependencies) {
    this.#dependencies = dependencies;
    this.#following = new Following(dependencies);
  }

  /** Runs until the signal aborts or another replica takes over. Failures are reported and retried from the last commit. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, events, heads } = this.#dependencies;
    const { chainId, name, position, archive } = this.#following;
    await position.takeOver(database);
    let isUnreported = true;
    while (!signal.aborted) {
      try {
        await position.read(database);
        if (position.checkpoint.epoch !== position.epoch) return;
        if (isUnreported) events.leadTaken(name, position.checkpoint.number);
        isUnreported = false;
        // While it is off, nothing removes blocks that leave the chain from it.
        if (archive === undefined) await deleteArchive(database, chainId);
        // Derivers may have work when their filters are read, even if no block arrives.
        await this.#following.deriverFilters();
        await this.#follow(signal);
      } catch (err) {
        if (signal.aborted) return;
        const delayMs = err instanceof Superseded ? 0 : await this.#failed(err);
        await sleep(delayMs, undefined, { signal }).catch(() => {});
        // Nodes do not announce a head twice, so poll for it.
        heads.pollNow();
      }
    }
  }

  /** Returns how long to wait, in milliseconds. */
  async #failed(err: unknown): Promise<number> {
    const { events, health } = this.#dependencies;
    const { name, position } = this.#following;
    if (position.commits !== this.#commits) this.#retries.reset();
    this.#commits = position.commits;
    const { delayMs, isReported } = this.#retries.failed(err);
    if (err instanceof ReorganisationTooDeep) {
      await this.#stop(err.message).catch(() => {});
    } else {
      health.failed(err);
      if (isReported) events.failed(name, err);
    }
    return delayMs;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { heads, database, follow, health } = this.#dependencies;
    const { chainId, position } = this.#following;
    let nextPollAt = 0;
    while (!signal.aborted) {
      const { rewindTo } = position.checkpoint;
      if (rewindTo !== undefined) await rewind(this.#following, rewindTo);
      if (position.checkpoint.stopped !== undefined) {
        await sleep(checkpointPollMs, undefined, { signal }).catch(() => {});
        await position.read(database);
        continue;
      }
      const head = await heads.next(Math.min(checkpointPollMs, follow.pollMs), signal);
      if (head !== undefined) {
        await this.#advanceOrHeal(head, signal);
        health.succeeded();
        this.#retries.reset();
      }
      await this.#following.reportFinality();
      if (performance.now() < nextPollAt) continue;
      nextPollAt = performance.now() + checkpointPollMs;
      const checkpoint = await readCheckpoint(database, chainId);
      if (checkpoint?.rewindTo !== undefined || checkpoint?.stopped !== undefined)
        await position.read(database);
    }
  }

  async #advanceOrHeal(head: Header, signal: AbortSignal): Promise<void> {
    try {
      await advanceTo(this.#following, head, signal);
    } catch (err) {
      if (!(err instanceof ReorganisationTooDeep)) throw err;
      // Nodes do not announce a head twice.
      if (await undoToCommonAncestor(this.#following, head)) this.#dependencies.heads.pollNow();
    }
  }

  async #stop(reason: string): Promise<void> {
    const { database, events } = this.#dependencies;
    const { chainId, name, position } = this.#following;
    await markStopped(database, chainId, position.epoch, reason);
    events.stopped(name, reason);
  }
}
