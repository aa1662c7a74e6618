/** Limits of `Chains`: of calls to contracts, by users and background work. Those for reading blocks are `blockNodesLimits`. */
export interface CallLimits {
  /** Time-out of one HTTP response of a node, in milliseconds, until its last byte. */
  readonly nodeTimeoutMs: number;
  /** Time-out of one request including failover between nodes and the wait for a free slot, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Concurrent HTTP requests to the nodes of one chain. Further ones are queued. */
  readonly maxConcurrentRequests: number;
  /** Longest wait in the queue during a burst, in milliseconds. A queue that stands longer is an overload. */
  readonly maxBurstMs: number;
  /** Most JSON-RPC calls in one HTTP request, in addition to a check of the chain. Calls made at the same time are batched. */
  readonly maxBatchCalls: number;
  /** Bytes of one HTTP response. Needed because a contract decides how much it returns. */
  readonly maxResponseBytes: number;
  /** Gas of one `eth_call`: the default limit of nodes. */
  readonly callGas: bigint;
  /** Largest age of a shared result within a block, in milliseconds. */
  readonly maxSharedAgeMs: number;
  readonly maxSharedResults: number;
}

export const callLimits: CallLimits = {
  // Slow public nodes take a second. If two of three nodes do not respond, the third one still does so in time.
  nodeTimeoutMs: 2_500,
  // Ends before a handler's ten seconds, so that the caller learns that the chain was the reason.
  requestTimeoutMs: 8_000,
  maxConcurrentRequests: 32,
  maxBurstMs: 100,
  maxBatchCalls: 32,
  maxResponseBytes: 1_048_576,
  callGas: 50_000_000n,
  // The block time of fast chains. Also bounds the age of results when a node reports no new blocks.
  maxSharedAgeMs: 2_000,
  // Some kilobytes each.
  maxSharedResults: 500,
};
