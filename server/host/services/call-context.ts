import type { Caller } from "../../base/credentials/authorize.ts";
import type { Database } from "../../base/storage/database.ts";
import type { Network } from "../../chain/networks/network.ts";

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
