import type { Caller } from "../../base/credentials/authorize.ts";
import type { CallerShare } from "../../base/storage/database.ts";
import type { Network } from "../../chain/networks/network.ts";

export type CallDatabase = Pick<CallerShare, "query" | "transaction">;

/** What handlers get in addition to the request, as `ctx.host`. */
export interface CallContext {
  /** Undefined for methods that need no key. */
  readonly caller: Caller | undefined;
  /** The network in front of the path. Undefined: the network of the body applies, or else the default network. */
  readonly pathNetwork: Network | undefined;
  /** The project, or else the address. Callers take turns at the limits of nodes. */
  readonly callerName: string;
  /** The database, within the shares of the caller's project and address. */
  readonly database: CallDatabase;
}
