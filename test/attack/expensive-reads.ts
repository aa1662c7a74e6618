import { Agent, request } from "node:http";
import { databaseOf } from "../support/database.ts";
import { makeData, startHost } from "../support/host.ts";
import { allTraits, collectionAddress, makeTraits } from "../support/market-data.ts";
import { quantile } from "../support/open-loop.ts";
import { makeKey } from "../support/operator.ts";

const chainId = 137;
const contractAddress = collectionAddress(1);

interface DearReads {
  /** Latencies of the other project, in milliseconds. */
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  /** Failed responses of the other project, by status and code. */
  readonly failed: ReadonlyMap<string, number>;
  /** Responses of the attackers, by status and code. */
  readonly attacked: ReadonlyMap<string, number>;
}

interface CallResult {
  readonly kind: string;
  readonly ms: number;
}

/**
 * 32 connections of one project send the most expensive allowed query, each as soon as it has a response. Meanwhile another
 * project at another address requests a floor order twenty times a second.
 */
async function attackReads(tokens: number, seconds: number): Promise<DearReads> {
  await using data = await makeData();
  const unlimited = "1000000000";
  await using host = await startHost({
    data,
    args: [
      "--networks",
      "polygon",
      "--rate-limit-project",
      unlimited,
      "--rate-limit-address",
      unlimited,
      "--log-level",
      "error",
    ],
  });
  await using database = databaseOf(data);
  await database.query(
    "insert into currency (chain_id, address, symbol, name, decimals, usd_rate) values ($1, $2, 'USD', 'Dollar', 6, 1)",
    [chainId, `0x${"a".repeat(40)}`],
  );
  await makeTraits(database, { chainId, address: contractAddress, tokens });
  const { accessKey } = await makeKey(data);
  const port = Number(new URL(host.url).port);
  const other = { port, accessKey, from: "127.0.0.2", agent: new Agent({ keepAlive: true }) };
  const greedy = {
    port,
    accessKey: host.accessKey,
    from: "127.0.0.1",
    agent: new Agent({ keepAlive: true }),
  };
  const floor = { path: "/polygon/rpc/Marketplace/GetFloorOrder", body: JSON.stringify({ contractAddress }) };
  const dear = {
    path: "/polygon/rpc/Marketplace/ListCollectibles",
    body: JSON.stringify({ contractAddress, side: "listing", filter: { properties: allTraits } }),
  };
  await atRate(() => call(other, floor), 2);
  const alone = await atRate(() => call(other, floor), seconds);
  let isOver = false;
  const attacked: CallResult[] = [];
  const attackers = Array.from({ length: 32 }, async () => {
    while (!isOver) attacked.push(await call(greedy, dear));
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const beside = await atRate(() => call(other, floor), seconds);
  isOver = true;
  await Promise.all(attackers);
  other.agent.destroy();
  greedy.agent.destroy();
  return {
    alone: alone.map(({ ms }) => ms),
    beside: beside.map(({ ms }) => ms),
    failed: counts(beside.filter(({ kind }) => kind !== "200")),
    attacked: counts(attacked),
  };
}

const callsPerSecond = 20;

/** Sends calls on schedule, however slow the responses are. */
async function atRate(send: () => Promise<CallResult>, seconds: number): Promise<readonly CallResult[]> {
  const answers: Promise<CallResult>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      answers.push(send());
      if (answers.length < seconds * callsPerSecond) return;
      clearInterval(timer);
      resolve();
    }, 1_000 / callsPerSecond);
  });
  return Promise.all(answers);
}

interface Sender {
  readonly port: number;
  readonly accessKey: string;
  /** An address of this machine. */
  readonly from: string;
  readonly agent: Agent;
}

function call(
  { port, accessKey, from, agent }: Sender,
  { path, body }: { readonly path: string; readonly body: string },
): Promise<CallResult> {
  const startedAt = performance.now();
  const headers = { "content-type": "application/json", "x-access-key": accessKey };
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: "127.0.0.1", localAddress: from, agent, method: "POST", path, headers },
      (res) => {
        let text = "";
        res.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        res.on("end", () => {
          const status = res.statusCode ?? 0;
          const kind = status === 200 ? "200" : `${status} ${JSON.parse(text).error}`;
          resolve({ kind, ms: performance.now() - startedAt });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

function counts(answers: readonly CallResult[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { kind } of answers) found.set(kind, (found.get(kind) ?? 0) + 1);
  return found;
}

const p99MaxMs = 100;

export async function reportDearReads(): Promise<readonly string[]> {
  const { alone, beside, failed, attacked } = await attackReads(10_000, 15);
  const p99 = quantile(beside, 0.99);
  const text = (tally: ReadonlyMap<string, number>): string =>
    [...tally].map(([kind, count]) => `${count} ${kind}`).join(", ") || "none";
  console.log(`another project alone: ${figures(alone)}`);
  console.log(
    `beside 32 connections with the dearest query: ${figures(beside)}; without an answer ${text(failed)}`,
  );
  console.log(`the dearest queries: ${text(attacked)}`);
  return [
    ...(p99 <= p99MaxMs ? [] : [`p99 beside them ${p99.toFixed(1)} ms, bound ${p99MaxMs} ms`]),
    ...(failed.size === 0 ? [] : [`the other project was refused: ${text(failed)}`]),
  ];
}

function figures(ms: readonly number[]): string {
  return `${ms.length} calls, p50 ${quantile(ms, 0.5).toFixed(1)} ms, p99 ${quantile(ms, 0.99).toFixed(1)} ms`;
}
