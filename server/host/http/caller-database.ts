import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "koa";
import type { Call, RpcFailure } from "../../../generated/runtime/v1/server.ts";
import type { SchemaErrorName } from "../../../generated/server/errors.ts";
import type { ShareHolder } from "../../base/storage/connection-shares.ts";
import type { Database } from "../../base/storage/database.ts";
import type { CallDatabase } from "../services/call-context.ts";
import { overloaded } from "../services/overloaded.ts";

/**
 * How long a refusal is held back, in milliseconds. Callers who ignore `Retry-After` and call again at once would use up the thread by
 * refusals alone; held back, each of their connections gets ten a second. `npm run attack -- reads` shows the difference.
 */
const refusalMs = 100;

type HostCall = Call<SchemaErrorName, Context>;

/**
 * The database, within the shares of a call's project and address. While one of these is used up and as many wait for it as may,
 * methods that use the database are refused before their body is read: a body of a megabyte costs the thread a hundred times as much as
 * a refusal.
 */
export class CallerDatabase {
  readonly #database: Pick<Database, "sharedBy">;
  readonly #holdersOf: (call: HostCall) => readonly ShareHolder[];
  /** Paths of the methods that use the database, noted when each first does. */
  readonly #users = new Set<string>();

  constructor(database: Pick<Database, "sharedBy">, holdersOf: (call: HostCall) => readonly ShareHolder[]) {
    this.#database = database;
    this.#holdersOf = holdersOf;
  }

  of(call: HostCall): CallDatabase {
    const shared = this.#database.sharedBy(this.#holdersOf(call));
    return {
      query: (statement, values) => {
        this.#users.add(call.method.path);
        return shared.query(statement, values);
      },
      transaction: (work) => {
        this.#users.add(call.method.path);
        return shared.transaction(work);
      },
    };
  }

  /** Refuses a call that uses the database and may not even wait for a connection. */
  async rejectionOf(call: HostCall): Promise<RpcFailure<"Overloaded"> | undefined> {
    if (!this.#users.has(call.method.path)) return undefined;
    if (!this.#database.sharedBy(this.#holdersOf(call)).isFull()) return undefined;
    await sleep(refusalMs);
    return overloaded();
  }
}
