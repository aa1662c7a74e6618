import type { CallLog } from "../../../generated/runtime/v1/server.ts";
import type { RateLimitLabel } from "../../base/credentials/rate-limits.ts";
import type { NodeEvents } from "../../chain/rpc/node-events.ts";
import type { MarketEvents } from "../../market/indexer/open.ts";
import type { RejectionReason } from "../http/rejections.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** Codes of faults of the server itself: WebrpcBadResponse, WebrpcServerPanic, WebrpcInternalError. */
const ourFaults: ReadonlySet<number> = new Set([-5, -6, -7]);

/** What the guards note about a call. */
export interface RateLimitState {
  /** The limit that has refused the call. */
  rateLimit?: RateLimitLabel;
}

/** What happens in a host: each event is counted and told here and nowhere else. None throws. */
export interface Events {
  /** A call was answered. Says nothing of what was asked or answered. */
  readonly called: (call: CallLog<{ readonly state: RateLimitState }>) => void;
  /** A request was refused before it was a call. Counted only: whoever floods the host does not fill its log as well. */
  readonly rejected: (reason: RejectionReason) => void;
  readonly started: (urls: { readonly url: string; readonly adminUrl: string }) => void;
  readonly webhooks: WebhookEvents;
  readonly tokens: TokenEvents;
  /** Calls are not recorded any more, or some were not. */
  readonly recordingEnded: (words: string) => void;
  readonly stopping: () => void;
  /** Connections that were owed an answer when the time to stop was over. */
  readonly cutOff: (connections: number) => void;
  /** A contract that swaps were to be made with has not the code that it should have. */
  readonly otherRouter: (router: {
    readonly network: string;
    readonly router: string;
    readonly codeHash: string | undefined;
  }) => void;
  readonly markets: OrderEvents;
  readonly nodes: NodeEvents;
}

interface OrderEvents extends MarketEvents {
  /** Counted only: orders were noted as expired. Readers do not wait for that. */
  readonly ordersExpired: (orders: number) => void;
}

/** What becomes of webhooks. */
export interface WebhookEvents {
  /** Counted only: there are thousands a second. */
  readonly attempted: (result: "accepted" | "failed", seconds: number) => void;
  /** The platform has paused a listener, or goes on with it. */
  readonly paused: (listenerId: number, reason: "failing" | "gone") => void;
  readonly resumed: (listenerId: number) => void;
  /** An event of a listener can never match: the contract indexes other arguments. */
  readonly missed: (miss: {
    readonly listenerId: number;
    readonly event: string;
    readonly matchingEvent: string | undefined;
  }) => void;
  /** What is due could not be read, or what became of it not be written. It is tried again. */
  readonly failed: (err: unknown) => void;
}

/** What becomes of the metadata of tokens. */
export interface TokenEvents {
  /** Counted only. */
  readonly read: (result: "read" | "failed") => void;
  /** What is due could not be read, or what became of it not be written. It is tried again. */
  readonly failed: (err: unknown) => void;
}

export function createEvents(log: Log, metrics: Metrics): Events {
  return {
    called: (call) => {
      const { method, error, durationMs, carrier } = call;
      const { rateLimit } = carrier.state;
      metrics.call(method?.service ?? "", method?.name ?? "", error?.name ?? "", durationMs / 1_000);
      if (rateLimit !== undefined) metrics.rateLimited(rateLimit);
      tellCall(log, call, rateLimit);
    },
    rejected: (reason) => {
      metrics.rejection(reason);
      if (reason === "callerConnections") metrics.rateLimited("address-connections");
    },
    started: (urls) => log.info(urls, "listening"),
    webhooks: {
      attempted: (result, seconds) => metrics.webhookAttempt(result, seconds),
      paused: (listenerId, reason) => log.warn({ listenerId, reason }, "webhook paused"),
      resumed: (listenerId) => log.info({ listenerId }, "webhook resumed"),
      missed: ({ listenerId, event, matchingEvent }) =>
        log.warn({ listenerId, event, matchingEvent }, "webhook can never match"),
      failed: (err) => log.warn({ cause: err }, "webhooks wait"),
    },
    tokens: {
      read: (result) => metrics.tokenReading(result),
      failed: (err) => log.warn({ cause: err }, "metadata of tokens waits"),
    },
    recordingEnded: (words) => log.warn({}, words),
    stopping: () => log.info({}, "stopping"),
    cutOff: (connections) => log.warn({ connections }, "stopped while answers were owed"),
    otherRouter: (router) =>
      log.warn(router, "the router has not the code that is expected, and no swap is made there"),
    markets: {
      currenciesUnread: (chainId, err) => log.warn({ chainId, cause: err }, "currencies of orders wait"),
      ratesUnread: (chainId, err) => log.warn({ chainId, cause: err }, "rates of currencies wait"),
      rateJudged: (rate) =>
        rate.reason === undefined
          ? log.info(rate, "the currency is priced again")
          : log.warn(rate, "the currency has no price: its source is not believed"),
      ordersExpired: (orders) => metrics.ordersExpired(orders),
      ordersUnchecked: (chainId, err) =>
        log.warn({ chainId, cause: err }, "what makers of orders have could not be read"),
    },
    nodes: {
      chainOfNode: (chain, node, reason) => {
        // Several rooms ask the same node: the first that notices is told.
        if (!metrics.chains.nodeOfAnotherChain(chain, node, reason !== undefined)) return;
        if (reason === undefined) log.info({ chain, node }, "the node is of its chain again");
        else log.error({ chain, node, reason }, "a node is of another chain and is not believed");
      },
    },
  };
}

/** The path of an unknown method is left out: it is whatever somebody typed. */
function tellCall(
  log: Log,
  { requestId, method, status, error, cause, durationMs }: CallLog,
  rateLimit: RateLimitLabel | undefined,
): void {
  const call = {
    requestId,
    service: method?.service,
    method: method?.name,
    status,
    error: error?.name,
    rateLimit,
    ms: Math.round(durationMs * 10) / 10,
  };
  if (error !== undefined && ourFaults.has(error.code))
    log.error({ ...call, cause: told(error.code, cause) }, "call");
  else if (cause instanceof Error) log.warn({ ...call, cause }, "call");
  else log.info(call, "call");
}

/** The text of a bad response is ours: the faults of an answer, which hide the values of secret fields. Any other thing that is no error may be a record. */
function told(code: number, cause: unknown): unknown {
  const isOurs = cause instanceof Error || (typeof cause === "string" && code === badResponse);
  return isOurs ? cause : `thrown: ${typeof cause}`;
}

const badResponse = -5;
