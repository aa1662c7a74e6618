import { isConnectionFailure } from "../../base/storage/fault.ts";
import type { DatabaseProblems } from "./database-problems.ts";
import type { Log } from "./log.ts";

/** Pause between two attempts to reach the database, in milliseconds. */
const retryMs = 1_000;

/**
 * Logs once that the database is away, and once that it responds again, however many workers notice it and however often they
 * retry.
 */
export class DatabaseOutage {
  readonly #log: Log;
  readonly #problems: DatabaseProblems;
  #ping: () => Promise<unknown> = async () => {};
  #isAway = false;
  #checking: Promise<boolean> | undefined;

  constructor(log: Log, problems: DatabaseProblems) {
    this.#log = log;
    this.#problems = problems;
  }

  /** `ping` rejects while the database is away. */
  watch(ping: () => Promise<unknown>): void {
    this.#ping = ping;
  }

  /** Calls `logFailure`, unless the failure is a consequence of an outage or of a problem that is logged. */
  async report(cause: unknown, logFailure: () => void): Promise<void> {
    if (this.#problems.note(cause)) return;
    if (isConnectionFailure(cause) && (await this.#confirm())) return;
    logFailure();
  }

  /** Whether the database is away. A connection may also fail because the worker's pool is exhausted. */
  #confirm(): Promise<boolean> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<boolean> {
    if (this.#isAway) return true;
    try {
      await this.#ping();
      // A server that stops ends its connections one after the other.
      await pause();
      await this.#ping();
      return false;
    } catch (err) {
      if (this.#problems.note(err)) return true;
      this.#isAway = true;
      this.#log.warn({ cause: err }, "the database does not respond; background work waits for it");
      void this.#untilBack();
      return true;
    }
  }

  async #untilBack(): Promise<void> {
    let isBack = false;
    while (!isBack) {
      await pause();
      isBack = await this.#ping().then(
        () => true,
        () => false,
      );
    }
    this.#isAway = false;
    this.#log.info({}, "the database responds again");
  }
}

function pause(): Promise<void> {
  return new Promise((done) => void setTimeout(done, retryMs).unref());
}
