/** What a host spends at most on its nodes, and takes from them. */
export interface ChainLimits {
  /** One answer of one node, in milliseconds, until its last byte. */
  readonly nodeMaxMs: number;
  /** One question to the chain with all its nodes, in milliseconds, its wait for a turn included. */
  readonly questionMaxMs: number;
  /** How long a node that failed is asked last, in milliseconds. */
  readonly restMs: number;
  /** HTTP requests under way to the nodes of one chain; more wait for their turn. */
  readonly requestsAtOnce: number;
  /** Longest wait of a burst of questions for their turn, in milliseconds. */
  readonly burstMs: number;
  /** Calls that are put into one HTTP request when they are made at the same time. */
  readonly batchCalls: number;
  /** Bytes of one HTTP answer; a contract decides how much it answers. */
  readonly answerMaxBytes: number;
  /** Gas of one `eth_call`: as much as nodes allow by default. */
  readonly callGas: bigint;
  /** How old an answer may be that is shared within a block, in milliseconds. */
  readonly sharedMaxMs: number;
  /** How many answers are kept to be shared. */
  readonly sharedAnswers: number;
}

export const chainLimits: ChainLimits = {
  // Slow public nodes take a second; two of three nodes may hang and the third still answers in time.
  nodeMaxMs: 2_500,
  // Before the ten seconds of a handler are over, so that the caller learns that it was the chain.
  questionMaxMs: 8_000,
  restMs: 15_000,
  requestsAtOnce: 32,
  burstMs: 100,
  batchCalls: 32,
  answerMaxBytes: 1_048_576,
  callGas: 50_000_000n,
  // As long as blocks of quick chains take; where a node says that there is no new one, this is the end of belief.
  sharedMaxMs: 2_000,
  // Some kilobytes each.
  sharedAnswers: 500,
};
