import type { ContextOfAny, ResponseHeaders } from "./handler.ts";
import { checkPositive } from "./time.ts";

/*
 * Lets callers repeat a write whose response was lost. A call with the header `Idempotency-Key` runs its handler once;
 * further calls with the same key get the same response (draft-ietf-httpapi-idempotency-key-header-07).
 */

/** The option `idempotency` of a server. */
export interface IdempotencyOptions<Context = unknown> {
  /** Keeps keys and responses. `memoryIdempotencyStore()` keeps them in this process. */
  readonly store: IdempotencyStore<NoInfer<Context>>;
  /** Names the caller, such as the id of a user or a project. Keys of different callers never match. */
  readonly scope: (context: ContextOfAny<Context>) => string;
  /** Whether calls without a key are rejected. Default false. */
  readonly isRequired?: boolean;
  /** Size of the largest response that is kept, in bytes. Default 64 KiB. */
  readonly responseMaxBytes?: number;
}

/**
 * Keeps the responses of calls by their keys. To survive a crash, a store commits the response in the transaction in
 * which the handler writes. `IdempotencyStore<{ db: Database }>` fits every server whose context has `db`.
 */
export interface IdempotencyStore<in Needs = unknown> {
  /**
   * Calls `handle` if the key is new, and keeps the response that it returns. If `handle` returns undefined or throws,
   * the key stays new, and the handler's changes are rolled back if the store can do that.
   *
   * `handle` takes what the handler receives as `ctx.context`: `context`, or a copy of it with a transaction.
   *
   * Returns "ran" if it called `handle`, "running" if another call with the key has not ended, and otherwise the
   * response that was kept.
   */
  run<Context>(
    use: KeyUse,
    context: Context & Needs,
    handle: (context: Context & Needs) => Promise<KeptResponse | undefined>,
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

/* Reads the header `Idempotency-Key`. */

/** Longest key, in characters. */
const keyMaxLength = 255;

/**
 * Returns the key: a string of structured fields (RFC 9651, section 3.3.3), or the same text without quotes, as many
 * clients send it. Undefined if the header is malformed.
 */
export function readKey(header: string): string | undefined {
  const [, quoted, bare] = /^ *(?:"((?:[ !#-[\]-~]|\\["\\])*)"|([!#-+\--:<-[\]-~]*)) *$/.exec(header) ?? [];
  const key = quoted?.replace(/\\(.)/g, "$1") ?? bare ?? "";
  return key === "" || key.length > keyMaxLength ? undefined : key;
}

export const keyForm: string = `expected 1 to ${keyMaxLength} printable ASCII characters in double quotes`;

/** Options of `memoryIdempotencyStore`. */
export interface MemoryIdempotencyStoreOptions {
  /** How long a response is kept, in milliseconds. Default 24 hours. */
  readonly keptMs?: number;
  /** Responses that are kept for each scope. The oldest ones are dropped first. Default 1,000. */
  readonly maxPerScope?: number;
}

interface Kept {
  readonly response: KeptResponse;
  readonly until: number;
}

/**
 * Keeps idempotency keys in this process: for tests, and for servers that are a single process. Keys are lost when the
 * process ends.
 * @throws RangeError if a limit is not a positive number.
 */
export function memoryIdempotencyStore({
  keptMs = 24 * 60 * 60 * 1_000,
  maxPerScope = 1_000,
}: MemoryIdempotencyStoreOptions = {}): IdempotencyStore {
  for (const [name, limit] of Object.entries({ keptMs, maxPerScope })) checkPositive(name, limit);
  /** By scope and key, in the order in which responses expire. */
  const scopes = new Map<string, Map<string, Kept>>();
  const running = new Set<string>();
  let sweepAt = 0;

  function drop(scope: string, max: number, now: number): void {
    const kept = scopes.get(scope);
    for (const [key, { until }] of kept ?? []) {
      if (until > now && (kept?.size ?? 0) <= max) break;
      kept?.delete(key);
    }
    if (kept?.size === 0) scopes.delete(scope);
  }

  return {
    async run({ scope, key }, context, handle) {
      const now = Date.now();
      if (now >= sweepAt) {
        sweepAt = now + keptMs / 100;
        for (const each of scopes.keys()) drop(each, maxPerScope, now);
      }
      const kept = scopes.get(scope)?.get(key);
      if (kept !== undefined && kept.until > now) return kept.response;
      const id = JSON.stringify([scope, key]);
      if (running.has(id)) return "running";
      running.add(id);
      try {
        const response = await handle(context);
        if (response === undefined) return "ran";
        const own = scopes.get(scope) ?? new Map<string, Kept>();
        // An expired entry of the key would keep its place in the order.
        own.delete(key);
        scopes.set(scope, own.set(key, { response, until: Date.now() + keptMs }));
        drop(scope, maxPerScope, Date.now());
        return "ran";
      } finally {
        running.delete(id);
      }
    },
  };
}
