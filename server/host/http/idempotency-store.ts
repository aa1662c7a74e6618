import type { IdempotencyStore, KeptResponse } from "../../../generated/server/index.ts";
import type { Sealer } from "../../base/sealer.ts";
import { findResponse, type KeptRow, keepResponse, lockKey } from "../../base/storage/idempotency-keys.ts";
import { nestedIn } from "../../base/storage/nested.ts";
import type { CallContext } from "../services/call-context.ts";

/** Names the project of a call, and the network of its path, which is part of the request. */
export function scopeOf({ caller, pathNetwork }: CallContext): string {
  if (caller === undefined) throw new Error("the credentials were not checked before the handler");
  return `project ${caller.projectId}, network ${pathNetwork?.chainId ?? "of the body"}`;
}

/** Keeps each response in the transaction in which its handler writes: either both are committed, or none. */
export function createKeyStore(sealer: Sealer): IdempotencyStore<CallContext> {
  return {
    async run(use, host, handle) {
      const name = JSON.stringify([use.scope, use.key]);
      try {
        return await host.database.transaction(async (tx) => {
          if (!(await lockKey(tx, use))) return "running";
          const kept = await findResponse(tx, use);
          if (kept !== undefined) return opened(kept, sealer, name);
          const response = await handle({ ...host, database: nestedIn(tx) });
          if (response === undefined || host.caller === undefined) throw new Released();
          const { fingerprint } = response;
          const sealed = sealer.seal(JSON.stringify(response), name);
          await keepResponse(tx, use, host.caller.projectId, { fingerprint, response: sealed });
          return "ran";
        });
      } catch (err) {
        if (err instanceof Released) return "ran";
        throw err;
      }
    },
  };
}

/** Without the key that encrypted it, only the request of the response is known. */
function opened({ fingerprint, response }: KeptRow, sealer: Sealer, name: string): KeptResponse {
  const text = sealer.open(response, name);
  return text === undefined ? { fingerprint, status: 0 } : JSON.parse(text);
}

/** Rolls the transaction back. The key stays new. */
class Released extends Error {}
