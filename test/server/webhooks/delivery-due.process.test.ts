import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { createLeases } from "../../../server/webhooks/delivery/dispatcher.ts";
import { replaceSecret } from "../../../server/webhooks/listeners.ts";
import { startReceiver } from "../../support/receiver.ts";
import { chainId, keyIds, sealSecret, startDispatcher } from "../../support/webhook-world.ts";
import { destinationsOf, patient, readDue, useWebhookWorld } from "./delivery-world.ts";

const shared = useWebhookWorld();

/** The database's clock counts microseconds, and stands still within a transaction. */
const ends = [
  ["a microsecond before", "-1 microsecond"],
  ["at", "0"],
  ["a microsecond after", "1 microsecond"],
] as const;

describe("a rotated secret", () => {
  const url = "http://127.0.0.1:9/";

  test("stays valid for one day", async () => {
    const { listener } = await shared.world.add(url);
    const owned = { projectId: shared.world.projectId, chainId };
    await replaceSecret(shared.world.database, owned, listener.id, sealSecret("whsec_AAAA", listener.id));
    const [row] = await shared.world.database.query<object>(
      "select (previous_secret_until - updated_at)::text as lasts from webhook_listener",
    );
    expect(row).toEqual({ lasts: "1 day" });
  });

  test.each([
    [...ends[0], 2],
    [...ends[1], 1],
    [...ends[2], 1],
  ])("%s its expiry signs calls together with the new one, or does not", async (_, passed, signatures) => {
    const { listener } = await shared.world.add(url);
    await shared.world.tell([listener.id], 1);
    const [item] = await shared.world.database.transaction(async (tx) => {
      await tx.query(
        "update webhook_listener set previous_secret = secret, previous_secret_until = now() - $1::interval",
        [passed],
      );
      return readDue(tx, url);
    });
    expect(item?.listener.sealed).toHaveLength(signatures);
  });

  test("lets receivers switch over: deliveries verify with either secret", async () => {
    await using receiver = await startReceiver();
    const { listener, secret } = await shared.world.add(receiver.url);
    const current = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const owned = { projectId: shared.world.projectId, chainId };
    await replaceSecret(shared.world.database, owned, listener.id, sealSecret(current, listener.id));
    await using dispatcher = startDispatcher(shared.world.database);
    await shared.world.tell([listener.id], 1);
    dispatcher.wake(destinationsOf(receiver.url));
    await expect.poll(() => receiver.calls.length, patient).toBe(1);
    const [sent] = receiver.calls;
    for (const known of [secret, current]) new Webhook(known).verify(sent?.body ?? "", { ...sent?.headers });
  });
});

describe("due items", () => {
  const url = "http://127.0.0.1:9/";

  test.each([
    [...ends[0], 0],
    [...ends[1], 1],
    [...ends[2], 1],
  ])("%s its due time an item is read, or not", async (_, passed, count) => {
    const { listener } = await shared.world.add(url);
    await shared.world.tell([listener.id], 1);
    const items = await shared.world.database.transaction(async (tx) => {
      await tx.query("update webhook_notification set due_at = now() - $1::interval", [passed]);
      return readDue(tx, url);
    });
    expect(items).toHaveLength(count);
  });

  test.each([
    [...ends[0], 0],
    [...ends[1], 1],
    [...ends[2], 1],
  ])("%s its probe time a paused listener is probed, or not", async (_, passed, count) => {
    const { listener } = await shared.world.add(url);
    await shared.world.tell([listener.id], 3);
    const items = await shared.world.database.transaction(async (tx) => {
      await tx.query("update webhook_listener set pause_reason = 'failing'");
      await tx.query("insert into webhook_health (listener_id, probe_at) values ($1, now() - $2::interval)", [
        listener.id,
        passed,
      ]);
      return readDue(tx, url);
    });
    expect(items).toHaveLength(count);
  });

  test.each([
    [...ends[0], []],
    [...ends[1], []],
    [...ends[2], ["a.example"]],
  ])(
    "%s the end of a lease another process can claim the destination, or not",
    async (_, passed, claimed) => {
      await shared.world.add("https://a.example/");
      const destinations = await shared.world.database.transaction(async (tx) => {
        const leases = () => createLeases(tx, { owner: randomUUID(), leaseMs: 10_000, keyIds });
        await leases().claim(["a.example"]);
        await tx.query("update webhook_destination set lease_until = now() - $1::interval", [passed]);
        return leases().claim(["a.example"]);
      });
      expect(destinations).toEqual(claimed);
    },
  );
});
