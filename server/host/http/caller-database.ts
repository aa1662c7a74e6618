import { setTimeout as sleep } from "node:timers/promises";
import type { RpcFailure } from "ridlkit-runtime/handler";
import type { ShareHolder } from "../../base/storage/connection-shares.ts";
import type { Database } from "../../base/storage/database.ts";
import { overloaded } from "../failures.ts";
import type { CallDatabase } from "../services/call-context.ts";
import type { HostCall } from "./host-call.ts";

/**
 * Delay of a rejection, in milliseconds. Rejecting callers who ignore `Retry-After` and retry immediately would keep the
 * thread busy. The delay limits each of their connections to ten calls a second. `npm run attack -- reads` shows the
 * difference.
 */
const rejectionDelayMs = 100;

/**
 * The database, within the shares of a call's project and address. While a share is used up and its queue is full, methods that
 * use the database are rejected before their body is read: reading a megabyte costs the thread a hundred times as much as a
 * rejection.
 */
export class CallerDatabase {
  readonly #database: Pick<Database, "sharedBy">;
  readonly #holdersOf: (call: HostCall) => readonly ShareHolder[];
  /** Paths of the methods that have used the database so far. */
  readonly #paths = new Set<string>();

  constructor(database: Pick<Database, "sharedBy">, holdersOf: (call: HostCall) => readonly ShareHolder[]) {
    this.#database = database;
    this.#holdersOf = holdersOf;
  }

  of(call: HostCall): CallDatabase {
    const shared = this.#database.sharedBy(this.#holdersOf(call));
    return {
      query: (statement, values) => {
        this.#paths.add(call.method.path);
        return shared.query(statement, values);
      },
      transaction: (work, lockHolder) => {
        this.#paths.add(call.method.path);
        return shared.transaction(work, lockHolder);
      },
    };
  }

  /** Rejects a call of a method that uses the database if no connection is free for it and the queue is full. */
  async rejectionOf(call: HostCall): Promise<RpcFailure<"Overloaded"> | undefined> {
    if (!this.#paths.has(call.method.path)) return undefined;
    if (!this.#database.sharedBy(this.#holdersOf(call)).isFull()) return undefined;
    await sleep(rejectionDelayMs);
    return overloaded("too many queries wait for a connection");
  }
}
