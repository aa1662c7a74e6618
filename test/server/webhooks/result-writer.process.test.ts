import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../../server/base/storage/database.ts";
import { type QueueItem, readPage } from "../../../server/webhooks/delivery/queue.ts";
import { type AttemptResult, createResultWriter } from "../../../server/webhooks/delivery/results.ts";
import { keyIds, openWebhookWorld, type WebhookWorld } from "../../support/webhook-world.ts";

let world: WebhookWorld;
let transactions = 0;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});
beforeEach(() => {
  transactions = 0;
});

const counted = (): Database => ({
  ...world.database,
  transaction: (work) => {
    transactions++;
    return world.database.transaction(work);
  },
});

async function itemFor(destination: string): Promise<QueueItem> {
  const { listener } = await world.add(`http://${destination}:9/`);
  await world.tell([listener.id], 1);
  const request = { keyIds, unstored: [], excluded: [], limitedToOne: [], itemsPerListener: 1, limit: 9 };
  const [item] = await readPage(world.database, { destination, ...request });
  if (item === undefined) throw new Error("nothing is due");
  return item;
}

const accepted = (item: QueueItem): AttemptResult => ({
  item,
  state: "accepted",
  waitMs: 0,
  at: new Date(),
  tookMs: 5,
  status: 204,
  fault: undefined,
});

test("batches of the same moment are stored in one transaction, and each caller gets the health of its own receivers", async () => {
  const items = [await itemFor("127.0.1.1"), await itemFor("127.0.1.2"), await itemFor("127.0.1.3")];
  const store = createResultWriter(counted(), () => {});
  const health = await Promise.all(items.map((item) => store([accepted(item)])));
  expect(health.map((each) => each.map(({ listenerId }) => listenerId))).toEqual(
    items.map(({ listener }) => [listener.id]),
  );
  expect(transactions).toBe(1);
  expect(await world.states()).toEqual({ accepted: 3 });
});

test("a batch that cannot be stored fails alone", async () => {
  const [good, bad] = [await itemFor("127.0.1.4"), await itemFor("127.0.1.5")];
  const store = createResultWriter(counted(), () => {});
  const results = await Promise.allSettled([
    store([accepted(good)]),
    // Postgres stores no NUL in texts.
    store([{ ...accepted(bad), state: "failed", fault: "\0" }]),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await world.states()).toEqual({ accepted: 4, waiting: 1 });
});
