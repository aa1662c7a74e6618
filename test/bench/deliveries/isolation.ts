/**
 * `npm run bench -- isolation --rounds 5`: how long a notification takes from its commit to a receiver, while eleven others on
 * other hosts and on its own are absent, behave, and misbehave in turns.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../../server/base/storage/database.ts";
import { openWebhookWorld, startDispatcher, type WebhookWorld } from "../../support/webhook-world.ts";
import type { Part } from "../part.ts";
import { type Manner, type Receivers, startReceivers } from "./receivers.ts";

const bad: readonly Manner[] = [
  "500",
  "429",
  "410",
  "redirect",
  "endless",
  "drip-headers",
  "drip-body",
  "hang",
];
/** Behind the same host as the good one. */
const badNearby: readonly Manner[] = ["500", "drip-headers", "hang"];

const goodHost = "127.0.3.1";
const badHosts = bad.map((_, index) => `127.0.4.${index + 1}`);

/** Of one phase, in milliseconds: how long it is, how often the good one is told, and how often the others are. */
const phaseMs = 5_000;
const goodEveryMs = 10;
const othersEveryMs = 20;
/** More than so much of its p99 may no receiver lose by what others do. */
const boundPart = 0.2;

const phases = ["alone", "beside good ones", "beside bad ones"] as const;
type Phase = (typeof phases)[number];

export const benchIsolation: Part = async ({ rounds }) => {
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
    "beside good ones": [],
    "beside bad ones": [],
  };
  const measure = async (phase: Phase): Promise<readonly number[]> => {
    const ids = await addOthers(world, others, phase);
    const committed = await tellAll(world, listener.id, ids, (hosts) => dispatcher.wake(hosts));
    await untilAccepted(world, listener.id);
    const arrivals = new Map((await good.arrivals()).toReversed());
    await world.database.query("delete from webhook_listener where id = any($1)", [ids]);
    return [...committed].map(([sequence, at]) => (arrivals.get(sequence) ?? Number.NaN) - at);
  };
  // The pace of a new receiver has grown by then.
  await measure("alone");
  for (let round = 0; round < rounds; round++) {
    const turn = round % phases.length;
    for (const phase of [...phases.slice(turn), ...phases.slice(0, turn)])
      lags[phase].push(...(await measure(phase)));
  }
  for (const phase of phases) tell(phase, lags[phase]);
  const [before, after] = [percentile(lags["beside good ones"], 99), percentile(lags["beside bad ones"], 99)];
  console.log(
    `p99 beside bad ones is ${((after / before - 1) * 100).toFixed(0)} % over that beside good ones`,
  );
  return after > before * (1 + boundPart)
    ? [`p99 grew from ${before.toFixed(1)} to ${after.toFixed(1)} ms, and ${boundPart * 100} % is the bound`]
    : [];
};

async function addOthers(world: WebhookWorld, { urls }: Receivers, phase: Phase): Promise<readonly number[]> {
  if (phase === "alone") return [];
  const [nearby = "", ...far] = urls;
  const wanted: readonly (readonly [string, Manner])[] = [
    ...badNearby.map((manner) => [nearby, manner] as const),
    ...bad.map((manner, index) => [far[index] ?? "", manner] as const),
  ];
  const ids: number[] = [];
  for (const [url, manner] of wanted) {
    const { listener } = await world.add(`${url}/${phase === "beside good ones" ? "good" : manner}`);
    ids.push(listener.id);
  }
  return ids;
}

/** When each notification of the good one was committed, by its sequence. */
async function tellAll(
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

function tell(phase: Phase, lags: readonly number[]): void {
  const figures = [50, 95, 99, 100].map((percent) => percentile(lags, percent).toFixed(1).padStart(7));
  console.log(
    `${phase.padEnd(18)} ${lags.length} notifications, ms: p50, p95, p99, worst ${figures.join(" ")}`,
  );
}

function percentile(lags: readonly number[], percent: number): number {
  const sorted = lags.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
