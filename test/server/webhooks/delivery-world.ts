/** The set-up of the tests of deliveries. */
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Queries } from "../../../server/base/storage/database.ts";
import { readPage } from "../../../server/webhooks/delivery/queue.ts";
import { keyIds, openWebhookWorld, type WebhookWorld } from "../../support/webhook-world.ts";

/** A world for all tests of a file, which find it empty. */
export function useWebhookWorld(): { readonly world: WebhookWorld } {
  const shared = {} as { world: WebhookWorld };
  beforeAll(async () => {
    shared.world = await openWebhookWorld();
  });
  afterAll(async () => {
    await shared.world[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await shared.world.database.query(
      "truncate webhook_notification, webhook_batch, webhook_attempt, webhook_health, webhook_destination, webhook_listener cascade",
    );
  });
  return shared;
}

export const patient = { timeout: 120_000 };

export const destinationsOf = (...urls: readonly string[]): string[] =>
  urls.map((url) => new URL(url).hostname);

export /** The due items of a destination, as of the transaction's time. */
function readDue(queries: Queries, url: string): ReturnType<typeof readPage> {
  const [destination = ""] = destinationsOf(url);
  return readPage(queries, {
    destination,
    keyIds,
    unstored: [],
    excluded: [],
    limitedToOne: [],
    itemsPerListener: 10,
    limit: 10,
  });
}
