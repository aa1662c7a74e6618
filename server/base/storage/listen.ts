import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { repeatUntil } from "../repeat.ts";

export interface ChannelListener extends AsyncDisposable {
  /** False while messages may be missed: before the first connection, and while it is broken. */
  readonly isLive: boolean;
}

export interface ListenOptions {
  readonly connection: pg.ClientConfig;
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  /** Messages may have been missed since the last one. */
  readonly onGap: () => void;
  /** Default: `select 1` every two seconds. */
  readonly heartbeat?: Heartbeat;
}

/** Work that proves that the connection responds. The connection is replaced if it fails or takes more than two seconds. */
export interface Heartbeat {
  readonly intervalMs: number;
  readonly beat: (client: pg.Client) => Promise<unknown>;
}

/** Shown in the database's list of connections. */
const listenerName = "platform: listener";

/** A broken connection is reported immediately; a silent one is detected after the interval and the timeout together. */
const plainHeartbeat: Heartbeat = { intervalMs: 2_000, beat: (client) => client.query("select 1") };

/** Timeout of a heartbeat, in milliseconds. */
const heartbeatMaxMs = 2_000;

/** Wait before reconnecting, in milliseconds. */
const reconnectMs = 500;

/** Listens to NOTIFY on a separate connection, and reconnects when it breaks. */
export function listen({
  connection,
  channel,
  onMessage,
  onGap,
  heartbeat = plainHeartbeat,
}: ListenOptions): ChannelListener {
  const closing = new AbortController();
  let isLive = false;
  const running = repeatUntil(closing.signal, reconnectMs, async () => {
    await runConnection().catch(() => {});
    onGap();
  });

  async function runConnection(): Promise<void> {
    const client = new pg.Client({
      ...connection,
      connectionTimeoutMillis: heartbeatMaxMs,
      query_timeout: heartbeatMaxMs,
      application_name: listenerName,
    });
    const broken = new Promise<void>((done) => {
      client.on("error", () => done());
      client.once("end", () => done());
    });
    client.on("notification", ({ payload }) => onMessage(payload ?? ""));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      // Messages before this moment were missed.
      onGap();
      isLive = true;
      do await heartbeat.beat(client);
      while (await Promise.race([broken.then(() => false), pause()]));
    } finally {
      isLive = false;
      void client.end().catch(() => {});
    }
  }

  async function pause(): Promise<boolean> {
    await sleep(heartbeat.intervalMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    return !closing.signal.aborted;
  }

  return {
    get isLive() {
      return isLive;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await running;
    },
  };
}
