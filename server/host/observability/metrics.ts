import { setTimeout as sleep } from "node:timers/promises";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type RateLimitLabel, rateLimitLabels } from "../../base/rate-limits.ts";
import { ChainMetrics, NodeMetrics } from "./chain-metrics.ts";

/** Bounds of durations, in seconds: from a cached response to a handler's deadline. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Why requests are rejected before they are calls, and responses cut off. */
export const earlyRejectionReasons = [
  "malformed",
  "slow",
  "overloaded",
  "connections",
  "callerConnections",
  "unread",
] as const;

/** Projects with a label of their own, the first to call. Each is a time series for every error that its calls get. */
const maxProjects = 200;

/** Metrics for Prometheus. Labels are few: names of methods and errors, and a bounded number of projects. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls: Counter<"service" | "method" | "error">;
  readonly #clientCalls: Counter<"service" | "method" | "version">;
  readonly #projectCalls: Counter<"project" | "error">;
  readonly #projects = new Set<number>();
  readonly #seconds: Histogram<"service" | "method">;
  readonly #rejections: Counter<"reason">;
  readonly #rateLimited: Counter<"limit">;
  readonly #webhooks: Histogram<"result">;
  readonly #notificationsFailed: Counter;
  readonly #tokens: Counter<"result">;
  readonly #expired: Counter;
  readonly #priceImpact: Histogram<"network">;
  readonly chains: ChainMetrics = new ChainMetrics(this.#registry);
  readonly nodes: NodeMetrics = new NodeMetrics(this.#registry);
  /** Caches the labeled metrics, so that a call looks up its labels once. */
  readonly #secondsByMethod = new Map<string, Histogram.Internal<"service" | "method">>();
  readonly #callsByOutcome = new Map<string, Counter.Internal>();
  readonly #callsByProject = new Map<string, Counter.Internal>();
  readonly #callsByVersion = new Map<string, Counter.Internal>();

  constructor(info: { readonly version: string; readonly schemaVersion: string }) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#calls = new Counter({
      name: "platform_calls_total",
      help: 'Calls, by the name of their error; "" is success',
      labelNames: ["service", "method", "error"],
      registers,
    });
    this.#clientCalls = new Counter({
      name: "platform_client_calls_total",
      help: 'Calls, by the version of the client: at most 20 versions, "none" without one, "other" for the rest',
      labelNames: ["service", "method", "version"],
      registers,
    });
    this.#projectCalls = new Counter({
      name: "platform_project_calls_total",
      help: 'Calls with accepted credentials, by project and error: the first 200 projects, "other" for the rest',
      labelNames: ["project", "error"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "platform_call_seconds",
      help: "Time from the headers of a call to its response",
      labelNames: ["service", "method"],
      buckets: durationBuckets,
      registers,
    });
    this.#rejections = new Counter({
      name: "platform_refusals_total",
      help: "Requests rejected before they were calls: malformed, slow, overloaded, connections, callerConnections; and responses cut off because they were not read: unread",
      labelNames: ["reason"],
      registers,
    });
    this.#rateLimited = new Counter({
      name: "platform_rate_limited_total",
      help: "Calls and connections rejected with RateLimited, by the limit: address, address-and-key, project, address-connections",
      labelNames: ["limit"],
      registers,
    });
    this.#webhooks = new Histogram({
      name: "platform_webhook_attempt_seconds",
      help: "Time from the start of a webhook's call to its response, by result",
      labelNames: ["result"],
      buckets: durationBuckets,
      registers,
    });
    this.#notificationsFailed = new Counter({
      name: "platform_webhook_notifications_failed_total",
      help: "Notifications that are not sent again: their attempts are used up, or they waited too long",
      registers,
    });
    this.#tokens = new Counter({
      name: "platform_token_readings_total",
      help: "Reads of token metadata, by result",
      labelNames: ["result"],
      registers,
    });
    this.#expired = new Counter({
      name: "platform_orders_expired_total",
      help: "Orders marked as expired at the end of their validity",
      registers,
    });
    this.#priceImpact = new Histogram({
      name: "platform_swap_price_impact_percent",
      help: "Price impact of swaps through pools, priced or quoted, in percent",
      labelNames: ["network"],
      buckets: [0.1, 0.3, 1, 3, 10, 30, 90],
      registers,
    });
    // Alerts see an increase only if the counter was scraped before.
    for (const result of ["accepted", "failed"]) this.#webhooks.zero({ result });
    for (const reason of earlyRejectionReasons) this.#rejections.inc({ reason }, 0);
    for (const limit of rateLimitLabels) this.#rateLimited.inc({ limit }, 0);
    for (const result of ["read", "failed"]) this.#tokens.inc({ result }, 0);
    const version = new Gauge({
      name: "platform_info",
      help: "Always 1; the running versions",
      labelNames: ["version", "schema_version"],
      registers,
    });
    version.set({ version: info.version, schema_version: info.schemaVersion }, 1);
  }

  /** Adds a gauge whose value is read at each scrape: `platform_database_waiting`. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const readCached = lastKnown(read, Number.NaN);
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      async collect() {
        this.set(await readCached());
      },
    });
  }

  /** Adds a gauge whose values, by label, are read at each scrape. */
  gaugeOf(name: string, help: string, label: string, read: () => Promise<ReadonlyMap<string, number>>): void {
    const readCached = lastKnown<ReadonlyMap<string, number>>(read, new Map());
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.#registry],
      async collect() {
        const values = await readCached();
        this.reset();
        for (const [key, value] of values) this.set({ [label]: key }, value);
      },
    });
  }

  call(service: string, method: string, error: string, seconds: number): void {
    const name = `${service}/${method}`;
    getOrCreate(this.#callsByOutcome, `${name}/${error}`, () =>
      this.#calls.labels(service, method, error),
    ).inc();
    getOrCreate(this.#secondsByMethod, name, () => this.#seconds.labels(service, method)).observe(seconds);
  }

  projectCall(projectId: number, error: string): void {
    if (this.#projects.size < maxProjects) this.#projects.add(projectId);
    const project = this.#projects.has(projectId) ? String(projectId) : "other";
    getOrCreate(this.#callsByProject, `${project}/${error}`, () =>
      this.#projectCalls.labels(project, error),
    ).inc();
  }

  clientCall(service: string, method: string, version: string): void {
    getOrCreate(this.#callsByVersion, `${service}/${method}/${version}`, () =>
      this.#clientCalls.labels(service, method, version),
    ).inc();
  }

  rejection(reason: string): void {
    this.#rejections.inc({ reason });
  }

  rateLimited(limit: RateLimitLabel): void {
    this.#rateLimited.inc({ limit });
  }

  webhookAttempt(result: "accepted" | "failed", seconds: number): void {
    this.#webhooks.observe({ result }, seconds);
  }

  webhookNotificationsFailed(notifications: number): void {
    this.#notificationsFailed.inc(notifications);
  }

  swapPriced(network: string, priceImpactPercent: number): void {
    this.#priceImpact.observe({ network }, priceImpactPercent);
  }

  ordersExpired(orders: number): void {
    this.#expired.inc(orders);
  }

  tokenReading(result: "read" | "failed"): void {
    this.#tokens.inc({ result });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

function getOrCreate<Value>(values: Map<string, Value>, key: string, create: () => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = create();
    values.set(key, value);
  }
  return value;
}

/** Longest wait for one value, in milliseconds. A scrape waits for every value. */
const readMaxMs = 500;

/**
 * Wraps a function that may be slow to read a value. If reading takes too long, the result is the last known value, or `initial` before
 * the first one. A value is read again after `maxAgeMs`.
 */
export function lastKnown<Value>(
  read: () => Value | Promise<Value>,
  initial: Value,
  maxAgeMs = 0,
): () => Promise<Value> {
  let known = initial;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  async function readOnce(): Promise<void> {
    try {
      known = await read();
      readAt = performance.now();
    } catch {
      // The source reports its own errors.
    }
    reading = undefined;
  }
  return async () => {
    if (performance.now() - readAt < maxAgeMs) return known;
    // Calls share a read that is in flight.
    reading ??= readOnce();
    await Promise.race([reading, sleep(readMaxMs, undefined, { ref: false })]);
    return known;
  };
}
