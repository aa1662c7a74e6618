import { afterAll, beforeAll, expect, test } from "vitest";
import { Outbound } from "../../../server/base/outbound/outbound.ts";
import type { Database } from "../../../server/base/storage/database.ts";
import { CallTooLong, DatabaseBusy } from "../../../server/base/storage/fault.ts";
import { lockMaxMs, openDatabase } from "../../../server/base/storage/open-database.ts";
import { createSecretBox } from "../../../server/webhooks/secret.ts";
import { Webhooks } from "../../../server/webhooks/webhooks.ts";
import { signingKeysOf } from "../../support/signing-keys.ts";
import { chainId, openWebhookWorld, type WebhookWorld } from "../../support/webhook-world.ts";

const connections = 8;
/** Of 8 connections, as many as keep three times as many free. */
const mostWaiting = 2;

let world: WebhookWorld;
let database: Database;
beforeAll(async () => {
  world = await openWebhookWorld();
  database = openDatabase(
    { connectionString: world.url },
    { connections, statementTimeoutMs: 30_000, readMaxMs: 20_000, namedStatements: true },
  );
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const shareOf = (project: string) => database.sharedBy([{ name: `project ${project}`, divisor: 1 }]);

function webhooksOf(project: string): Webhooks {
  return new Webhooks({
    database: shareOf(project),
    outbound: new Outbound({ allow: ["127.0.0.0/8"], deny: [], ports: ["1-65535"] }),
    secrets: createSecretBox(signingKeysOf(1)),
  });
}

const waitingForLocks = async (): Promise<number> => {
  const [row] = await world.database.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return row?.count ?? 0;
};

/** Holds the row of the network, like the follower while it stores notifications. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await world.database.transaction(async (tx) => {
    await tx.query("select 1 from webhook_network where chain_id = $1 for update", [chainId]);
    await work();
  });
}

test("changes of listeners wait on a third of the free connections and for 2 s, and other calls go on", async () => {
  const { listener } = await world.add("http://127.0.0.1:9/");
  const scope = { projectId: world.projectId, chainId };
  await whileLocked(async () => {
    const changes = Array.from({ length: connections }, (_, index) =>
      webhooksOf(`${index}`)
        .toggle(scope, listener.id)
        .catch((err: unknown) => err),
    );
    await expect.poll(waitingForLocks).toBe(mostWaiting);
    expect(await shareOf("reader").query("select 1 as one")).toEqual([{ one: 1 }]);
    const faults = await Promise.all(changes);
    for (const fault of faults) expect([CallTooLong, DatabaseBusy]).toContain((fault as Error).constructor);
    expect(faults.map((fault) => (fault as Error).message)).toContain(
      "the change waited longer than 2000 ms for another one and was not made; try again",
    );
  });
  expect((await webhooksOf("0").toggle(scope, listener.id))?.pauseReason).toBe("owner");
});

test("a change that gets the row in time is made", async () => {
  const { listener } = await world.add("http://127.0.0.1:9/");
  const scope = { projectId: world.projectId, chainId };
  let change: Promise<unknown> | undefined;
  await whileLocked(async () => {
    change = webhooksOf("0").toggle(scope, listener.id);
    change.catch(() => {});
    await expect.poll(waitingForLocks, { interval: 10 }).toBe(1);
  });
  expect(await change).toMatchObject({ id: listener.id, pauseReason: "owner" });
});

test("the limit ends with the transaction, and the connection is used again", async () => {
  await using one = openDatabase(
    { connectionString: world.url },
    { connections: 1, statementTimeoutMs: 30_000, namedStatements: true },
  );
  const settings = "select current_setting('lock_timeout') as limit, pg_backend_pid() as pid";
  const share = one.sharedBy([]);
  const [during] = await share.transaction((tx) => tx.query<{ limit: string; pid: number }>(settings));
  expect(during?.limit).toBe(`${lockMaxMs / 1_000}s`);
  await whileLocked(async () => {
    const change = share.transaction((tx) =>
      tx.query("update webhook_network set revision = revision + 1 where chain_id = $1", [chainId]),
    );
    await expect(change).rejects.toThrow(CallTooLong);
  });
  expect(await one.query(settings)).toEqual([{ limit: "0", pid: during?.pid }]);
});
