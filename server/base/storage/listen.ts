import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

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
}

/** Of the connection, for whoever looks at the list of them. */
const listenerName = "platform: listener";

/**
 * How often the connection is asked for a sign of life, and how long that may take, in milliseconds. A connection that breaks
 * tells so at once; one that goes silent is noticed after both together.
 */
const heartbeatMs = 2_000;
const heartbeatMaxMs = 2_000;

/** Between two tries to connect, in milliseconds. */
const reconnectMs = 500;

/** Listens to NOTIFY on a connection of its own, and connects again whenever that breaks. */
export function listen({ connection, channel, onMessage, onGap }: ListenOptions): ChannelListener {
  const closing = new AbortController();
  let isLive = false;
  const running = run();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await attend().catch(() => {});
      isLive = false;
      onGap();
      await sleep(reconnectMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  /** One connection, from its start to its end. */
  async function attend(): Promise<void> {
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
      // What was learnt before is older than what we now hear of.
      onGap();
      isLive = true;
      while (await Promise.race([broken.then(() => false), pause()])) await client.query("select 1");
    } finally {
      isLive = false;
      void client.end().catch(() => {});
    }
  }

  async function pause(): Promise<boolean> {
    await sleep(heartbeatMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
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
