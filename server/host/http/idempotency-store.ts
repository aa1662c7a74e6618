import type { IdempotencyStore, KeptResponse } from "../../../generated/server.ts";
import type { Sealer } from "../../base/sealer.ts";
import type { Database, Transaction } from "../../base/storage/database.ts";
import { findResponse, type KeptRow, keepResponse, lockKey } from "../../base/storage/idempotency-keys.ts";
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

/** Returns the database within an open transaction. Its transactions are savepoints. */
function nestedIn(tx: Transaction): Pick<Database, "query" | "transaction"> {
  return {
    query: (statement, values) => tx.query(statement, values),
    async transaction(work) {
      await tx.query("savepoint nested");
      try {
        const result = await work(tx);
        await tx.query("release savepoint nested");
        return result;
      } catch (err) {
        // Fails if the connection broke. The open transaction then fails, too.
        await tx.query("rollback to savepoint nested").catch(() => {});
        throw err;
      }
    },
  };
}
