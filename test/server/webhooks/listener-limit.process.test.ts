import { expect, test } from "vitest";
import { databaseOf } from "../../support/database.ts";
import { filters, type Json, url, useListenerHost } from "./listener-host.ts";

const shared = useListenerHost();
const { call } = shared;

test("more listeners than a project may have, even when added concurrently", async () => {
  // The first listener is added by a call, most others as copies of its record.
  expect(await call("AddWebhookListener", { url, filters }, shared.other)).toMatchObject({ status: true });
  await using database = databaseOf(shared.data);
  await database.query(
    `insert into webhook_listener (id, project_id, chain_id, url, host, name, format, filters, secret)
     select id + copy, project_id, chain_id, url, host, name, format, filters, secret
     from webhook_listener, generate_series(1, 949) copy where project_id = $1`,
    [shared.other.projectId],
  );
  let made = 0;
  const refusals: Json[] = [];
  async function addUntilRefused(): Promise<void> {
    while (refusals.length === 0) {
      const answer = await call("AddWebhookListener", { url, filters }, shared.other);
      if (answer["status"] === true) made++;
      else if (answer["code"] === 2000) refusals.push(answer);
    }
  }
  await Promise.all(Array.from({ length: 10 }, addUntilRefused));
  expect(made).toBe(50);
  expect(refusals[0]?.["cause"]).toBe(
    "the project has reached its limit of 1000 listeners; remove one first",
  );
  expect((await call("GetAllWebhookListeners", {}, shared.other))["listeners"]).toHaveLength(1_000);
});
