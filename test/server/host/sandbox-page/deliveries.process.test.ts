import { expect, test } from "vitest";
import { readDeliveries, replayDelivery } from "../../../../server/host/sandbox-page/live.ts";
import { storeNotifications } from "../../../../server/webhooks/notifications.ts";
import { chainId, openWebhookWorld } from "../../../support/webhook-world.ts";

test("the page shows the newest deliveries with their events, and sends one again", async () => {
  await using world = await openWebhookWorld();
  const { listener } = await world.add("http://127.0.0.1:9/");
  const events = ["Transfer(address)", "Approval(address)"].map((eventSig, logIndex) => ({
    block: { number: 7, hash: "0x07" as const },
    logIndex,
    occurrence: 1,
    body: () => JSON.stringify({ event: { eventSig } }),
    recipients: [{ listenerId: listener.id, hold: undefined }],
  }));
  await world.database.transaction((tx) =>
    storeNotifications(
      { ...tx, chainId, isRecent: true },
      { lastSequence: 0, lastEvent: 0 },
      { events, lastBlock: 7, head: 7 },
    ),
  );
  expect(await readDeliveries(world.database)).toMatchObject([
    { sequence: 2, block: 7, type: "BLOCK_ADDED", event: "Approval(address)", state: "waiting" },
    { sequence: 1, block: 7, type: "BLOCK_ADDED", event: "Transfer(address)", state: "waiting" },
  ]);
  await world.database.query("update webhook_notification set state = 'accepted'");
  expect(await replayDelivery(world.database, chainId, 2)).toBe(1);
  expect(await replayDelivery(world.database, chainId, 3)).toBe(0);
  expect((await readDeliveries(world.database)).map(({ state }) => state)).toEqual(["waiting", "accepted"]);
});
