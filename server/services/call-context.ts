import type { Caller } from "../credentials/authorize.ts";
import type { Network } from "../networks/network.ts";
import type { Database } from "../storage/database.ts";

/** Reads by `query`, changes by `transaction`. */
export type CallDatabase = Pick<Database, "query" | "transaction">;

/** What handlers learn of a call beside its request, as `ctx.host`. */
export interface CallContext {
  /** Undefined on methods that need no key. */
  readonly caller: Caller | undefined;
  /** The network in front of the path; undefined: the body's, or else the preferred one. */
  readonly pathNetwork: Network | undefined;
  /** The database, within the shares of the caller's project and address. */
  readonly database: CallDatabase;
}
