/** Events for the operator's log and metrics. `chain` is the chain's name. Implementations must not throw. */
export interface FollowerEvents {
  /** This replica now leads: it follows the chain from this block. */
  readonly leadTaken: (chain: string, block: number) => void;
  readonly leadLost: (chain: string) => void;
  /** The nodes report this newest block. Called at intervals, even while the follower is stopped. */
  readonly headSeen: (chain: string, head: number) => void;
  /** The follower begins to catch up with this many blocks. `forecast` says in words how many requests and how long that takes. */
  readonly catchingUp: (chain: string, blocks: number, forecast: string) => void;
  readonly advanced: (
    chain: string,
    advanced: {
      readonly block: number;
      readonly head: number;
      readonly blocks: number;
      readonly logs: number;
    },
  ) => void;
  /** `depth` blocks left the chain. `window` is the setting of the chain. */
  readonly reorganised: (chain: string, depth: number, window: number) => void;
  readonly rewound: (chain: string, fromBlock: number) => void;
  readonly skipped: (
    chain: string,
    skipped: {
      readonly deriver: string;
      readonly block: number;
      readonly logIndex: number | undefined;
      readonly reason: unknown;
    },
  ) => void;
  /**
   * A node was demoted: the others are asked first for a while. `node` is its index in the configuration. `isOnly`: the chain has no other
   * node.
   */
  readonly nodeDemoted: (chain: string, node: number, reason: string, isOnly: boolean) => void;
  /** A chunk of the archive was damaged. Its blocks are requested from the nodes. */
  readonly archiveDamaged: (chain: string, from: number, to: number) => void;
  /** An operation failed and is retried. */
  readonly failed: (chain: string, cause: unknown) => void;
  /** The follower has stopped until the operator intervenes. */
  readonly stopped: (chain: string, reason: string) => void;
}
