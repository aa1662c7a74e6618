import { markedFields } from "../../../generated/server/index.ts";
import { WebrpcSchemaVersion } from "../../../generated/version.ts";
import { type Config, isSandbox } from "../../base/config/config.ts";
import type { Database } from "../../base/storage/database.ts";
import type { FollowerEvents } from "../../chain/follower/follower-events.ts";
import type { ApiServer } from "../http/api-server.ts";
import { openAdminServer } from "./admin-server.ts";
import { createEvents, type Events } from "./events.ts";
import { createFollowerEvents } from "./follower-events.ts";
import { type Log, openLog } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { Readiness } from "./readiness.ts";
import { openTracing, type Tracing } from "./tracing.ts";

/** What tells an operator how the host is. The rooms write to the log, count, and say whether they are ready. */
export interface Operations extends AsyncDisposable {
  readonly adminUrl: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly events: Events;
  readonly followerEvents: FollowerEvents;
  readonly readiness: Readiness;
  /** Undefined: nobody asked for it. */
  readonly tracing: Tracing | undefined;
  /** Counts what is going on at the door. */
  readonly watchApiServer: (door: Pick<ApiServer, "load">) => void;
  readonly watchWebhooks: (webhooks: WatchedWebhooks) => void;
  readonly watchTokens: (tokens: WatchedTokens) => void;
  /** Counts its connections. */
  readonly watchDatabase: (database: Pick<Database, "load">) => void;
  /** By the name of a followed chain: whether each of its nodes is asked in its turn. */
  readonly watchNodes: Metrics["watchNodes"];
  /** Tells that the stop took too long, as the last thing that is told. */
  readonly logCutShort: () => Promise<void>;
}

export interface WatchedWebhooks {
  readonly load: () => { readonly hosts: number; readonly calls: number };
  /** How long the oldest of what is due waits, in seconds. */
  readonly queueAge: () => Promise<number>;
}

export interface WatchedTokens {
  readonly load: () => { readonly tokens: number; readonly documents: number };
  readonly queue: () => Promise<{ readonly due: number; readonly ageSeconds: number }>;
}

export async function openOperations(config: Config, appVersion: string): Promise<Operations> {
  const log = openLog({ level: config.logLevel, fields: markedFields, errorMessages: isSandbox(config) });
  const metrics = new Metrics({ version: appVersion, schemaVersion: WebrpcSchemaVersion });
  metrics.gauge("platform_log_lines_lost", "Lines of the log that could not be written", () => log.lost());
  const readiness = new Readiness();
  const tracing = await openTracingIfAsked(config, appVersion);
  const admin = await openAdminServer({
    host: config.adminHost,
    names: config.adminNames,
    port: config.adminPort ?? (config.port === 0 ? 0 : defaultAdminPort),
    metrics,
    readiness,
  });
  return {
    adminUrl: admin.url,
    log,
    metrics,
    events: createEvents(log, metrics),
    followerEvents: createFollowerEvents(log, metrics),
    readiness,
    tracing,
    watchApiServer: ({ load }) => {
      metrics.gauge("platform_calls_in_progress", "Calls whose handlers are at work", () => load().calls);
      metrics.gauge("platform_connections", "Open connections of callers", () => load().connections);
    },
    watchDatabase: ({ load }) => {
      metrics.gauge("platform_database_connections", "Connections to the database", () => load().open);
      metrics.gauge("platform_database_waiting", "Calls that wait for a connection", () => load().waiting);
    },
    watchWebhooks: ({ load, queueAge }) => {
      metrics.gauge("platform_webhook_calls", "Webhook calls under way", () => load().calls);
      metrics.gauge("platform_webhook_hosts", "Hosts whose webhooks this process calls", () => load().hosts);
      metrics.gauge("platform_webhook_queue_seconds", "How long the oldest due notification waits", queueAge);
    },
    watchTokens: ({ load, queue }) => {
      metrics.gauge(
        "platform_token_documents",
        "Documents of tokens that are read now",
        () => load().documents,
      );
      metrics.gauge("platform_token_queue", "Tokens whose metadata is due", async () => (await queue()).due);
      metrics.gauge(
        "platform_token_queue_seconds",
        "How long the oldest of them waits",
        async () => (await queue()).ageSeconds,
      );
    },
    watchNodes: (nodes) => metrics.watchNodes(nodes),
    async logCutShort() {
      log.error({}, "stopped before all was closed: it took too long");
      await log[Symbol.asyncDispose]();
    },
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await tracing?.[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
    },
  };
}

async function openTracingIfAsked(
  { tracingUrl: url, tracingSamplePercent: samplePercent }: Config,
  version: string,
): Promise<Tracing | undefined> {
  return url === undefined ? undefined : openTracing({ url, samplePercent, version });
}

const defaultAdminPort = 4001;
