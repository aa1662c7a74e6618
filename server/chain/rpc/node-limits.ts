/** Limits of calls to contracts, by users and background work. */
export interface CallLimits {
  /** Timeout of one HTTP response of a node, in milliseconds, until its last byte. */
  readonly nodeTimeoutMs: number;
  /** Timeout of one request including failover between nodes and the wait for a free slot, in milliseconds. */
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

/** Limits of requests for blocks and logs. */
export interface BlockLimits {
  readonly responseTimeoutMs: number;
  readonly maxResponseBytes: number;
  readonly maxBatchCalls: number;
}

/** Every limit of what is sent to nodes, in the order in which a request passes them. Times are in milliseconds. */
export const nodeLimits = {
  /** Blocks in a range that is read and committed together, and in one request for logs (`follower/range-planner.ts`). */
  ranges: {
    maxConcurrent: 4,
    firstBlocks: 25,
    /**
     * Further ranges have about this many logs: some megabytes and a tenth of a second of work. Many providers return at most 10,000 logs in
     * one response.
     */
    targetLogs: 8_000,
    /** Limits how long a range is in flight if a node's cap is small. */
    maxRequests: 8,
    /** Factor for the blocks of a request after the node refused it and named no limit. */
    shrinkFactor: 0.6,
    /** How long a node gets only such requests. Its limit may be one on logs, which the next blocks have fewer of. */
    rememberMs: 600_000,
  },
  /** Fixed: requests for blocks and logs (`follower/viem/block-nodes.ts`). `maxResponseBytes` allows for about 100,000 logs. */
  blocks: {
    responseTimeoutMs: 30_000,
    maxResponseBytes: 134_217_728,
    maxBatchCalls: 50,
    /** How long a node is not asked again for what it does not support. Then it may have been replaced. */
    unsupportedMs: 600_000,
  },
  /** Fixed: calls to contracts (`nodes/call-nodes.ts`). */
  calls: {
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
  },
  /** Fixed: how the requests in a second of a node (`maxPerSecond`) are shared, and its back-off (`nodes/node-budget.ts`). */
  budget: {
    /** How much of the rate each share has while all of them send. */
    parts: { calls: 0.5, follower: 0.25, background: 0.25 },
    /** How much may be sent at once after a quiet time, in seconds of the rate. */
    burstSeconds: 0.5,
    /** How long nothing is sent to a node that refused a request without `Retry-After`. */
    backOffMs: 250,
    /** Longest back-off, whatever `Retry-After` says: as long as a caller waits. */
    maxBackOffMs: 8_000,
  },
  /** Learned for each node, at most `maxBatchCalls`: calls in one HTTP request (`nodes/client.ts`). */
  batches: {
    /**
     * How long a node gets only smaller batches after it refused one: a node that fails at times soon gets large ones again. Doubled each
     * time that a larger batch is refused again, because most nodes that take no batches never will.
     */
    rememberMs: { first: 10_000, most: 600_000 },
    /**
     * Failures in a row that may be those of a gateway whose node is down, before the calls of a batch are sent alone. Single calls need
     * more responses, so they must be rare at a node that fails half of the time.
     */
    unclearFailures: 10,
  },
} as const;
