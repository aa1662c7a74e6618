import { markedFields } from "../../../generated/server.ts";
import { WebrpcSchemaVersion } from "../../../generated/types.ts";
import { adminPortOf, type Config, isSandbox } from "../../base/config/config.ts";
import type { Database } from "../../base/storage/database.ts";
import type { Replica } from "../../base/storage/replicas.ts";
import type { FollowerEvents } from "../../chain/follower/follower-state.ts";
import { openAdminServer, Readiness } from "./admin-server.ts";
import type { NodeMetrics } from "./chain-metrics.ts";
import { DatabaseOutage } from "./database-outage.ts";
import { DatabaseProblems } from "./database-problems.ts";
import { createEvents, createFollowerEvents, type Events } from "./events.ts";
import { type Log, openLog } from "./log.ts";
import { lastKnown, Metrics } from "./metrics.ts";
import { openTracing, type Tracing } from "./tracing.ts";

interface ApiLoad {
  readonly load: () => { readonly calls: number; readonly connections: number };
}

/**
 * What operators see of a host: log, metrics, readiness and traces. The other parts of the host log, count and register checks
 * here.
 */
export interface Operations extends AsyncDisposable {
  readonly adminUrl: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly events: Events;
  readonly followerEvents: FollowerEvents;
  readonly readiness: Readiness;
  readonly tracing: Tracing | undefined;
  readonly watchApiServer: (apiServer: ApiLoad) => void;
  readonly watchWebhooks: (webhooks: WatchedWebhooks) => void;
  readonly watchReplicas: (replica: Pick<Replica, "differing" | "clockAhead">) => void;
  readonly watchTokens: (tokens: WatchedTokens) => void;
  readonly watchDatabase: (database: WatchedDatabase) => void;
  /** Called with each error of the database. */
  readonly databaseFailed: (err: unknown) => void;
  readonly watchNodes: NodeMetrics["watch"];
  /** Logs that the stop took too long, as the last line. */
  readonly logCutShort: () => Promise<void>;
}

interface WatchedDatabase extends Pick<Database, "load"> {
  /** Rejects while the database is away. */
  readonly ping: () => Promise<unknown>;
}

export interface WatchedWebhooks {
  readonly load: () => { readonly destinations: number; readonly calls: number };
  /** Wait of the oldest due notification, in seconds. */
  readonly queueAge: () => Promise<number>;
  /** Wait of the oldest held notification, in seconds. */
  readonly heldAge: () => Promise<number>;
  /** Listeners whose notifications wait because their receiver fails. */
  readonly failing: () => Promise<number>;
  /** Listeners that the platform has paused. */
  readonly paused: () => Promise<number>;
  /** Listeners whose secret is encrypted with a signing key that the host does not have. */
  readonly unreadable: () => Promise<number>;
  /** Open streams of events. */
  readonly streams: () => number;
  /** By chain name: past blocks that are to be read for listeners. */
  readonly pastBlocks: () => Promise<ReadonlyMap<string, number>>;
}

export interface WatchedTokens {
  readonly load: () => { readonly tokens: number; readonly documents: number };
  readonly queue: () => Promise<{ readonly due: number; readonly ageSeconds: number }>;
}

export async function openOperations(config: Config, appVersion: string): Promise<Operations> {
  const log = openLog({ level: config.logLevel, fields: markedFields, errorMessages: isSandbox(config) });
  // Node prints warnings as text, which would stand between the lines of JSON.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => log.warn({ warning: name }, message));
  const metrics = new Metrics({ version: appVersion, schemaVersion: WebrpcSchemaVersion });
  metrics.gauge("platform_log_lines_lost", "Log lines that could not be written", () => log.lost());
  const readiness = new Readiness();
  const problems = new DatabaseProblems(log);
  const outage = new DatabaseOutage(log, problems);
  readiness.warn(() => problems.current);
  const tracing = await openTracingIfConfigured(config, appVersion);
  const admin = await openAdminServer({
    host: config.adminHost,
    names: config.adminNames,
    port: adminPortOf(config),
    metrics,
    readiness,
  });
  return {
    adminUrl: admin.url,
    log,
    metrics,
    events: createEvents(log, metrics, {
      outage,
      logAddresses: config.logAddresses,
      traceId: () => tracing?.traceId(),
    }),
    followerEvents: createFollowerEvents(log, metrics, outage),
    readiness,
    tracing,
    watchApiServer: ({ load }) => {
      metrics.gauge("platform_calls_in_progress", "Calls whose handlers are running", () => load().calls);
      metrics.gauge("platform_connections", "Open connections of callers", () => load().connections);
    },
    watchDatabase: ({ load, ping }) => {
      outage.watch(ping);
      metrics.gauge("platform_database_up", "1 while the database responds, else 0", () =>
        ping().then(
          () => 1,
          () => 0,
        ),
      );
      metrics.gaugeOf(
        "platform_database_problem",
        "1 while the database responds but fails statements",
        "problem",
        async () => new Map(problems.current.map((problem) => [problem, 1])),
      );
      metrics.gauge("platform_database_connections", "Connections to the database", () => load().open);
      metrics.gauge(
        "platform_database_waiting",
        "Calls that wait for a database connection",
        () => load().waiting,
      );
    },
    watchWebhooks: ({ load, queueAge, heldAge, failing, paused, unreadable, pastBlocks, streams }) => {
      metrics.gauge("platform_webhook_calls", "Webhook calls in flight", () => load().calls);
      metrics.gauge(
        "platform_webhook_hosts",
        "Hosts whose webhooks this process calls",
        () => load().destinations,
      );
      metrics.gauge(
        "platform_webhook_queue_seconds",
        "Wait of the oldest due notification, in seconds",
        queueAge,
      );
      metrics.gauge(
        "platform_webhook_held_seconds",
        "Wait of the oldest notification whose block is not yet safe or final, in seconds",
        heldAge,
      );
      metrics.gauge(
        "platform_webhook_listeners_failing",
        "Listeners whose notifications wait because their receiver has failed for a minute or longer; paused ones do not count",
        failing,
      );
      metrics.gauge(
        "platform_webhook_listeners_paused",
        "Listeners that the platform has paused, because their receiver fails or is gone",
        paused,
      );
      metrics.gauge(
        "platform_webhook_secrets_unreadable",
        "Listeners whose webhooks cannot be signed: their secrets need a signing key that this host does not have",
        lastKnown(unreadable, Number.NaN, slowMaxAgeMs),
      );
      metrics.gauge("platform_event_streams", "Open streams of events on this host", streams);
      metrics.gaugeOf(
        "platform_webhook_past_blocks",
        "Past blocks left to read for webhooks, for all listeners together that are not paused",
        "chain",
        pastBlocks,
      );
    },
    watchReplicas: ({ differing, clockAhead }) => {
      metrics.gauge(
        "platform_replicas_differing",
        "Other replicas that sign with a key which this host does not have, or have other settings",
        differing,
      );
      metrics.gauge(
        "platform_clock_ahead_seconds",
        "How far the clock of this host is at least ahead of the database's; negative if it is behind",
        clockAhead,
      );
    },
    watchTokens: ({ load, queue }) => {
      metrics.gauge(
        "platform_token_documents",
        "Token documents that are being read",
        () => load().documents,
      );
      metrics.gauge("platform_token_queue", "Tokens whose metadata is due", async () => (await queue()).due);
      metrics.gauge(
        "platform_token_queue_seconds",
        "Wait of the oldest due token, in seconds",
        async () => (await queue()).ageSeconds,
      );
    },
    // An error that ends the start has a line of its own.
    databaseFailed: (err) => {
      if (readiness.hasStarted) problems.note(err);
    },
    watchNodes: (healthy) => metrics.nodes.watch(healthy),
    async logCutShort() {
      log.error({}, "stopped before everything was closed: closing took too long");
      await log[Symbol.asyncDispose]();
    },
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await tracing?.[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
    },
  };
}

/** Interval between two reads that visit each row of a table, in milliseconds. */
const slowMaxAgeMs = 60_000;

async function openTracingIfConfigured(
  { tracingUrl: url, tracingSamplePercent: samplePercent }: Config,
  version: string,
): Promise<Tracing | undefined> {
  return url === undefined ? undefined : openTracing({ url, samplePercent, version });
}
