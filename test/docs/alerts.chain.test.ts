/** Each fault raises the alert that names its cause, with the metrics of a host to which the fault happens. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { withGenerated } from "../support/docs.ts";
import { type EventChain, startEventChain, transferEmitter } from "../support/event-chain.ts";
import {
  type FaultyNode,
  honest,
  type Fault as NodeFault,
  ofChain,
  startFaultyNode,
} from "../support/faulty-node.ts";
import { findProgram, freePort, type RunningProgram, startProgram } from "../support/helper-program.ts";
import { type Data, makeDataFolder, type RunningHost, startHost } from "../support/host.ts";
import { ask } from "../support/operator.ts";
import { type Alert, checkAlerts, checkNames, promtool } from "../support/promtool.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { noSandbox } from "../support/sandbox.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { signingKeyText } from "../support/signing-keys.ts";
import { addTransferListener } from "../support/transfer-listener.ts";

const file = fileURLToPath(new URL("../../docs/platform/monitoring/alerts.yml", import.meta.url));
const text = readFileSync(file, "utf8");
const { groups } = parse(text) as { groups: { rules: { alert: string; labels: { severity: string } }[] }[] };
const rules = { file, metrics: new Set(text.match(/\bplatform_[a-z_]+/g)) };

/** Of the host, so that the tests still work while the host cannot. */
const role = "app";

const instance = "platform-1:4001";
const redis = findProgram("redis-server");

/** Status of the responses of both receivers. Undefined: they do not respond. */
let status: number | undefined = 204;
/** Status of the second receiver, if it differs. */
let secondStatus: number | undefined;
const unanswered: ServerResponse[] = [];
let server: TestServer;
let redisPort: number;
let runningRedis: RunningProgram;
let chain: EventChain;
let node: FaultyNode;
let first: Receiver;
let second: Receiver;
let data: Data;
let host: RunningHost;
let lock: pg.Client | undefined;
let waiting: Promise<unknown> | undefined;

const startRedis = () =>
  startProgram(redis ?? "", ["--bind", "127.0.0.1", "--port", String(redisPort), "--save", ""], redisPort);

async function setRedisMemory(maxMemory: string): Promise<void> {
  const socket = connect(redisPort, "127.0.0.1");
  socket.write(`CONFIG SET maxmemory ${maxMemory}\r\n`);
  await once(socket, "data");
  socket.destroy();
}

async function start(signingKey: number, more: Readonly<Record<string, string>> = {}): Promise<void> {
  await host?.[Symbol.asyncDispose]();
  const details = { rpcUrls: [node.rpcUrl], follow: { start: 0, window: 2 } };
  const env = {
    SANDBOX: "true",
    DATABASE_URL: server.url.replace(/(?<=:\/\/)[^@]*/, role),
    SIGNING_KEY: signingKeyText(signingKey),
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    NETWORK_DETAILS: JSON.stringify({ 31337: details }),
    RATE_LIMIT_PROJECT: "1000000",
    RATE_LIMIT_ADDRESS: "1000000",
    MAX_CONCURRENT_CALLS: "5",
    READ_MAX_MS: "8000",
    ...more,
  };
  data = { ...data, env };
  host = await startHost({ data, args: ["--networks", "31337,polygon", "--no-sandbox-chain"] });
}

/** A module that sets the clock of its process ten minutes ahead. The host measures less by the time of its query, so add 0.4 s. */
const fastClock = `data:text/javascript,${encodeURIComponent(`
  const Real = Date;
  const now = () => Real.now() + 600_400;
  globalThis.Date = class extends Real {
    constructor(...given) { given.length === 0 ? super(now()) : super(...given); }
    static now = now;
  };
`)}`;

const scrape = (): Promise<string> =>
  fetch(`${host.adminUrl}/metrics`).then(
    (response) => response.text(),
    () => "",
  );

/** The sum of all series of a metric. */
async function metric(series: string): Promise<number> {
  // A label may contain spaces.
  const pattern = new RegExp(`^${series}(?:"[^"]*"|[^ "])* (\\S+)$`, "gm");
  const values = [...(await scrape()).matchAll(pattern)].map(([, value]) => Number(value));
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0);
}

/** Makes calls with this status, one after the other. */
async function call(status: number, path: string, body: object, count = 10): Promise<void> {
  const headers = { "content-type": "application/json", "x-access-key": host.accessKey };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  for (let calls = 0; calls < count; calls++) {
    const response = await fetch(`${host.url}${path}`, request);
    expect([response.status, await response.text()]).toEqual([status, expect.any(String)]);
  }
}

const contractAddress = `0x${"1".repeat(40)}`;
const read = (status = 200, count = 10) =>
  call(status, "/rpc/Metadata/TokenCollectionFilters", { chainId: "31337", contractAddress }, count);

/** Of a contract, for which a node is asked. */
const checkSignature = (status: number) =>
  call(status, "/rpc/API/IsValidMessageSignature", {
    chainId: "31337",
    walletAddress: contractAddress,
    message: "a",
    signature: `0x${"1".repeat(130)}`,
  });

/** On a network without a node. */
const readPrice = () =>
  call(400, "/rpc/API/GetSwapPrice", {
    chainId: "polygon",
    sellCurrencyAddress: contractAddress,
    buyCurrencyAddress: `0x${"2".repeat(40)}`,
    buyAmount: "1",
  });

async function sql(statement: string): Promise<number | null> {
  const client = new pg.Client(server.url);
  await client.connect();
  const { rowCount } = await client.query(statement);
  await client.end();
  return rowCount;
}

const retryNow = () => sql("update webhook_notification set due_at = now() where state = 'waiting'");

async function locked(statement: string): Promise<void> {
  lock = new pg.Client(server.url);
  await lock.connect();
  await lock.query(`begin; ${statement}`);
}

/** Changes the role of the host, and ends its connections. */
async function alterRole(change: string): Promise<void> {
  await sql(`alter role ${role} ${change}`);
  await sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
}

/** Of all sessions, also those that are open. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  await sql(`alter system set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`);
  await sql("select pg_reload_conf()");
}

async function problemEnds(): Promise<void> {
  await expect.poll(() => metric("platform_database_problem")).toBeNaN();
  await expect.poll(() => metric("platform_chain_followed")).toBe(1);
}

/** As many reads as may run at a time wait for a table. Two of them have no connection, because an address gets three. */
async function holdReads(): Promise<void> {
  await locked("lock table collection");
  waiting = Promise.all(Array.from({ length: 5 }, () => read(200, 1)));
  await expect.poll(() => metric("platform_database_waiting")).toBe(2);
}

async function releaseReads(): Promise<void> {
  await lock?.end();
  await waiting;
}

/** Ends the connection that holds the lock of the chain. The host takes the lock again, and compares the newest blocks at once instead of within ten seconds. */
const followAnew = () =>
  sql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'platform: follower'");

/** A node whose blocks were mined an hour ago. */
const halted: NodeFault = async ({ forward, send }) => {
  const timestamp = `0x${Math.floor(Date.now() / 1_000 - 3_600).toString(16)}`;
  const isBlock = (result: unknown) => typeof result === "object" && result !== null && "timestamp" in result;
  const answers = await forward();
  send(answers.map((one) => (isBlock(one.result) ? { ...one, result: { ...one.result, timestamp } } : one)));
};

/** A node for which the newest block is final. */
const final: NodeFault = async ({ calls, forward, send }) =>
  send(
    await forward(JSON.parse(JSON.stringify(calls).replaceAll('"finalized"', '"latest"')) as typeof calls),
  );

function respond(res: ServerResponse, status: number | undefined): void {
  if (status === undefined) unanswered.push(res);
  else res.writeHead(status).end();
}

async function transfer(): Promise<void> {
  await chain.emit(1);
  await chain.mine();
}

/** Makes ten calls that the receivers accept. The few calls that then fail during a fault are less than half of all calls. */
async function acceptMost(): Promise<void> {
  // What an earlier fault has left would be counted too.
  await retryNow();
  await expect.poll(() => sql("select from webhook_notification where state = 'waiting'")).toBe(0);
  const before = await metric(escaped(accepted));
  for (let transfers = 0; transfers < 5; transfers++) await transfer();
  await expect.poll(() => metric(escaped(accepted))).toBe(before + 10);
}

const accepted = 'platform_webhook_attempt_seconds_count{result="accepted"}';
const failed = 'platform_webhook_attempt_seconds_count{result="failed"}';
const failedTotal = "platform_webhook_notifications_failed_total";
const escaped = (series: string) => series.replace(/[{}]/g, "\\$&");

interface Fault {
  readonly name: string;
  /** Both wait until the host shows it. */
  readonly begin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
  /** What happens again while the fault lasts. */
  readonly again?: () => Promise<void>;
  readonly alerts: readonly Alert[];
  /** The lines of the log about background work. */
  readonly log?: readonly string[];
}

const page = (alert: string, summary: string, labels: object = {}): Alert => ({
  alert,
  summary,
  labels: { severity: "page", ...labels },
});
const ticket = (alert: string, summary: string, labels: object = {}): Alert => ({
  alert,
  summary,
  labels: { severity: "ticket", ...labels },
});

const databaseProblem = (problem: string): Alert =>
  page("PlatformDatabaseProblem", `${instance} reports: ${problem}. Its log has the advice.`, {
    instance,
    problem,
  });
const databaseBusy = ticket(
  "PlatformDatabaseBusy",
  `Calls of ${instance} wait for database connections. Callers with too many calls at a time get Overloaded.`,
  { instance },
);
const redisDown = ticket(
  "PlatformRedisDown",
  `${instance} counts calls for rate limits by itself, because Redis cannot. Its log has the reason.`,
  { instance },
);
const noNode = page(
  "PlatformNoNode",
  "All nodes of local-chain are demoted or of another chain. The log has the reasons.",
  { chain: "local-chain" },
);

const notificationsFailed = ticket(
  "PlatformNotificationsFailed",
  "Notifications failed: their attempts are used up, or they waited too long. Send them again with: platform webhooks replay",
);
const mostCallsFail = ticket(
  "PlatformMostWebhookCallsFail",
  "More than half of the webhook calls fail. See platform webhooks list, and platform webhooks show LISTENER for the reason.",
);

/** The follower has a block to store, and does not succeed. */
async function followFails(): Promise<void> {
  const before = await metric("platform_chain_failures_total");
  await chain.mine();
  await expect.poll(() => metric("platform_chain_failures_total")).toBeGreaterThan(before);
}

const faults: readonly Fault[] = [
  {
    name: "the database is away",
    async begin() {
      await server.stop();
      await read(503);
      await expect.poll(() => metric("platform_database_up")).toBe(0);
      await expect.poll(() => metric("platform_chain_followed")).toBe(0);
    },
    again: () => read(503),
    async end() {
      await server.start();
      await expect.poll(() => metric("platform_database_up")).toBe(1);
      await expect.poll(() => metric("platform_chain_followed")).toBe(1);
      await expect.poll(host.err).toContain("the database responds again");
    },
    alerts: [
      page(
        "PlatformDatabaseDown",
        `${instance} does not reach the database. Its calls get Overloaded, and its chains and webhooks wait.`,
        { instance },
      ),
    ],
    log: [
      "another replica may follow the chain now",
      "the database does not respond; background work waits for it",
      "the database responds again",
      "this replica follows the chain",
    ],
  },
  {
    name: "the database is read-only",
    async begin() {
      await setReadOnly(true);
      await expect.poll(() => metric("platform_database_problem")).toBe(1);
      await read();
    },
    again: () => read(),
    async end() {
      await setReadOnly(false);
      await problemEnds();
    },
    alerts: [databaseProblem("the database is read-only")],
  },
  {
    name: "the database rejects the login",
    async begin() {
      await alterRole("nologin");
      await expect.poll(() => metric("platform_database_up")).toBe(0);
      await expect.poll(() => metric("platform_database_problem")).toBe(1);
      await read(503);
    },
    again: () => read(503),
    async end() {
      await alterRole("login");
      await problemEnds();
    },
    // The log depends on what the follower did when its session was ended.
    alerts: [databaseProblem("the database rejects the login")],
  },
  {
    name: "Redis is away",
    async begin() {
      await runningRedis[Symbol.asyncDispose]();
      await expect.poll(() => metric("platform_redis_up")).toBe(0);
    },
    again: () => read(),
    async end() {
      runningRedis = await startRedis();
      await expect.poll(() => metric("platform_redis_up")).toBe(1);
    },
    alerts: [redisDown],
  },
  {
    name: "Redis has no memory left",
    async begin() {
      await setRedisMemory("1");
      await expect.poll(() => metric("platform_redis_up")).toBe(0);
      expect(host.err()).toContain(
        "Redis cannot count calls, so each replica counts its own calls for rate limits: OOM",
      );
    },
    again: () => read(),
    async end() {
      await setRedisMemory("0");
      await expect.poll(() => metric("platform_redis_up")).toBe(1);
    },
    alerts: [redisDown],
  },
  {
    name: "all calls fail in the host",
    async begin() {
      await sql("alter table collection rename to collection_away");
      await read(500);
    },
    again: () => read(500),
    end: () => sql("alter table collection_away rename to collection"),
    alerts: [page("PlatformCallsFail", "The host fails calls with internal errors. The log has the reason.")],
  },
  {
    name: "all calls get another error: their network has no node",
    begin: readPrice,
    again: readPrice,
    end: () => read(),
    alerts: [
      page("PlatformMostCallsFail", "More than half of the calls get Unavailable. The log has the reason.", {
        error: "Unavailable",
      }),
    ],
  },
  {
    name: "calls wait for a connection to the database",
    begin: holdReads,
    end: releaseReads,
    alerts: [databaseBusy],
  },
  {
    name: "as many calls wait as may run, and further ones are rejected",
    async begin() {
      await holdReads();
      await read(503);
    },
    end: releaseReads,
    alerts: [
      databaseBusy,
      ticket(
        "PlatformOverloaded",
        "The host rejects more than 1 % of the calls because it is at its capacity. Add a replica.",
      ),
      page(
        "PlatformCallsUnavailable",
        "100% of the calls get Overloaded. /readyz of the replicas and the log have the reason.",
      ),
    ],
  },
  {
    name: "one of two receivers fails",
    async begin() {
      await acceptMost();
      secondStatus = 500;
      await transfer();
      // It has failed for a minute at its next attempt.
      const setBack = () =>
        sql(
          "update webhook_health set failing_since = failing_since - interval '1 minute' where failing_since is not null",
        );
      await expect.poll(setBack).toBe(1);
      await retryNow();
      await expect.poll(() => metric("platform_webhook_listeners_failing")).toBe(1);
    },
    async end() {
      secondStatus = undefined;
      await retryNow();
      await expect.poll(host.err).toContain("webhook receiver has recovered");
      await expect.poll(() => metric("platform_webhook_listeners_failing")).toBe(0);
    },
    alerts: [
      ticket(
        "PlatformWebhooksFail",
        "The last calls of 1 webhook listeners failed, and their notifications wait. See platform webhooks list, and platform webhooks show LISTENER for the reason.",
      ),
    ],
    log: ["webhook receiver fails", "webhook receiver has recovered"],
  },
  {
    name: "a receiver fails most calls, but not all",
    async begin() {
      const [before, sent] = [await metric(escaped(failed)), await metric(escaped(accepted))];
      secondStatus = 500;
      await transfer();
      await expect.poll(() => retryNow().then(() => metric(escaped(failed)))).toBeGreaterThan(before + 3);
      secondStatus = undefined;
      await expect.poll(() => retryNow().then(() => metric(escaped(accepted)))).toBe(sent + 2);
      await expect.poll(() => metric("platform_webhook_listeners_failing")).toBe(0);
    },
    async end() {
      const before = await metric(escaped(accepted));
      await transfer();
      await expect.poll(() => metric(escaped(accepted))).toBe(before + 2);
    },
    alerts: [mostCallsFail],
  },
  {
    name: "the last attempts of notifications fail",
    async begin() {
      const [before, lost] = [await metric(escaped(failed)), await metric(failedTotal)];
      status = 500;
      await transfer();
      await expect.poll(() => metric(escaped(failed))).toBeGreaterThanOrEqual(before + 2);
      await sql("update webhook_notification set attempts = 9, due_at = now() where state = 'waiting'");
      await expect.poll(() => metric(failedTotal)).toBe(lost + 2);
    },
    async end() {
      const before = await metric(escaped(accepted));
      status = 204;
      await transfer();
      await expect.poll(() => metric(escaped(accepted))).toBe(before + 2);
    },
    alerts: [notificationsFailed, mostCallsFail],
  },
  {
    name: "the first record is skipped",
    async begin() {
      await sql(`create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'no room'; end $$`);
      await sql(
        "create trigger refuse before insert on webhook_notification for each row execute function refuse()",
      );
      expect(await metric("platform_chain_records_skipped_total")).toBe(0);
      await transfer();
      await expect.poll(() => metric("platform_chain_records_skipped_total")).toBe(1);
    },
    end: () => sql("drop function refuse cascade"),
    alerts: [
      ticket(
        "PlatformRecordsSkipped",
        "Records of local-chain could not be derived and were skipped. See: platform follow skipped. Once the cause is mended, run platform follow reindex from their lowest block",
        { chain: "local-chain", deriver: "webhooks" },
      ),
    ],
  },
  {
    name: "a listener is paused",
    async begin() {
      await acceptMost();
      const before = await metric(escaped(accepted));
      secondStatus = 410;
      await transfer();
      await transfer();
      await expect.poll(() => metric("platform_webhook_listeners_paused")).toBe(1);
      await expect.poll(() => metric(escaped(accepted))).toBe(before + 2);
    },
    async end() {
      secondStatus = undefined;
      const listeners = await ask<{ listener: number; state: string }[]>(data, "webhooks", "list");
      for (const { listener, state } of listeners)
        if (state !== "active") await ask(data, "webhooks", "resume", String(listener));
      await expect.poll(() => metric("platform_webhook_listeners_paused")).toBe(0);
    },
    alerts: [
      ticket(
        "PlatformWebhooksPaused",
        "1 webhook listeners are paused, because their receivers fail or are gone. See: platform webhooks list",
      ),
    ],
  },
  {
    name: "receivers do not respond, and ten minutes pass",
    async begin() {
      await acceptMost();
      status = undefined;
      await transfer();
      await expect.poll(() => unanswered.length).toBe(2);
      await sql(
        "update webhook_notification set due_at = due_at - interval '10 minutes' where state = 'waiting'",
      );
      await expect.poll(() => metric("platform_webhook_queue_seconds")).toBeGreaterThan(600);
    },
    async end() {
      status = 204;
      for (const res of unanswered.splice(0)) respond(res, status);
      await expect.poll(() => metric("platform_webhook_queue_seconds")).toBe(0);
    },
    alerts: [
      ticket(
        "PlatformWebhooksLate",
        "Webhooks have been more than five minutes late for five minutes. See: platform webhooks list",
      ),
    ],
  },
  {
    name: "a block is not final after two hours",
    async begin() {
      await addTransferListener(host, first.url, { delivery: "finalized" });
      await transfer();
      await expect.poll(() => metric("platform_webhook_held_seconds")).toBeGreaterThan(0);
      await sql("update webhook_notification set due_at = due_at - interval '2 hours' where state = 'held'");
    },
    async end() {
      node.fault = final;
      await expect.poll(() => metric("platform_webhook_held_seconds")).toBe(0);
      node.fault = honest;
    },
    alerts: [
      ticket(
        "PlatformFinalityStalled",
        "Webhooks have waited for a final block for more than an hour. See: platform webhooks list",
      ),
    ],
  },
  {
    name: "the follower is behind",
    async begin() {
      // The follower waits for its row.
      await expect.poll(() => metric("platform_chain_lag_blocks")).toBe(0);
      await locked("select from follower_cursor for update");
      await chain.mine(60);
      await expect.poll(() => metric("platform_chain_lag_blocks")).toBe(60);
    },
    async end() {
      await lock?.end();
      await expect.poll(() => metric("platform_chain_lag_blocks")).toBe(0);
    },
    alerts: [
      page("PlatformChainBehind", "local-chain is 60 blocks behind. See: platform follow list", {
        chain: "local-chain",
      }),
    ],
  },
  {
    name: "no node responds",
    async begin() {
      node.fault = ({ res }) => void res.destroy();
      await expect.poll(() => metric("platform_chain_nodes_healthy")).toBe(0);
      await checkSignature(503);
    },
    again: () => checkSignature(503),
    async end() {
      node.fault = honest;
      await expect.poll(() => metric("platform_chain_nodes_healthy")).toBe(1);
    },
    alerts: [
      noNode,
      page(
        "PlatformCallsUnavailable",
        "100% of the calls get Overloaded. /readyz of the replicas and the log have the reason.",
      ),
    ],
  },
  {
    name: "the node is of another chain",
    async begin() {
      // A node that has failed is checked at once, and any other one every ten seconds.
      node.fault = ({ res }) => void res.destroy();
      await expect.poll(() => metric("platform_chain_nodes_healthy")).toBe(0);
      node.fault = ofChain(1);
      await expect.poll(() => metric("platform_chain_node_of_another_chain")).toBe(1);
    },
    async end() {
      node.fault = honest;
      await expect.poll(() => metric("platform_chain_nodes_healthy")).toBe(1);
    },
    alerts: [
      noNode,
      ticket("PlatformNodeOfAnotherChain", "Node 0 of local-chain is of another chain and is ignored.", {
        chain: "local-chain",
        node: "0",
      }),
    ],
  },
  {
    name: "the node refuses every second request",
    async begin() {
      const before = await metric("platform_chain_node_refused_total");
      let requests = 0;
      node.fault = (exchange) =>
        ++requests % 2 === 1 ? void exchange.res.writeHead(429).end() : honest(exchange);
      await expect.poll(() => metric("platform_chain_node_refused_total")).toBeGreaterThan(before + 1);
      node.fault = honest;
      await expect.poll(() => metric("platform_chain_nodes_healthy")).toBe(1);
    },
    end: () => read(),
    alerts: [
      ticket(
        "PlatformNodeRefuses",
        "Node 0 of local-chain refuses more than 3 % of the requests. The log has the reason. Set or lower maxPerSecond, or ask the provider for a higher limit.",
        { chain: "local-chain", node: "0" },
      ),
    ],
  },
  {
    name: "blocks cannot be stored",
    async begin() {
      await sql("alter table follower_block rename to follower_block_away");
      await followFails();
    },
    again: followFails,
    async end() {
      const before = await metric("platform_chain_blocks_total");
      await sql("alter table follower_block_away rename to follower_block");
      await expect.poll(() => metric("platform_chain_blocks_total")).toBeGreaterThan(before);
    },
    alerts: [
      ticket(
        "PlatformChainFails",
        "Following local-chain fails again and again. For the reason, see: platform follow list",
        { chain: "local-chain" },
      ),
    ],
  },
  {
    name: "the host has ended",
    begin: async () => void (await host.stop()),
    async end() {
      await start(1);
      await expect.poll(() => metric("platform_chain_followed")).toBe(1);
    },
    alerts: [
      page("PlatformDown", `The replica ${instance} does not respond to Prometheus.`, {
        instance,
        job: "platform",
      }),
    ],
  },
  {
    name: "the chain is stopped, as after a reorganization of all known blocks",
    async begin() {
      await sql("update follower_cursor set stopped = 'all known blocks left the chain'");
      await followAnew();
      await expect.poll(() => metric("platform_chain_followed")).toBe(0);
      await expect.poll(() => metric("platform_chain_nodes_healthy")).toBe(1);
    },
    async end() {
      await ask(data, "follow", "reindex", "31337", "--from", String(await chain.head()));
      await expect.poll(() => metric("platform_chain_followed")).toBe(1);
    },
    alerts: [
      page(
        "PlatformChainNotFollowed",
        "No replica follows local-chain. For the reason, see: platform follow list",
        {
          chain: "local-chain",
        },
      ),
    ],
  },
  {
    name: "the newest block is an hour old",
    async begin() {
      node.fault = halted;
      await followAnew();
      await expect.poll(() => metric("platform_chain_block_age_seconds")).toBeGreaterThan(3_599);
    },
    async end() {
      node.fault = honest;
      await followAnew();
      await expect.poll(() => metric("platform_chain_block_age_seconds")).toBeLessThan(300);
    },
    alerts: [
      page("PlatformChainOld", "The newest block of local-chain that any node has is 60 minutes old.", {
        chain: "local-chain",
      }),
    ],
  },
  {
    name: "the clock of the host is ten minutes ahead",
    async begin() {
      await start(1, { NODE_OPTIONS: `--import ${fastClock}` });
      await chain.mine();
      await expect.poll(() => metric("platform_chain_block_age_seconds")).toBeGreaterThan(300);
      await expect.poll(() => metric("platform_clock_ahead_seconds")).toBeCloseTo(600, 0);
      expect(host.err()).toContain("the clocks of this machine and of the database differ");
    },
    async end() {
      await start(1);
      await expect.poll(() => metric("platform_clock_ahead_seconds")).toBe(0);
      await expect.poll(() => metric("platform_chain_followed")).toBe(1);
    },
    alerts: [
      page(
        "PlatformClockWrong",
        `The clocks of ${instance} and of the database differ by 600 seconds. Secret keys and webhooks may be rejected. Set both clocks by NTP.`,
        { instance },
      ),
    ],
  },
  {
    name: "the signing key is not the one of the database",
    async begin() {
      await start(2);
      await expect.poll(() => metric("platform_chain_followed")).toBe(1);
      await expect.poll(() => metric("platform_webhook_secrets_unreadable")).toBe(3);
    },
    async end() {
      await start(1);
      await expect.poll(() => metric("platform_chain_followed")).toBe(1);
    },
    alerts: [
      page(
        "PlatformSigningKeyMissing",
        `${instance} cannot sign the webhooks of 3 listeners: a signing key is missing in SIGNING_KEY_FALLBACKS. See: platform signing-keys list`,
        { instance },
      ),
    ],
  },
  {
    name: "another replica signs with another key",
    async begin() {
      await sql(`insert into replica (id, machine, process, version, signing_keys, seen_at)
        values (gen_random_uuid(), 'other', 1, '0.1.0', '{0123456789abcdef}', now() + interval '1 hour')`);
      await expect.poll(() => metric("platform_replicas_differing")).toBe(1);
    },
    async end() {
      await sql("delete from replica where machine = 'other'");
      await expect.poll(() => metric("platform_replicas_differing")).toBe(0);
    },
    alerts: [
      page(
        "PlatformReplicasDiffer",
        `Replicas that have other settings than ${instance}, or sign with a key that it lacks: 1. See: platform replicas list`,
        { instance },
      ),
    ],
  },
];

// After a change to the rules or faults: npx vitest run test/docs/alerts.chain.test.ts --update
test("each rule has a fault, and docs/platform/deploying.md lists both", async () => {
  const rows = groups
    .flatMap(({ rules }) => rules)
    .map(({ alert, labels: { severity } }) => {
      const causes = faults.filter(({ alerts }) => alerts.some((one) => one.alert === alert));
      expect(causes, alert).not.toEqual([]);
      return `| \`${alert}\` | ${severity} | ${causes.map(({ name }) => name).join("; ")} |`;
    });
  const table = ["| alert | severity | fault |", "|---|---|---|", ...rows].join("\n");
  await expect(withGenerated("docs/platform/deploying.md", table)).toMatchFileSnapshot(
    "../../docs/platform/deploying.md",
  );
});

const isSkipped = noSandbox || promtool === undefined || redis === undefined;

describe.skipIf(isSkipped)("the alerts", () => {
  beforeAll(async () => {
    if (isSkipped) return;
    server = await startServer();
    await sql(`create role ${role} superuser login`);
    redisPort = await freePort();
    runningRedis = await startRedis();
    chain = await startEventChain(31_337, transferEmitter);
    node = await startFaultyNode(chain.rpcUrl);
    first = await startReceiver((res) => respond(res, status));
    second = await startReceiver((res) => respond(res, secondStatus ?? status), "127.0.0.2");
    data = makeDataFolder();
    await start(1);
  });
  afterAll(async () => {
    await lock?.end();
    for (const opened of [host, data, first, second, node, chain, runningRedis, server])
      await opened?.[Symbol.asyncDispose]();
  });

  test("none fires while calls and webhooks work", async () => {
    await expect.poll(() => metric("platform_chain_followed")).toBe(1);
    const before = await scrape();
    for (const { url } of [first, second]) await addTransferListener(host, url);
    await transfer();
    await expect.poll(() => metric(escaped(accepted))).toBe(2);
    await read();
    const after = await scrape();
    await checkAlerts(promtool ?? "", rules, instance, { before, during: [after], after }, []);
    await checkNames(promtool ?? "", after);
  });

  test("of failed notifications fires if a new instance counts them before its first scrape", async () => {
    const before = "# TYPE a gauge";
    const after = `# TYPE ${failedTotal} counter\n${failedTotal} 2`;
    await checkAlerts(promtool ?? "", rules, instance, { before, during: [after], after }, [
      notificationsFailed,
    ]);
  });

  test.each(faults)("$name", async ({ begin, again, end, alerts, log }) => {
    const before = await scrape();
    const logged = host.err().length;
    await begin();
    const during = [await scrape()];
    if (again !== undefined) {
      await again();
      during.push(await scrape());
    }
    await end();
    const after = await scrape();
    if (log !== undefined) expect(messagesOf(host.err().slice(logged))).toEqual(log);
    await checkAlerts(promtool ?? "", rules, instance, { before, during, after }, alerts);
  });
});

/** The messages in a log, except for calls, sorted. */
function messagesOf(lines: string): readonly string[] {
  const messages = lines
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
  return messages.filter((message) => message !== "call").toSorted();
}
