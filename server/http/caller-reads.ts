import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "koa";
import type { RpcFailure } from "../../generated/runtime/v1/failure.ts";
import type { Call } from "../../generated/runtime/v1/hooks.ts";
import type { SchemaErrorName } from "../../generated/server/errors.ts";
import { overloaded } from "../services/overloaded.ts";
import type { Database, Queries } from "../storage/database.ts";
import type { Holder } from "../storage/shares.ts";

/**
 * How long a refusal is held back, in milliseconds. Callers who ignore `Retry-After` and call again at once would use up the thread by
 * refusals alone; held back, each of their connections gets ten a second. `npm run attack -- reads` shows the difference.
 */
const refusalMs = 100;

type HostCall = Call<SchemaErrorName, Context>;

/**
 * The database, within the shares of a call's project and address. While one of these is used up and as many wait for it as may,
 * methods that read are refused before their body is read: a body of a megabyte costs the thread a hundred times as much as a refusal.
 */
export class CallerReads {
  readonly #database: Pick<Database, "readsOf">;
  readonly #holdersOf: (call: HostCall) => readonly Holder[];
  /** Paths of the methods that read, noted at the first read of each. */
  readonly #readers = new Set<string>();

  constructor(database: Pick<Database, "readsOf">, holdersOf: (call: HostCall) => readonly Holder[]) {
    this.#database = database;
    this.#holdersOf = holdersOf;
  }

  of(call: HostCall): Queries {
    const reads = this.#database.readsOf(this.#holdersOf(call));
    return {
      query: (statement, values) => {
        this.#readers.add(call.method.path);
        return reads.query(statement, values);
      },
    };
  }

  /** Refuses a call that reads and may not even wait for a connection. */
  async refusalOf(call: HostCall): Promise<RpcFailure<"Overloaded"> | undefined> {
    if (!this.#readers.has(call.method.path)) return undefined;
    if (!this.#database.readsOf(this.#holdersOf(call)).isFull()) return undefined;
    await sleep(refusalMs);
    return overloaded();
  }
}
