/** Sends notifications to 32 hosts, with the limits of each host, and the same bodies by plain POSTs of the same HTTP client. */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { deliveryLimits } from "../../../server/webhooks/delivery/limits.ts";
import { uidOf } from "../../../server/webhooks/notifications.ts";
import { chainId, openWebhookWorld, startDispatcher } from "../../support/webhook-world.ts";
import { postgresCpuMs } from "../derive/postgres-cpu.ts";
import { startReceivers } from "./receivers.ts";

const hosts = Array.from({ length: 32 }, (_, index) => `127.0.0.${index + 1}`);
/** Notifications of each host per round. */
const notifications = 300;
/** Required of the CPU time of this process, as a multiple of that of plain POSTs. */
const maxCpuRatio = 2;

/** The size of a transfer's notification. */
const body = JSON.stringify({ type: "BLOCK_ADDED", more: "x".repeat(1_000) });

export async function measureHosts(rounds: number): Promise<readonly string[]> {
  await using world = await openWebhookWorld();
  await using receivers = await startReceivers(...hosts);
  const ids: number[] = [];
  for (const url of receivers.urls) ids.push((await world.add(`${url}/good`)).listener.id);
  await using dispatcher = startDispatcher(world.database);
  const total = hosts.length * notifications;

  async function deliver(): Promise<void> {
    dispatcher.wake(hosts);
    while ((await world.states())["accepted"] !== total) await sleep(50);
  }

  const figures = { delivered: [] as number[], plain: [] as number[], postgres: [] as number[] };
  // The first round, until the pace of new receivers has grown, does not count.
  for (let round = 0; round <= rounds; round++) {
    await world.database.query("truncate webhook_notification, webhook_batch, webhook_attempt");
    await world.tell(ids, notifications, body);
    await world.database.query("analyze webhook_notification, webhook_batch");
    const before = await postgresCpuMs(world.database);
    const delivered = await cpuMsOf(deliver);
    const postgres = (await postgresCpuMs(world.database)) - before;
    const plain = await cpuMsOf(() => postPlainly(receivers.urls));
    await receivers.arrivals();
    if (round === 0) continue;
    figures.delivered.push(delivered);
    figures.plain.push(plain);
    figures.postgres.push(postgres);
  }
  const [delivered, plain, postgres] = [
    median(figures.delivered),
    median(figures.plain),
    median(figures.postgres),
  ];
  const each = (ms: number): string => `${((ms * 1_000) / total).toFixed(0)} µs`;
  const ratio = delivered / plain;
  console.log(
    `to ${hosts.length} hosts, CPU of this process: ${each(delivered)} a delivery, ${each(plain)} a plain POST (×${ratio.toFixed(2)}); of Postgres: ${each(postgres)} a delivery`,
  );
  return ratio > maxCpuRatio
    ? [
        `deliveries to ${hosts.length} hosts took ${ratio.toFixed(2)} times the CPU of plain POSTs, limit ${maxCpuRatio}`,
      ]
    : [];
}

async function cpuMsOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Posts the bodies of the notifications, to each host with as many calls at a time as a listener may have. */
async function postPlainly(urls: readonly string[]): Promise<void> {
  await using agent = new AgentOfBench();
  await Promise.all(
    urls.map(async (url) => {
      let next = 0;
      const post = async (): Promise<void> => {
        while (next < notifications) {
          const sequence = ++next;
          const uid = uidOf(chainId, "0x01", sequence, "BLOCK_ADDED");
          await agent.post(url, `{"sequence":${sequence},"uid":"${uid}",${body.slice(1)}`);
        }
      };
      await Promise.all(Array.from({ length: deliveryLimits.maxCallsPerListener }, post));
    }),
  );
}

class AgentOfBench implements AsyncDisposable {
  readonly #agent = new Agent();

  async post(origin: string, content: string): Promise<void> {
    const headers = { "content-type": "application/json" };
    const response = await this.#agent.request({
      origin,
      path: "/good",
      method: "POST",
      headers,
      body: content,
    });
    await response.body.dump();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;
}
