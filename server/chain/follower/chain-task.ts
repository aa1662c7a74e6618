/** Work for a chain, apart from the derivers, on the replica that follows it. */
import type { FollowSettings } from "../networks/follow.ts";
import type { Network } from "../networks/network.ts";
import type { MeteredNodes } from "../rpc/nodes/metered-nodes.ts";

/** A chain that this replica follows. */
export interface FollowedChain {
  readonly network: Network;
  readonly follow: FollowSettings;
  readonly meteredNodes: MeteredNodes;
  /** Aborts when another replica may take over. */
  readonly signal: AbortSignal;
}

/** Work for a chain on the replica that follows it. Ends soon after the signal aborts, and never throws. */
export type ChainTask = (followed: FollowedChain) => Promise<void>;
