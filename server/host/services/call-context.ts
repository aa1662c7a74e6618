import type { NotModified, ReadContext } from "ridlkit-runtime/reads";
import type { Caller } from "../../base/credentials/credentials.ts";
import type { CallerShare } from "../../base/storage/database.ts";
import type { Network } from "../../chain/networks/network.ts";
import type { Networks } from "../../chain/networks/networks.ts";

export type CallDatabase = Pick<CallerShare, "query" | "transaction">;

/** What handlers get in addition to the request, as `ctx.context`. */
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

/** Returns the network of a call. Requests for other networks never reach a handler: `server/host/http/middleware.ts` rejects them. */
export function networkOf(
  networks: Networks,
  { chainId }: { readonly chainId?: string | undefined },
  pathNetwork?: CallContext["pathNetwork"],
): Network {
  return networks.forCall({ pathNetwork, chainId });
}

/** Returns the project of a call to a method that needs a key. Calls without a key never reach a handler. */
export function projectOf({ caller }: CallContext): number {
  if (caller === undefined) throw new TypeError("a method that needs a key was called without one");
  return caller.projectId;
}

/**
 * Returns the response to a caller that has this version of the state, and undefined if the handler has to do its work. Without a
 * version, the tag of the response is a hash.
 */
export function sameState(
  ctx: Pick<ReadContext<unknown>, "notModified">,
  version: string | undefined,
): NotModified | undefined {
  return version === undefined ? undefined : ctx.notModified(version);
}
