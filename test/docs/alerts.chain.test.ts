/** Each fault raises the alert that names its cause, with the metrics of a host to which the fault happens. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type EventChain, startEventChain, transferEmitter } from "../support/event-chain.ts";
import { type FaultyNode, honest, startFaultyNode } from "../support/faulty-node.ts";
import { findProgram, freePort, type RunningProgram, startProgram } from "../support/helper-program.ts";
import { type Data, makeDataFolder, type RunningHost, startHost } from "../support/host.ts";
import { ask } from "../support/operator.ts";
import { type Alert, checkAlerts, promtool } from "../support/promtool.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { noSandbox } from "../support/sandbox.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { signingKeyText } from "../support/signing-keys.ts";
import { addTransferListener } from "../support/transfer-listener.ts";

const file = fileURLToPath(new URL("../../docs/platform/monitoring/alerts.yml", import.meta.url));
const text = readFileSync(file, "utf8");
const { groups } = parse(text) as { groups: { rules: { alert: string }[] }[] };
const rules = { file, metrics: new Set(text.match(/\bplatform_[a-z_]+/g)) };

const instance = "platform-1:4001";
const redis = findProgram("redis-server");

/** Status of the responses of both receivers. */
let status = 204;
/** Status of the second receiver, if it differs. */
let secondStatus: number | undefined;
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

const startRedis = () =>
  startProgram(redis ?? "", ["--bind", "127.0.0.1", "--port", String(redisPort), "--save", ""], redisPort);

async function start(signingKey: number): Promise<void> {
  await host?.[Symbol.asyncDispose]();
  const details = { rpcUrls: [node.rpcUrl], follow: { start: 0, window: 2 } };
  const env = {
    SANDBOX: "true",
    DATABASE_URL: server.url,
    SIGNING_KEY: signingKeyText(signingKey),
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    NETWORK_DETAILS: JSON.stringify({ 31337: details }),
    RATE_LIMIT_PROJECT: "1000000",
    RATE_LIMIT_ADDRESS: "1000000",
  };
  data = { ...data, env };
  host = await startHost({ data, args: ["--networks", "31337,polygon", "--no-sandbox-chain"] });
}

const scrape = async (): Promise<string> => (await fetch(`${host.adminUrl}/metrics`)).text();

/** The sum of all series of a metric. */
async function metric(series: string): Promise<number> {
  const pattern = new RegExp(`^${series}[^ ]* (\\S+)$`, "gm");
  const values = [...(await scrape()).matchAll(pattern)].map(([, value]) => Number(value));
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0);
}

/** Makes ten calls with this status. */
async function call(status: number, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json", "x-access-key": host.accessKey };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  for (let calls = 0; calls < 10; calls++) {
    const response = await fetch(`${host.url}${path}`, request);
    expect([response.status, await response.text()]).toEqual([status, expect.any(String)]);
  }
}

const contractAddress = `0x${"1".repeat(40)}`;
const read = (status = 200) =>
  call(status, "/rpc/Metadata/TokenCollectionFilters", { chainId: "31337", contractAddress });

/** On a network without a node. */
const readPrice = () =>
  call(400, "/rpc/API/GetSwapPrice", {
    chainId: "polygon",
    sellCurrencyAddress: contractAddress,
    buyCurrencyAddress: `0x${"2".repeat(40)}`,
    buyAmount: "1",
  });

async function sql(statement: string): Promise<void> {
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function transfer(): Promise<void> {
  await chain.emit(1);
  await chain.mine();
}

const accepted = 'platform_webhook_attempt_seconds_count{result="accepted"}';
const failed = 'platform_webhook_attempt_seconds_count{result="failed"}';
const escaped = (series: string) => series.replace(/[{}]/g, "\\$&");

interface Fault {
  readonly name: string;
  /** Both wait until the host shows it. */
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
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
    name: "Redis is away",
    async begin() {
      await runningRedis[Symbol.asyncDispose]();
      await read();
      await expect.poll(() => metric("platform_redis_up")).toBe(0);
    },
    async end() {
      runningRedis = await startRedis();
      await expect.poll(() => read().then(() => metric("platform_redis_up"))).toBe(1);
    },
    alerts: [
      ticket(
        "PlatformRedisDown",
        `${instance} does not reach Redis, so it counts calls for rate limits by itself.`,
        { instance },
      ),
    ],
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
    name: "all deliveries fail",
    async begin() {
      const before = await metric(escaped(failed));
      status = 500;
      await transfer();
      await expect.poll(() => metric(escaped(failed))).toBeGreaterThanOrEqual(before + 2);
    },
    async end() {
      const before = await metric(escaped(accepted));
      status = 204;
      await transfer();
      await expect.poll(() => metric(escaped(accepted))).toBeGreaterThanOrEqual(before + 4);
    },
    alerts: [
      ticket(
        "PlatformWebhooksFail",
        "More than half of the webhook calls fail. See platform webhooks list, and platform webhooks show LISTENER for the reason.",
      ),
    ],
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
    name: "the follower is behind",
    async begin() {
      lock = new pg.Client(server.url);
      await lock.connect();
      // The follower waits for its row.
      await expect.poll(() => metric("platform_chain_lag_blocks")).toBe(0);
      await lock.query("begin; select from follower_cursor for update");
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
    },
    async end() {
      node.fault = honest;
      await expect.poll(() => metric("platform_chain_nodes_healthy")).toBe(1);
    },
    alerts: [
      page(
        "PlatformNoNode",
        "All nodes of local-chain are demoted or of another chain. The log has the reasons.",
        { chain: "local-chain" },
      ),
    ],
  },
  {
    name: "the signing key is not the one of the database",
    async begin() {
      await start(2);
      await expect.poll(() => metric("platform_chain_followed")).toBe(1);
      await expect.poll(() => metric("platform_webhook_secrets_unreadable")).toBe(2);
    },
    async end() {
      await start(1);
      await expect.poll(() => metric("platform_chain_followed")).toBe(1);
    },
    alerts: [
      page(
        "PlatformSigningKeyMissing",
        `${instance} cannot sign the webhooks of 2 listeners: a signing key is missing in SIGNING_KEY_FALLBACKS. See: platform signing-keys list`,
        { instance },
      ),
    ],
  },
];

/** Rules whose faults take long, or are not those of a host. Other tests cover their metrics. */
const otherRules = [
  "PlatformDown",
  "PlatformCallsUnavailable",
  "PlatformOverloaded",
  "PlatformChainFails",
  "PlatformChainNotFollowed",
  "PlatformChainSilent",
  "PlatformChainOld",
  "PlatformNodeOfAnotherChain",
  "PlatformNodeRefuses",
  "PlatformWebhooksLate",
  "PlatformFinalityStalled",
  "PlatformNotificationsFailed",
  "PlatformDatabaseBusy",
];

test("each rule has a fault, or is listed as one of the others", () => {
  const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const covered = faults.flatMap(({ alerts }) => alerts.map(({ alert }) => alert));
  expect(names.toSorted()).toEqual([...covered, ...otherRules].toSorted());
});

const isSkipped = noSandbox || promtool === undefined || redis === undefined;

describe.skipIf(isSkipped)("the alerts", () => {
  beforeAll(async () => {
    if (isSkipped) return;
    server = await startServer();
    redisPort = await freePort();
    runningRedis = await startRedis();
    chain = await startEventChain(31_337, transferEmitter);
    node = await startFaultyNode(chain.rpcUrl);
    first = await startReceiver((res) => res.writeHead(status).end());
    second = await startReceiver((res) => res.writeHead(secondStatus ?? status).end(), "127.0.0.2");
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
