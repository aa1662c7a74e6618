import type { IdempotencyStore, KeptResponse } from "./idempotency.ts";

/** Options of `keysInMemory`. */
export interface KeysInMemoryOptions {
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
 */
export function keysInMemory<Host = unknown>({
  keptMs = 24 * 60 * 60 * 1_000,
  maxPerScope = 1_000,
}: KeysInMemoryOptions = {}): IdempotencyStore<Host> {
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
    async run({ scope, key }, host, handle) {
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
        const response = await handle(host);
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
