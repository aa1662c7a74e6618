import { DatabaseBusy, DatabaseFault, sqlStateOf } from "../../base/storage/fault.ts";
import type { Log } from "./log.ts";

/** Pause between two attempts to reach the database, in milliseconds. */
const retryMs = 1_000;

/**
 * Logs once that the database is away, and once that it responds again, however many workers notice it and however often they
 * retry.
 */
export class DatabaseOutage {
  readonly #log: Log;
  #ping: () => Promise<unknown> = async () => {};
  #isAway = false;
  #checking: Promise<boolean> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** `ping` rejects while the database is away. */
  watch(ping: () => Promise<unknown>): void {
    this.#ping = ping;
  }

  /** Calls `logFailure`, unless the failure is a consequence of an outage. */
  async report(cause: unknown, logFailure: () => void): Promise<void> {
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

function isConnectionFailure(cause: unknown): boolean {
  if (!(cause instanceof DatabaseFault) || cause instanceof DatabaseBusy) return false;
  const state = sqlStateOf(cause);
  // PostgreSQL manual, appendix A: connections that fail, and a server that stops or starts. Without a SQLSTATE, nothing responded.
  return state === undefined || state.startsWith("08") || state.startsWith("57P");
}
