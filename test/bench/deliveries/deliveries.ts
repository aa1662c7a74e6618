/**
 * `npm run bench -- deliveries --rounds 5`: sends waiting notifications to one receiver, until the database has them all as accepted; then to
 * 32 receivers on hosts of their own, compared with plain POSTs.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openWebhookWorld, startDispatcher, type WebhookWorld } from "../../support/webhook-world.ts";
import type { Benchmark } from "../benchmark.ts";
import { measureHosts } from "./hosts.ts";
import { startReceivers } from "./receivers.ts";

/** Notifications per round; and before the first round, until the pace of a new receiver has grown. */
const notifications = 10_000;
const warmUp = 8_000;
const host = "127.0.0.1";
const minPerSecond = 3_000;

export const benchDeliveries: Benchmark = async ({ rounds }) => [
  ...(await measureOneReceiver(rounds)),
  ...(await measureHosts(rounds)),
];

async function measureOneReceiver(rounds: number): Promise<readonly string[]> {
  await using world = await openWebhookWorld();
  await using receivers = await startReceivers(host);
  const { listener } = await world.add(`${receivers.urls[0]}/good`);
  await using dispatcher = startDispatcher(world.database);
  const send = async (count: number): Promise<{ readonly wallMs: number; readonly cpuMs: number }> => {
    await world.database.query("truncate webhook_notification, webhook_batch, webhook_attempt");
    await world.tell([listener.id], count);
    await world.database.query("analyze webhook_notification, webhook_batch");
    const cpu = process.cpuUsage();
    const start = performance.now();
    dispatcher.wake([host]);
    await settled(world, count);
    const { user, system } = process.cpuUsage(cpu);
    return { wallMs: performance.now() - start, cpuMs: (user + system) / 1_000 };
  };
  await send(warmUp);
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { wallMs, cpuMs } = await send(notifications);
    await receivers.arrivals();
    rates.push((notifications / wallMs) * 1_000);
    console.log(
      `${rates.at(-1)?.toFixed(0).padStart(8)} deliveries/s  ${((cpuMs * 1_000) / notifications).toFixed(0).padStart(6)} µs CPU of this process each`,
    );
  }
  const median = rates.toSorted((a, b) => a - b)[rates.length >> 1] ?? Number.NaN;
  console.log(`${median.toFixed(0)} deliveries/s to one receiver (median)`);
  return median < minPerSecond
    ? [`${median.toFixed(0)} deliveries/s to one receiver, minimum ${minPerSecond}`]
    : [];
}

async function settled(world: WebhookWorld, count: number): Promise<void> {
  while ((await world.states())["accepted"] !== count) await sleep(20);
}
