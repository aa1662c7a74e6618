/**
 * Limits that apply before the caller is identified. Times are in milliseconds, sizes in bytes. See docs/platform/contract.md, "Limits".
 */
import type { UnreadLimits } from "ridlkit-runtime/options";

/** Options of Node's HTTP server. `connectionsCheckingInterval` cuts off a slow sender within a second of its timeout. */
export const serverOptions = {
  /** The whole request: a poor mobile connection can send 1 MiB in 30 s. */
  requestTimeout: 30_000,
  /** The headers alone: they fit into a dozen packets. */
  headersTimeout: 10_000,
  /** Above the 60 s after which common load balancers close an idle connection: the balancer must close it before the host. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  /** Checked by `api-server.ts`: Node's own rejection has no body. */
  requireHostHeader: false,
} as const;

/** Longest time without traffic on a socket. Longer than a handler may take, because no bytes are sent while a handler runs. */
export const silenceMaxMs = 15_000;

/** Most headers of a request. Node silently drops headers above its limit, so Node's limit is one higher than this. */
export const maxHeaders = 100;

/** Longest URL, in characters. The longest path of a method has 80. */
export const maxUrlLength = 2_048;

/** Most open connections. Each costs 10 KB and a file descriptor; containers usually allow 65,536 descriptors. */
export const maxConnections = 10_000;

/** Most memory that all bodies hold while they arrive: enough for 64 bodies of the largest size. */
export const bodiesMaxBytes: number = 64 * 1024 * 1024;

/**
 * Seconds before the minimum rate applies, counted from the first read of the body: enough for a connection that stalls and
 * recovers.
 */
export const rateGraceSeconds = 5;

/** Minimum average rate of a body, in bytes a second: a poor mobile connection is thirty times as fast. */
export const bodyMinRate = 1_024;

/** The same for a form with files, which also occupies disk space while it arrives. */
export const fileMinRate: number = 16 * 1_024;

/** Most memory of responses that callers have not read, for the host and for one address, and the longest time without progress. */
export const unreadLimits: UnreadLimits = {
  unreadMaxBytes: 64 * 1024 * 1024,
  /** So that four addresses use up the memory of the host, not one. */
  unreadMaxBytesPerAddress: 16 * 1024 * 1024,
  unreadMaxMs: silenceMaxMs,
};

/** Open streams of a project on this host, and of one address: access keys are public, and anyone may use one. */
export const openStreams = { ofProject: 1_000, ofAddress: 20 } as const;

/** Event of a response that has become a stream. Most of the time it does nothing, so it is no concurrent call any more. */
export const streamOpened = "streamOpened";
