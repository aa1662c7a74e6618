/**
 * `npm run bench -- isolation --rounds 5`: measures the time from the commit of a notification to its receiver, while eleven other
 * receivers, on other hosts and on the same one, are absent, work, or fail in turn.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../../server/base/storage/open-database.ts";
import { openWebhookWorld, startDispatcher, type WebhookWorld } from "../../support/webhook-world.ts";
import type { Benchmark } from "../benchmark.ts";
import { type Behavior, type Receivers, startReceivers } from "./receivers.ts";

const bad: readonly Behavior[] = [
  "500",
  "429",
  "410",
  "redirect",
  "endless",
  "drip-headers",
  "drip-body",
  "hang",
];
/** On the same host as the good receiver. */
const badOnSameHost: readonly Behavior[] = ["500", "drip-headers", "hang"];

const goodHost = "127.0.3.1";
const badHosts = bad.map((_, index) => `127.0.4.${index + 1}`);

/** Duration of a phase, and intervals of notifications for the good receiver and for the others, in milliseconds. */
const phaseMs = 5_000;
const goodEveryMs = 10;
const othersEveryMs = 20;
/** Share of its p99 by which the failures of others may slow a receiver. */
const maxGrowth = 0.2;

const phases = ["alone", "next to good ones", "next to bad ones"] as const;
type Phase = (typeof phases)[number];

export const benchIsolation: Benchmark = async ({ rounds }) => {
  await using world = await openWebhookWorld();
  await using ownWork = openDatabase(
    { connectionString: world.url },
    { connections: 6, statementTimeoutMs: 8_000, namedStatements: true, waitMaxMs: 10_000 },
  );
  await using good = await startReceivers(goodHost);
  await using others = await startReceivers(goodHost, ...badHosts);
  await using dispatcher = startDispatcher(ownWork);
  const { listener } = await world.add(`${good.urls[0]}/good`);
  const lags: Readonly<Record<Phase, number[]>> = {
    alone: [],
    "next to good ones": [],
    "next to bad ones": [],
  };
  const measure = async (phase: Phase): Promise<readonly number[]> => {
    const ids = await addOthers(world, others, phase);
    const committed = await sendAll(world, listener.id, ids, (hosts) => dispatcher.wake(hosts));
    await untilAccepted(world, listener.id);
    const arrivals = new Map((await good.arrivals()).toReversed());
    await world.database.query("delete from webhook_listener where id = any($1)", [ids]);
    return [...committed].map(([sequence, at]) => (arrivals.get(sequence) ?? Number.NaN) - at);
  };
  // Warm-up, until the pace of a new receiver has grown.
  await measure("alone");
  for (let round = 0; round < rounds; round++) {
    const turn = round % phases.length;
    for (const phase of [...phases.slice(turn), ...phases.slice(0, turn)])
      lags[phase].push(...(await measure(phase)));
  }
  for (const phase of phases) printLags(phase, lags[phase]);
  const [before, after] = [
    percentile(lags["next to good ones"], 99),
    percentile(lags["next to bad ones"], 99),
  ];
  console.log(
    `p99 next to bad ones is ${((after / before - 1) * 100).toFixed(0)} % over that next to good ones`,
  );
  return after > before * (1 + maxGrowth)
    ? [`p99 grew from ${before.toFixed(1)} to ${after.toFixed(1)} ms, limit ${maxGrowth * 100} %`]
    : [];
};

async function addOthers(world: WebhookWorld, { urls }: Receivers, phase: Phase): Promise<readonly number[]> {
  if (phase === "alone") return [];
  const [nearby = "", ...far] = urls;
  const wanted: readonly (readonly [string, Behavior])[] = [
    ...badOnSameHost.map((manner) => [nearby, manner] as const),
    ...bad.map((manner, index) => [far[index] ?? "", manner] as const),
  ];
  const ids: number[] = [];
  for (const [url, manner] of wanted) {
    const { listener } = await world.add(`${url}/${phase === "next to good ones" ? "good" : manner}`);
    ids.push(listener.id);
  }
  return ids;
}

/** Sends notifications, and returns the commit time of each one for the good receiver, by sequence. */
async function sendAll(
  world: WebhookWorld,
  goodId: number,
  otherIds: readonly number[],
  wake: (hosts: readonly string[]) => void,
): Promise<ReadonlyMap<number, number>> {
  const committed = new Map<number, number>();
  const from = performance.now();
  const tellOthers = async (): Promise<void> => {
    for (let turn = 0; turn * othersEveryMs < phaseMs; turn++) {
      await sleep(from + turn * othersEveryMs - performance.now());
      await world.tell(otherIds, 1);
      wake([goodHost, ...badHosts]);
    }
  };
  const tellGood = async (): Promise<void> => {
    for (let turn = 0; turn * goodEveryMs < phaseMs; turn++) {
      await sleep(from + turn * goodEveryMs - performance.now());
      const sequence = await world.tell([goodId], 1);
      committed.set(sequence, performance.timeOrigin + performance.now());
      wake([goodHost]);
    }
  };
  await Promise.all([tellGood(), otherIds.length > 0 ? tellOthers() : undefined]);
  return committed;
}

async function untilAccepted({ database }: WebhookWorld, listenerId: number): Promise<void> {
  for (;;) {
    const rows = await database.query(
      "select 1 from webhook_notification where listener_id = $1 and state = 'waiting' limit 1",
      [listenerId],
    );
    if (rows.length === 0) return;
    await sleep(20);
  }
}

function printLags(phase: Phase, lags: readonly number[]): void {
  const figures = [50, 95, 99, 100].map((percent) => percentile(lags, percent).toFixed(1).padStart(7));
  console.log(
    `${phase.padEnd(18)} ${lags.length} notifications, ms: p50, p95, p99, worst ${figures.join(" ")}`,
  );
}

function percentile(lags: readonly number[], percent: number): number {
  const sorted = lags.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
