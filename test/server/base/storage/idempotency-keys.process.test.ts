import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteOldResponses } from "../../../../server/base/storage/idempotency-keys.ts";
import { openWebhookWorld, type WebhookWorld } from "../../../support/webhook-world.ts";

let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe("kept responses", () => {
  const count = async (): Promise<number> => (await world.database.query("select from kept_response")).length;
  const fill = (rows: number, age: string, projectId = world.projectId) =>
    world.database.query(
      `insert into kept_response (scope, key, project_id, fingerprint, response, kept_at)
       select $1::bigint || $2, number::text, $1, '', '', now() - $2::interval - make_interval(secs => number * 0.001)
       from generate_series(1, $3) as number`,
      [projectId, age, rows],
    );
  beforeEach(() => world.database.query("truncate kept_response").then(() => {}));

  test.each([
    ["23:59", 1],
    ["24:00", 0],
    ["24:01", 0],
  ])("that are %s hours old: %i", async (age, left) => {
    await fill(1, age);
    await deleteOldResponses(world.database);
    expect(await count()).toBe(left);
  });

  test.each([4_999, 5_000, 5_001, 10_001])("that are too old are all deleted: %i", async (rows) => {
    await fill(rows, "24:01");
    await deleteOldResponses(world.database);
    expect(await count()).toBe(0);
  });

  test.each([
    [9_999, 9_999],
    [10_000, 10_000],
    [10_001, 10_000],
  ])("of a project: %i leaves %i", async (rows, left) => {
    const [another] = await world.database.query<{ id: string }>(
      "insert into project (name) values ('another') returning id",
    );
    await fill(3, "01:00", Number(another?.id));
    await fill(rows, "00:00");
    await deleteOldResponses(world.database);
    expect(await count()).toBe(left + 3);
    // The oldest goes first.
    const oldest = await world.database.query("select from kept_response where key = '10001'");
    expect(oldest).toHaveLength(0);
  });
});
