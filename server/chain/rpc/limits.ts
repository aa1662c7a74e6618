/** What a host spends at most on its nodes, and takes from them. */
export interface ChainLimits {
  /** One answer of one node, in milliseconds, until its last byte. */
  readonly nodeTimeoutMs: number;
  /** One question to the chain with all its nodes, in milliseconds, its wait for a turn included. */
  readonly requestTimeoutMs: number;
  /** How long a node that failed is asked last, in milliseconds. */
  readonly demotionMs: number;
  /** HTTP requests under way to the nodes of one chain; more wait for their turn. */
  readonly maxConcurrentRequests: number;
  /** Longest wait of a burst of questions for their turn, in milliseconds. */
  readonly maxBurstMs: number;
  /** Calls that are put into one HTTP request when they are made at the same time. */
  readonly maxBatchCalls: number;
  /** Bytes of one HTTP answer; a contract decides how much it answers. */
  readonly maxResponseBytes: number;
  /** Gas of one `eth_call`: as much as nodes allow by default. */
  readonly callGas: bigint;
  /** How old an answer may be that is shared within a block, in milliseconds. */
  readonly maxSharedAgeMs: number;
  /** How many answers are kept to be shared. */
  readonly maxSharedResults: number;
}

export const chainLimits: ChainLimits = {
  // Slow public nodes take a second; two of three nodes may hang and the third still answers in time.
  nodeTimeoutMs: 2_500,
  // Before the ten seconds of a handler are over, so that the caller learns that it was the chain.
  requestTimeoutMs: 8_000,
  demotionMs: 15_000,
  maxConcurrentRequests: 32,
  maxBurstMs: 100,
  maxBatchCalls: 32,
  maxResponseBytes: 1_048_576,
  callGas: 50_000_000n,
  // As long as blocks of quick chains take; where a node says that there is no new one, this is the end of belief.
  maxSharedAgeMs: 2_000,
  // Some kilobytes each.
  maxSharedResults: 500,
};
