/** What one caller may cost before anything is known of them. Times in milliseconds, sizes in bytes; schema/README.md, "Limits". */

/** Options of Node's server. A slow sender is cut off within a second of its time. */
export const serverOptions = {
  /** The whole request: 1 MiB in 30 s is what a poor mobile line can send. */
  requestTimeout: 30_000,
  /** The headers alone: they fit into a dozen packets. */
  headersTimeout: 10_000,
  /** Above the 60 s after which common load balancers drop an idle connection, so that they drop it and not we. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  /** Checked by us: Node's own refusal has no body. */
  requireHostHeader: false,
} as const;

/** A socket on which nothing moves in either direction: longer than a handler may take, which has nothing to say until then. */
export const silenceMaxMs = 15_000;

/** Node drops what comes after this many headers without a word, so it is let one more than we take. */
export const maxHeaders = 100;

/** Longest address, in characters. The longest of a method has 80. */
export const maxUrlLength = 2_048;

/** Open connections. Each costs 10 KB and a file descriptor; the usual limit of those is 65,536 in containers. */
export const maxConnections = 10_000;

/** Memory that all bodies hold while they arrive: 64 of the largest. */
export const bodiesMaxBytes: number = 64 * 1024 * 1024;

/** Time without a minimum rate, from the moment at which the body is read: enough for a line that stalls and recovers. */
export const rateGraceSeconds = 5;

/** Bytes a second that a body must bring on average: a poor mobile line brings thirty times as many. */
export const bodyMinRate = 1_024;

/** The same of a form with files, which also fills the disk while it lasts. */
export const fileMinRate: number = 16 * 1_024;
