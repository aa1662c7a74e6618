import { randomBytes } from "node:crypto";
import { ratesMaxAgeMs } from "../records/currencies/stored-rates.ts";
import type { StateVersions } from "./keys.ts";
import { aheadMs, type Sweep } from "./sweep.ts";

export interface MarketVersionsOptions {
  /** Most keys with a version of their own. Default: 50,000, which take some 20 MB. */
  readonly maxKeys?: number;
  /** A clock that only moves forward, in milliseconds. */
  readonly now?: () => number;
}

/** When some data has last changed. Times are of the host's clock. */
interface LastChange {
  /** Number of the change among all changes. */
  readonly version: number;
  /** When the host learned of a change. A sweep that has started before may not have seen its data. */
  readonly learnedAt: number;
  /** Until then, time changes responses, or reads may use rates of before the change. */
  readonly settledAt: number;
}

const never: LastChange = {
  version: 0,
  learnedAt: Number.NEGATIVE_INFINITY,
  settledAt: Number.NEGATIVE_INFINITY,
};

/**
 * Tolerance for the drift between the clocks of host and database within a few seconds, in milliseconds. A larger difference is a
 * clock that was set.
 */
const driftMs = 200;

/** How long reads may show the state before a change: rates are cached. In milliseconds. */
const settleMs = ratesMaxAgeMs + driftMs;

/**
 * Numbers the changes of the market's data, so that the version of a response is known from memory. Three things change a response:
 * writes, which the database reports; time, as orders start and end and rates become too old; and a connection that may have missed a
 * report. Sweeps report in advance what time will change. A version that is uncertain is undefined.
 */
export class MarketVersions implements StateVersions {
  readonly #maxKeys: number;
  readonly #now: () => number;
  /** Versions of different processes differ, because each counts for itself. */
  readonly #process = randomBytes(9).toString("base64url");
  readonly #changes = new Map<string, LastChange>();
  /** The last change of all keys together. */
  #changeOfAll: LastChange;
  #version = 0;
  /** When the last complete sweep started. */
  #sweptAt = Number.NEGATIVE_INFINITY;
  /** All changes by time are known until then. */
  #knownUntil = Number.NEGATIVE_INFINITY;
  /** The database's clock minus the host's, at the last sweep: between these, because the sweep took some time. */
  #clockOffset = { min: 0, max: 0 };

  constructor({ maxKeys = 50_000, now = () => performance.now() }: MarketVersionsOptions = {}) {
    this.#maxKeys = maxKeys;
    this.#now = now;
    this.#changeOfAll = this.#changeNow();
  }

  versionOf(keys: readonly string[]): string | undefined {
    const now = this.#now();
    if (now >= this.#knownUntil || !this.#isCertain(this.#changeOfAll, now)) return undefined;
    let { version } = this.#changeOfAll;
    for (const key of keys) {
      const change = this.#changes.get(key);
      if (change === undefined) continue;
      if (!this.#isCertain(change, now)) return undefined;
      version = Math.max(version, change.version);
    }
    return `${this.#process}.${version}`;
  }

  /** The database has reported a change. */
  changed(key: string): void {
    this.#set(key, this.#changeNow());
  }

  /** Reports may have been missed. Nothing is certain until a sweep on a connection that receives reports again. */
  missed(): void {
    this.#changeAll();
  }

  /** `startedAt`: before the database was asked. */
  swept({ databaseNow, transitions, isComplete }: Sweep, startedAt: number): void {
    const now = this.#now();
    const offset = { min: databaseNow - now, max: databaseNow - startedAt };
    const { min, max } = this.#clockOffset;
    const wasClockSet = offset.min > max + driftMs || offset.max < min - driftMs;
    if (!isComplete || wasClockSet || startedAt > this.#knownUntil) this.#changeAll();
    for (const { key, inMs } of transitions) {
      if (inMs + settleMs <= 0) continue;
      const { learnedAt, settledAt } = this.#changes.get(key) ?? never;
      this.#set(key, {
        version: ++this.#version,
        learnedAt,
        settledAt: Math.max(settledAt, now + inMs + settleMs),
      });
    }
    this.#clockOffset = offset;
    this.#sweptAt = startedAt;
    this.#knownUntil = startedAt + aheadMs - driftMs;
  }

  #isCertain({ learnedAt, settledAt }: LastChange, now: number): boolean {
    return learnedAt < this.#sweptAt && settledAt <= now;
  }

  #changeNow(): LastChange {
    const now = this.#now();
    return { version: ++this.#version, learnedAt: now, settledAt: now + settleMs };
  }

  #set(key: string, change: LastChange): void {
    if (this.#changes.size >= this.#maxKeys && !this.#changes.has(key)) this.#changeAll();
    this.#changes.set(key, change);
  }

  #changeAll(): void {
    this.#changes.clear();
    this.#changeOfAll = this.#changeNow();
  }
}
