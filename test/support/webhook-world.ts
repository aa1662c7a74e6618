import { Outbound } from "../../server/base/outbound/outbound.ts";
import type { Database } from "../../server/base/storage/database.ts";
import { openBackgroundDatabase } from "../../server/base/storage/open-storage.ts";
import { Dispatcher } from "../../server/webhooks/delivery/dispatcher.ts";
import { type DeliveryLimits, deliveryLimits } from "../../server/webhooks/delivery/limits.ts";
import type { WebhookEvents } from "../../server/webhooks/events.ts";
import type { Format, Listener } from "../../server/webhooks/listener.ts";
import { addListener } from "../../server/webhooks/listeners.ts";
import { storeNotifications } from "../../server/webhooks/notifications.ts";
import { createSecretBox, generateSecret, type SecretBox } from "../../server/webhooks/secret.ts";
import { migratedDatabase } from "./server.ts";
import { signingKeysOf } from "./signing-keys.ts";

export const chainId = 31_337;
const secrets: SecretBox = createSecretBox(signingKeysOf(1));

/** Ids of the signing keys of these tests. */
export const keyIds: readonly string[] = secrets.keyIds;

/** Encrypts a secret like the host of these tests. */
export function sealSecret(secret: string, listenerId: number): Buffer {
  return secrets.seal(secret, listenerId);
}

/** A database with one project, whose listeners receive what a test stores, without a chain. */
export interface WebhookWorld extends AsyncDisposable {
  readonly database: Database;
  readonly url: string;
  readonly projectId: number;
  add(url: string, format?: Format): Promise<{ readonly listener: Listener; readonly secret: string }>;
  /** Stores this many notifications for each listener, round robin, and returns the last sequence. `body` is a JSON object. */
  tell(listenerIds: readonly number[], count: number, body?: string): Promise<number>;
  /** Number of notifications in each state. */
  states(): Promise<Readonly<Record<string, number>>>;
}

export async function openWebhookWorld(): Promise<WebhookWorld> {
  const server = await migratedDatabase();
  // As in a host, deliveries wait for a connection. On the pool of calls they would be rejected when many are due.
  const database = openBackgroundDatabase(
    { connection: { connectionString: server.url } },
    { databasePooler: false, databaseStatementTimeoutMs: 60_000 },
  );
  const [project] = await database.query<{ id: string }>(
    "insert into project (name) values ('Test') returning id",
  );
  const projectId = Number(project?.id);
  return {
    database,
    url: server.url,
    projectId,
    async add(url, format = "object") {
      const secret = generateSecret();
      const filters = { contractAddresses: [`0x${"1".repeat(40)}`], events: ["Transfer(address)"] };
      const listener = await database.transaction((tx) =>
        addListener(tx, {
          projectId,
          chainId,
          url,
          filters,
          format,
          delivery: "head",
          name: undefined,
          seal: (id) => sealSecret(secret, id),
        }),
      );
      return { listener, secret };
    },
    tell: (listenerIds, count, body = shortBody) => tell(database, { listenerIds, count, body }),
    async states() {
      const rows = await database.query<{ state: string; count: number }>(
        `select n.state, count(*)::int as count from webhook_notification n group by 1`,
      );
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const shortBody = JSON.stringify({ txnLogIndex: "3", event: { names: ["a"] } });

async function tell(
  database: Database,
  {
    listenerIds,
    count,
    body,
  }: { readonly listenerIds: readonly number[]; readonly count: number; readonly body: string },
): Promise<number> {
  return database.transaction(async (tx) => {
    const [network] = await tx.query<{ last_event: string; last_sequence: string }>(
      "select last_event, last_sequence from webhook_network where chain_id = $1 for update",
      [chainId],
    );
    const [lastEvent, lastSequence] = [Number(network?.last_event), Number(network?.last_sequence)];
    const recipients = listenerIds.map((listenerId) => ({ listenerId, hold: undefined }));
    const block = { number: 1, hash: "0x01" as const };
    const events = Array.from({ length: count }, (_, index) => ({
      block,
      logIndex: lastEvent + index,
      occurrence: 1,
      body: () => body,
      recipients,
    }));
    await storeNotifications(
      { ...tx, chainId, isRecent: true },
      { lastEvent, lastSequence },
      { events, lastBlock: 1, head: 1 },
    );
    return lastSequence + count * listenerIds.length;
  });
}

interface Told {
  accepted: number;
  failed: number;
  notificationsFailed: number;
  readonly changes: string[];
  readonly paused: string[];
  readonly faults: unknown[];
}

/** A delivering process that records its events. */
export function startDispatcher(
  database: Database,
  limits: Partial<DeliveryLimits> = {},
  box: SecretBox = secrets,
): Dispatcher & { readonly told: Told } {
  const told: Told = { accepted: 0, failed: 0, notificationsFailed: 0, changes: [], paused: [], faults: [] };
  const events: WebhookEvents = {
    attempted: (result) => {
      told[result]++;
    },
    notificationsFailed: (notifications) => {
      told.notificationsFailed += notifications;
    },
    failing: ({ listenerId, project, host }, reason) =>
      told.changes.push(`${listenerId} of ${project} at ${host}: ${reason}`),
    recovered: ({ listenerId }) => told.changes.push(`${listenerId} recovered`),
    paused: ({ listenerId: id }, reason) => told.paused.push(`${id} ${reason}`),
    resumed: ({ listenerId: id }) => told.paused.push(`${id} resumed`),
    pastEnded: () => {},
    pastFailed: () => {},
    failed: (err) => told.faults.push(err),
  };
  const outbound = new Outbound({ allow: ["127.0.0.0/8"], deny: [], ports: ["1-65535"] });
  const dispatcher = new Dispatcher({
    database,
    outbound,
    secrets: box,
    limits: { ...deliveryLimits, ...limits },
    events,
    canListen: true,
  });
  return Object.assign(dispatcher, { told });
}
