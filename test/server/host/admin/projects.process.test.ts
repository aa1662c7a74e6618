import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadKeccak } from "../../../../server/base/keccak.ts";
import { dueDestinations } from "../../../../server/webhooks/delivery/queue.ts";
import { createEventReader } from "../../../../server/webhooks/filters.ts";
import { addListener } from "../../../../server/webhooks/listeners.ts";
import { ListenerSnapshot } from "../../../../server/webhooks/notify/snapshot.ts";
import { type Data, makeDataFolder } from "../../../support/host.ts";
import { ask, makeKey, makeSecret, operate, operateOn } from "../../../support/operator.ts";
import { startReceiver } from "../../../support/receiver.ts";
import {
  chainId,
  keyIds,
  openWebhookWorld,
  startDispatcher,
  type WebhookWorld,
} from "../../../support/webhook-world.ts";

let world: WebhookWorld;
let data: Data;
beforeAll(async () => {
  world = await openWebhookWorld();
  const env = { DATABASE_URL: world.url, SIGNING_KEY: Buffer.alloc(32, 1).toString("base64") };
  data = { ...makeDataFolder(), env };
});
afterAll(async () => {
  await data?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

test("webhooks of a disabled project get no events and are not sent, and keep their pauses", async () => {
  await using receiver = await startReceiver();
  const project = String(world.projectId);
  const { listener } = await world.add(receiver.url);
  const { listener: paused } = await world.add(receiver.url);
  await ask(data, "webhooks", "pause", String(paused.id));
  await world.tell([listener.id], 2);
  const snapshot = new ListenerSnapshot(chainId, createEventReader(await loadKeccak()));
  const state = async (): Promise<unknown> => {
    await snapshot.refresh(world.database, 0);
    const listeners = await ask<{ listener: number; state: string }[]>(data, "webhooks", "list");
    return {
      states: Object.fromEntries(listeners.map((each) => [each.listener, each.state])),
      matched: snapshot.filter.addresses?.size,
      due: await dueDestinations(world.database, randomUUID(), keyIds),
    };
  };
  const enabled = {
    states: { [listener.id]: "active", [paused.id]: "paused by owner" },
    matched: 1,
    due: ["127.0.0.1"],
  };
  expect(await state()).toEqual(enabled);
  expect(await ask(data, "projects", "disable", project)).toMatchObject({
    disabled: true,
    webhookListeners: 2,
  });
  const { listener: late } = await world.add(receiver.url);
  expect(await state()).toEqual({
    states: Object.fromEntries([listener, paused, late].map(({ id }) => [id, "project disabled"])),
    matched: 0,
    due: [],
  });
  await ask(data, "webhooks", "delete", String(late.id), "--yes");
  expect(await ask(data, "projects", "enable", project)).toMatchObject({ disabled: false, disabledAt: null });
  expect(await state()).toEqual(enabled);
  await using dispatcher = startDispatcher(world.database);
  dispatcher.wake(["127.0.0.1"]);
  await expect.poll(() => receiver.calls.length).toBe(2);
});

test("a project is renamed", async () => {
  const { id } = await ask<{ id: number }>(data, "projects", "create", "Old");
  expect(await ask(data, "projects", "set", String(id), "--name", "New")).toMatchObject({ id, name: "New" });
  expect(await ask(data, "projects", "show", String(id))).toMatchObject({ id, name: "New" });
});

/** Number of rows of each table. */
async function tableSizes(): Promise<ReadonlyMap<string, number>> {
  const tables = await world.database.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const sizes = new Map<string, number>();
  for (const { name } of tables) {
    const [row] = await world.database.query<{ count: number }>(`select count(*)::int as count from ${name}`);
    sizes.set(name, row?.count ?? 0);
  }
  return sizes;
}

function difference(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Readonly<Record<string, number>> {
  const grown = [...after].map(([name, size]) => [name, size - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(grown.filter(([name, more]) => more !== 0 && name !== "audit_record"));
}

/** Columns that name a project, or what belongs to one. */
const ownerColumns = ["project_id", "listener_id", "audience_id", "stream_id", "account"];

async function fill(project: number): Promise<number> {
  const { id: key } = await makeKey(data, project);
  expect(key).toBeGreaterThan(0);
  await makeSecret(data, project);
  await ask(data, "origins", "add", String(project), "https://shop.example");
  const { id: audience } = await ask<{ id: number }>(data, "audiences", "create", String(project), "All");
  for (const [kind, line] of [
    ["contacts", { audienceId: audience, email: "ann@example.org" }],
    ["contract-sources", { projectId: project, uid: "a", contractType: "ERC1155", name: "A", abi: "[]" }],
  ] as const)
    expect(await operateOn(data, `${JSON.stringify(line)}\n`, "import", kind)).toMatchObject({ code: 0 });
  const listener = await world.database.transaction((tx) =>
    addListener(tx, {
      projectId: project,
      chainId,
      url: "https://receiver.example/hook",
      filters: { contractAddresses: [`0x${"2".repeat(40)}`], events: ["Transfer(address)"] },
      format: "object",
      delivery: "head",
      name: undefined,
      seal: () => Buffer.from("sealed"),
    }),
  );
  const rows = [
    `insert into contract (project_id, contract_name, chain_id, contract_address, contract_type, source, audience_id)
     values (${project}, 'A', 1, '0x1', 'ERC1155', 'LINKED', ${audience})`,
    `insert into kept_response (scope, key, project_id, fingerprint, response) values ('${project}', 'k', ${project}, 'f', '')`,
    `insert into webhook_health (listener_id) values (${listener.id})`,
    `insert into webhook_past (listener_id, chain_id, from_block, next_block) values (${listener.id}, ${chainId}, 1, 2)`,
    "insert into webhook_destination (host, owner, lease_until) values ('receiver.example', gen_random_uuid(), now())",
    `insert into event_stream (project_id, chain_id, filters, digest) values (${project}, ${chainId}, '{}', '')`,
    `insert into event_stream_item (stream_id, number, block_number, block_hash, log_index, body)
     select id, 1, 1, '', 0, '{}' from event_stream where project_id = ${project}`,
  ];
  for (const row of rows) await world.database.query(row);
  return listener.id;
}

test("a deleted project leaves nothing in any table, and other projects keep everything", async () => {
  const { listener: other } = await world.add("https://other.example/hook");
  const before = await tableSizes();
  const { id } = await ask<{ id: number }>(data, "projects", "create", "Gone");
  const listener = await fill(id);
  // Their notifications share a batch.
  await world.tell([other.id, listener], 3);
  // More batches than are deleted at once.
  for (let batch = 0; batch < 501; batch++) await world.tell([listener], 1);
  await world.database.query(
    `insert into webhook_attempt (chain_id, sequence, attempt, at, took_ms)
     select chain_id, sequence, 1, now(), 5 from webhook_notification where listener_id = $1`,
    [listener],
  );
  const grown = difference(before, await tableSizes());
  const owned = await world.database.query<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = any($1)`,
    [ownerColumns],
  );
  expect(Object.keys(grown)).toEqual(expect.arrayContaining(owned.map(({ name }) => name)));
  expect(owned.length).toBeGreaterThan(12);

  expect(await operate(data, "projects", "delete", String(id), "--no-yes")).toEqual({
    code: 2,
    out: "",
    err: `platform: project ${id} ("Gone") will be deleted with 1 access key, 1 service account, 1 secret key, 1 origin, 1 contract source, 1 contract, 1 audience, 1 contact, 1 webhook listener, 504 waiting notifications, 1 event stream, which cannot be undone; to confirm, repeat the command with --yes\n`,
  });
  expect(difference(before, await tableSizes())).toEqual(grown);
  expect(await ask(data, "projects", "delete", String(id), "--yes")).toMatchObject({
    id,
    name: "Gone",
    contacts: 1,
    webhookListeners: 1,
    waitingNotifications: 504,
  });
  expect(difference(before, await tableSizes())).toEqual({ webhook_batch: 1, webhook_notification: 3 });
  expect(await ask<object[]>(data, "audit", "list", "--limit", "2")).toMatchObject([
    { command: "projects delete", arguments: [String(id), "--yes=true"], outcome: "done" },
    {
      command: "projects delete",
      arguments: [String(id), "--yes=false"],
      outcome: expect.stringContaining("failed: project"),
    },
  ]);
});
