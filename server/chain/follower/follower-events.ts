/** What a follower tells its operator. Chains are told by their name; none of these throws. */
export interface FollowerEvents {
  /** This replica follows the chain from here on. */
  readonly leadTaken: (chain: string, block: number) => void;
  readonly leadLost: (chain: string) => void;
  /** Blocks and logs are committed. */
  readonly advanced: (
    chain: string,
    advanced: {
      readonly block: number;
      readonly head: number;
      readonly blocks: number;
      readonly logs: number;
    },
  ) => void;
  readonly reorganised: (chain: string, depth: number) => void;
  readonly rewound: (chain: string, fromBlock: number) => void;
  readonly parked: (
    chain: string,
    parked: {
      readonly deriver: string;
      readonly block: number;
      readonly logIndex: number | undefined;
      readonly reason: unknown;
    },
  ) => void;
  /** A node is not asked for a while; its place in the configuration names it. */
  readonly nodeDemoted: (chain: string, node: number, reason: string) => void;
  /** Something failed, and is tried again. */
  readonly failed: (chain: string, cause: unknown) => void;
  /** Nothing goes on until the operator says so. */
  readonly stopped: (chain: string, reason: string) => void;
}
