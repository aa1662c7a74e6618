import { schemaIn } from "ridlkit-runtime/headers";
import type { CallLog } from "ridlkit-runtime/options";
import type { Caller } from "../../base/credentials/credentials.ts";
import type { RateLimitLabel } from "../../base/rate-limits.ts";
import { sqlStateOf } from "../../base/storage/fault.ts";
import type { DifferingReplica } from "../../base/storage/replicas.ts";
import type { FollowerEvents } from "../../chain/follower/follower-state.ts";
import type { NodeEvents } from "../../chain/rpc/nodes/metered-nodes.ts";
import type { MarketEvents } from "../../market/indexer/open-markets.ts";
import type { WebhookEvents } from "../../webhooks/events.ts";
import type { LoggedRecord } from "./audit-log.ts";
import type { DatabaseOutage } from "./database-outage.ts";
import type { Log } from "./log.ts";
import type { earlyRejectionReasons, Metrics } from "./metrics.ts";

export type EarlyRejectionReason = (typeof earlyRejectionReasons)[number];

/** Codes of server errors: WebrpcBadResponse, WebrpcServerPanic, WebrpcInternalError. */
const serverErrors: ReadonlySet<number> = new Set([-5, -6, -7]);

/** Errors of the contract whose cause is the host, its settings, a database or a chain. The host wrote their texts. */
const hostErrors: ReadonlySet<string> = new Set(["Overloaded", "Unavailable", "QueryFailed", "Aborted"]);

/** What the guards and checks of a call leave for its log line. */
export interface CallState {
  rateLimit?: RateLimitLabel;
  /** Whose keys it has, also if they are rejected. */
  caller?: Caller | undefined;
  /** Name of the network that it reads or changes. */
  calledNetwork?: string;
  address?: string;
}

/** Everything that a host counts or logs: each function updates the metrics or the log, and never throws. */
export interface Events {
  /** A call has ended. Logs neither its request nor its response. */
  readonly called: (call: CallLog<{ readonly state: CallState; readonly path: string }>) => void;
  /** A request was rejected before it was a call. Counted only: a flood of requests must not flood the log too. */
  readonly rejected: (reason: EarlyRejectionReason) => void;
  readonly started: (urls: { readonly url: string; readonly adminUrl: string }) => void;
  /** Another replica signs with a key that this one does not have. */
  readonly replicaDiffers: (other: DifferingReplica) => void;
  /** The clock of this machine is ahead of the database's by these seconds, or behind it if negative. */
  readonly clockChanged: (seconds: number, isWrong: boolean) => void;
  /** An operator has changed or exported something by a command. */
  readonly commanded: (record: LoggedRecord) => void;
  readonly webhooks: WebhookEvents;
  readonly tokens: TokenEvents;
  /** Responses that were kept for idempotency keys could not be deleted. Will be retried. */
  readonly responseDeletionFailed: (err: unknown) => void;
  /** Recording has stopped, or some calls were not recorded. */
  readonly recordingEnded: (message: string) => void;
  readonly stopping: () => void;
  /** The time to stop ran out while these connections had a pending response. */
  readonly cutOff: (connections: number) => void;
  /** The router contract of an exchange does not have the expected code. */
  readonly unexpectedRouter: (router: {
    readonly network: string;
    readonly router: string;
    readonly codeHash: string | undefined;
  }) => void;
  /** Counted only. */
  readonly swapPriced: (network: string, priceImpactPercent: number) => void;
  readonly markets: OrderEvents;
  readonly nodes: NodeEvents;
}

interface OrderEvents extends MarketEvents {
  /** Orders were marked as expired. Counted only: readers do not depend on the mark. */
  readonly ordersExpired: (orders: number) => void;
}

interface TokenEvents {
  /** Counted only. */
  readonly read: (result: "read" | "failed") => void;
  /** Due tokens could not be read, or their results could not be stored. Will be retried. */
  readonly failed: (err: unknown) => void;
}

interface EventsOptions {
  readonly outage: DatabaseOutage;
  /** Whether the log names the address of each caller, which is personal data. */
  readonly logAddresses: boolean;
  /** The trace of the call that ends. */
  readonly traceId: () => string | undefined;
}

export function createEvents(log: Log, metrics: Metrics, options: EventsOptions): Events {
  const versions = new ClientVersions();
  const isLogged = onceAMinute();
  const workFailed = (text: string, cause: unknown, fields: Readonly<Record<string, unknown>> = {}): void =>
    reportUnlessStarting(options.outage, cause, () => {
      const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause;
      if (isLogged(JSON.stringify([text, fields, reason])))
        log.warn({ ...fields, cause }, `${text} failed; retrying`);
    });
  return {
    called: (call) => {
      const { method, error, durationMs, carrier } = call;
      const client = readClient(call.client);
      const { rateLimit, caller, calledNetwork, address } = carrier.state;
      metrics.call(method?.service ?? "", method?.name ?? "", error?.name ?? "", durationMs / 1_000);
      if (method !== undefined) {
        const version = versions.labelOf(client?.version, error === undefined);
        metrics.clientCall(method.service, method.name, version);
      }
      if (rateLimit !== undefined) metrics.rateLimited(rateLimit);
      if (caller !== undefined) metrics.projectCall(caller.projectId, error?.name ?? "");
      logCall(log, call, {
        project: caller?.projectId,
        keyPrefix: caller?.keyPrefix,
        account: caller?.account?.address,
        network: calledNetwork,
        path: method === undefined ? carrier.path.slice(0, pathMax) : undefined,
        address: options.logAddresses ? address : undefined,
        traceId: options.traceId(),
        clientVersion: client?.version,
        clientGenerator: client?.generator,
        rateLimit,
      });
    },
    rejected: (reason) => {
      metrics.rejection(reason);
      if (reason === "callerConnections") metrics.rateLimited("address-connections");
    },
    started: (urls) => log.info(urls, "listening"),
    replicaDiffers: (other) =>
      log.error(
        other,
        "another replica has other settings, or signs with a key that is missing here; set the same on all replicas; see: platform replicas list",
      ),
    clockChanged: (secondsAhead, isWrong) =>
      isWrong
        ? log.error(
            { secondsAhead },
            "the clocks of this machine and of the database differ; set both by NTP",
          )
        : log.info({ secondsAhead }, "the clocks of this machine and of the database agree again"),
    commanded: (record) => log.info(record, "an operator ran a command"),
    webhooks: {
      attempted: (result, seconds) => metrics.webhookAttempt(result, seconds),
      notificationsFailed: (notifications) => metrics.webhookNotificationsFailed(notifications),
      failing: (listener, reason) => log.warn({ ...listener, reason }, "webhook receiver fails"),
      recovered: (listener) => log.info(listener, "webhook receiver has recovered"),
      paused: (listener, reason) => log.warn({ ...listener, reason }, "webhook paused"),
      resumed: (listener) => log.info(listener, "webhook resumed"),
      pastEnded: (chain, listenerId) =>
        log.info({ chain, listenerId }, "the webhook's past blocks were read"),
      pastFailed: (chain, err) => workFailed("reading past blocks for webhooks", err, { chain }),
      failed: (err) => workFailed("webhook delivery", err),
    },
    tokens: {
      read: (result) => metrics.tokenReading(result),
      failed: (err) => workFailed("reading token metadata", err),
    },
    responseDeletionFailed: (err) => workFailed("deleting the responses of idempotency keys", err),
    recordingEnded: (message) => log.warn({}, message),
    stopping: () => log.info({}, "stopping"),
    cutOff: (connections) => log.warn({ connections }, "stopped before all responses were sent"),
    unexpectedRouter: (router) =>
      log.warn(router, "the router has unexpected code and is not used for swaps"),
    swapPriced: (network, impact) => metrics.swapPriced(network, impact),
    markets: {
      currenciesFailed: (chainId, err) => workFailed("reading currencies", err, { chainId }),
      ratesFailed: (chainId, err) => workFailed("reading currency rates", err, { chainId }),
      rateChanged: (rate) =>
        rate.reason === undefined
          ? log.info(rate, "the currency has a price again")
          : log.warn(rate, "the currency has no price: its source is not trusted"),
      ordersExpired: (orders) => metrics.ordersExpired(orders),
      orderChecksFailed: (chainId, err) =>
        workFailed("reading the balances of order makers", err, { chainId }),
    },
    nodes: {
      nodeChainChanged: (chain, node, reason) => {
        // Several parts of the host use the same node: only the first report is logged.
        if (!metrics.nodes.ofAnotherChain(chain, node, reason !== undefined)) return;
        if (reason === undefined) log.info({ chain, node }, "the node is back on its chain");
        else log.error({ chain, node, reason }, "the node reports another chain id and is ignored");
      },
      requested: (chain, node, method, weight) => metrics.nodes.requested(chain, node, method, weight),
      refused: (chain, node) => metrics.nodes.refused(chain, node),
      refusedOften: (chain, node, { refused, sent, reason, maxPerSecond }) =>
        log.warn(
          { chain, node, refused, sent, reason },
          `the node refused many requests within a minute: ${refusalAdvice(maxPerSecond)}`,
        ),
      budgetExhausted: (chain, node, maxPerSecond) =>
        log.warn(
          { chain, node },
          `a call failed because no further request to the node was allowed in time: ${shortageAdvice(maxPerSecond)}`,
        ),
    },
  };
}

function refusalAdvice(maxPerSecond: number | undefined): string {
  return maxPerSecond === undefined
    ? "set maxPerSecond to its limit"
    : `lower maxPerSecond (${maxPerSecond}), or ask the provider for a higher limit`;
}

function shortageAdvice(maxPerSecond: number | undefined): string {
  const limit = maxPerSecond === undefined ? "it refuses more" : `maxPerSecond is ${maxPerSecond}`;
  return `${limit}; ask the provider for a higher limit, or add a node`;
}

/** Longest path of an unknown method in the log, in characters. */
const pathMax = 200;

function logCall(
  log: Log,
  { requestId, method, status, error, cause, durationMs }: CallLog,
  { rateLimit, ...attribution }: Readonly<Record<string, string | number | undefined>>,
): void {
  const call = {
    requestId,
    service: method?.service,
    method: method?.name,
    ...attribution,
    status,
    error: error?.name,
    rateLimit,
    ms: Math.round(durationMs * 10) / 10,
  };
  if (error !== undefined && serverErrors.has(error.code))
    log.error({ ...call, cause: loggableCause(error.code, cause) }, "call");
  else if (cause instanceof Error || (typeof cause === "string" && hostErrors.has(error?.name ?? "")))
    log.warn({ ...call, cause }, "call");
  else log.info(call, "call");
}

/**
 * The text of a bad response is safe: the host wrote it, without the values of secret fields. Other thrown values that are not
 * errors may be records, so only their type is logged.
 */
function loggableCause(code: number, cause: unknown): unknown {
  const isSafe = cause instanceof Error || (typeof cause === "string" && code === badResponse);
  return isSafe ? cause : `thrown: ${typeof cause}`;
}

const badResponse = -5;

/** The name of the platform's schema. */
const schemaName = "platform";

/** A client of the platform, as it names itself. */
interface CallingClient {
  /** The version of its schema: `v0.1.0`. */
  readonly version: string;
  /** `gen-typescript v0.30.0`. A name with "@" would be redacted like an e-mail address. */
  readonly generator: string;
}

/** Reads a header such as `webrpc@v0.44.0;gen-typescript@v0.30.0;platform@v0.1.0`. Undefined if it names another schema. */
export function readClient(header: string | undefined): CallingClient | undefined {
  if (header === undefined) return undefined;
  const { name, version } = schemaIn(header);
  if (name !== schemaName || version === "") return undefined;
  return { version, generator: header.split(";").at(-2)?.trim().replace("@", " ") ?? "" };
}

/** Most versions with a label of their own: each is a time series for every method. */
const maxVersions = 20;

/** `v1.2.3`, `v1` or `1.2.3-rc.1`. */
const pattern = /^v?[0-9]{1,6}([.][0-9]{1,6}){0,2}(-[0-9A-Za-z.-]{1,20})?$/;

/** The versions of callers, as label values. Callers may send any text, so their number is bounded. */
export class ClientVersions {
  readonly #known = new Set<string>();

  /**
   * Returns the version, "none" for callers that send no version, and "other" for further ones. Only a successful call adds a version,
   * so callers without valid credentials cannot use up the labels.
   */
  labelOf(version: string | undefined, succeeded: boolean): string {
    if (version === undefined) return "none";
    if (this.#known.has(version)) return version;
    if (!succeeded || this.#known.size >= maxVersions || !pattern.test(version)) return "other";
    this.#known.add(version);
    return version;
  }
}

export function createFollowerEvents(log: Log, metrics: Metrics, outage: DatabaseOutage): FollowerEvents {
  const { chains } = metrics;
  const isLogged = onceAMinute();
  /** Chains whose last line is about a failure. */
  const failing = new Set<string>();
  return {
    followStarted: (chain, block) => {
      chains.followStarted(chain, block);
      log.info({ chain, block }, "this replica follows the chain");
    },
    followEnded: (chain) => {
      failing.delete(chain);
      chains.followEnded(chain);
      log.warn({ chain }, "another replica may follow the chain now");
    },
    headSeen: (chain, head, timestamp) => {
      chains.headSeen(chain, head);
      chains.headDated(chain, timestamp);
    },
    advanced: (chain, { block, head, blocks, logs }) => {
      chains.advanced(chain, { block, head, blocks, logs });
      if (failing.delete(chain)) log.info({ chain, block }, "following the chain succeeds again");
      log.debug({ chain, block, head, blocks, logs }, "blocks committed");
    },
    reorganized: (chain, depth, window) => {
      chains.reorganized(chain, depth);
      if (depth <= window) log.info({ chain, depth }, "blocks were reorganized");
      else
        log.warn(
          { chain, depth, window },
          "blocks were reorganized deeper than window; set a larger window in follow",
        );
    },
    rewound: (chain, fromBlock) => {
      chains.restarted(chain);
      log.info({ chain, fromBlock }, "an operator has requested these blocks again");
    },
    skipped: (chain, { deriver, block, logIndex, reason }) => {
      chains.skipped(chain, deriver);
      log.error(
        { chain, deriver, block, logIndex, err: reason },
        "a record could not be derived and was skipped; see: platform follow skipped",
      );
    },
    nodeDemoted: (chain, node, reason, isOnly) => {
      metrics.nodes.demoted(chain, node);
      if (isLogged(`${chain} ${node} ${reason}`))
        log.warn(
          { chain, node, reason },
          isOnly
            ? "the node failed, and the chain has no other node"
            : "the node is demoted: the others are asked first for a while",
        );
    },
    failed: (chain, cause) =>
      reportUnlessStarting(outage, cause, () => {
        chains.failed(chain);
        if (!isLogged(chain)) return;
        failing.add(chain);
        log.warn({ chain, err: cause }, "following the chain failed; retrying");
      }),
    stopped: (chain, reason) => {
      chains.stopped(chain);
      log.error({ chain, reason }, "the chain is no longer followed");
    },
  };
}

/**
 * A database that starts or stops rejects connections by this state. Its response can arrive when the outage is over, and is no failure of
 * the worker even then.
 */
const cannotConnectNow = "57P03";

function reportUnlessStarting(outage: DatabaseOutage, cause: unknown, logFailure: () => void): void {
  void outage.report(cause, sqlStateOf(cause) === cannotConnectNow ? () => {} : logFailure);
}

/** Shortest interval between log lines of a worker, chain or node that fails for the same reason, in milliseconds. */
const intervalMs = 60_000;

function onceAMinute(): (line: string) => boolean {
  const quietUntil = new Map<string, number>();
  return (line) => {
    const now = performance.now();
    if (now < (quietUntil.get(line) ?? 0)) return false;
    // Reasons quote nodes, so there may be many.
    for (const [old, until] of quietUntil) if (until <= now) quietUntil.delete(old);
    quietUntil.set(line, now + intervalMs);
    return true;
  };
}
