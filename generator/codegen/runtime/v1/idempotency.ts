/**
 * Lets callers repeat a write whose response was lost. A call with the header `Idempotency-Key` runs its handler once;
 * further calls with the same key get the same response (draft-ietf-httpapi-idempotency-key-header-07).
 */
import type { ResponseHeaders } from "./headers.ts";

/** The option `idempotency` of a server. */
export interface IdempotencyOptions<Host = unknown> {
  /** Keeps keys and responses. `keysInMemory()` keeps them in this process. */
  readonly store: IdempotencyStore<Host>;
  /** Names the caller, such as the id of a user or a project. Keys of different callers never match. */
  readonly scope: (host: Host) => string;
  /** Whether calls without a key are rejected. Default false. */
  readonly isRequired?: boolean;
  /** Size of the largest response that is kept, in bytes. Default 64 KiB. */
  readonly responseMaxBytes?: number;
}

/**
 * Keeps the responses of calls by their keys. To survive a crash, a store commits the response in the transaction in
 * which the handler writes.
 */
export interface IdempotencyStore<Host = unknown> {
  /**
   * Calls `handle` if the key is new, and keeps the response that it returns. If `handle` returns undefined or throws,
   * the key stays new, and the handler's changes are rolled back if the store can do that.
   *
   * `handle` takes what the handler receives as `ctx.host`: `host`, or a copy of it with a transaction.
   *
   * Returns "ran" if it called `handle`, "running" if another call with the key has not ended, and otherwise the
   * response that was kept.
   */
  run(
    use: KeyUse,
    host: Host,
    handle: (host: Host) => Promise<KeptResponse | undefined>,
  ): Promise<KeptResponse | "ran" | "running">;
}

/** A call with a key. */
export interface KeyUse {
  /** What the option `scope` returned. */
  readonly scope: string;
  /** 1 to 255 printable ASCII characters. Unique within its scope only. */
  readonly key: string;
}

/** A response as JSON values, so that stores can serialize it. */
export interface KeptResponse {
  /** Hash of the method and the request. */
  readonly fingerprint: string;
  readonly status: number;
  /** Undefined if the response was too large, or if the store cannot read it any more. */
  readonly body?: string | undefined;
  readonly headers?: ResponseHeaders | undefined;
}
