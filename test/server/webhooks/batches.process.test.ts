import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { showWebhook } from "../../../server/host/admin/commands/webhooks.ts";
import {
  type NewEvent,
  storeNotifications,
  uidOf,
  unpackBodies,
} from "../../../server/webhooks/notifications.ts";
import { blockOfUid, replay } from "../../../server/webhooks/replay.ts";
import { chainId, openWebhookWorld, type WebhookWorld } from "../../support/webhook-world.ts";

let world: WebhookWorld;
let listenerId: number;
beforeAll(async () => {
  world = await openWebhookWorld();
  listenerId = (await world.add("http://127.0.0.1:9/")).listener.id;
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await world.database.query("truncate webhook_notification, webhook_batch");
});

const hashes = { 1: `0x${"a1".repeat(32)}`, 2: `0x${"a2".repeat(32)}` } as const;

interface EventInput {
  readonly block?: 1 | 2;
  readonly logIndex?: number;
  readonly characters?: number;
  readonly recipients?: number;
}

/** An event whose body has this many characters. */
function event({ block = 1, logIndex = 0, characters = 200, recipients = 1 }: EventInput): NewEvent {
  const body = `{"block":${block},"log":${logIndex},"more":""}`;
  return {
    block: { number: block, hash: hashes[block] },
    logIndex,
    occurrence: 1,
    body: () => body.replace(/"}$/, `${"x".repeat(characters - body.length)}"}`),
    recipients: Array.from({ length: recipients }, () => ({ listenerId, hold: undefined })),
  };
}

async function add(...events: readonly NewEvent[]): Promise<void> {
  await world.database.transaction((tx) =>
    storeNotifications(
      { ...tx, chainId, isRecent: true },
      { lastSequence: 0, lastEvent: 0 },
      { events, lastBlock: 2, head: 2 },
    ),
  );
}

async function batches(): Promise<readonly { first: number; last: number; logs: readonly number[] }[]> {
  const rows = await world.database.query<{
    first: number;
    last: number;
    logs: readonly number[];
    bodies: Buffer;
  }>(
    `select first_sequence::float8 as first, last_sequence::float8 as last, log_indexes as logs, bodies
     from webhook_batch order by first_sequence`,
  );
  return rows.map(({ bodies, ...row }) => {
    const logs = unpackBodies(bodies).map((body) => (JSON.parse(body) as { readonly log: number }).log);
    expect(logs).toEqual(row.logs);
    return row;
  });
}

/** A statement stores at most 5,000. */
describe.each([500, 4_999, 5_000, 5_001])("%i notifications", (count) => {
  test("are stored in order, as the listeners demand", async () => {
    const holds = [
      undefined,
      { delivery: "safe", block: 2 },
      { delivery: "finalized", block: 2 },
      { delivery: "head", block: 9 },
    ] as const;
    const recipients = Array.from({ length: count - 1 }, (_, index) => ({
      listenerId: index + 1,
      hold: holds[index % holds.length],
    }));
    await world.database.query(
      "update webhook_network set last_sequence = 0, last_event = 0, last_block = 9",
    );
    await add({ ...event({ block: 2 }), recipients }, event({ block: 2, logIndex: 1 }));
    const rows = await world.database.query(
      `select sequence::int, listener_id::float8 as listener, event::int, state, delivery, block_number::int as block,
              due_at <= now() as is_due, attempts
       from webhook_notification order by sequence`,
    );
    const stored = [...recipients, { listenerId, hold: undefined }].map(
      ({ listenerId: listener, hold }, index) => ({
        sequence: index + 1,
        listener,
        event: index < recipients.length ? 1 : 2,
        state: hold === undefined ? "waiting" : "held",
        delivery: hold?.delivery ?? null,
        block: hold?.block ?? null,
        is_due: true,
        attempts: 0,
      }),
    );
    expect(rows).toEqual(stored);
    expect(await batches()).toEqual(
      count <= 5_000
        ? [{ first: 1, last: count, logs: [0, 1] }]
        : [
            { first: 1, last: count - 1, logs: [0] },
            { first: count, last: count, logs: [1] },
          ],
    );
    expect(
      await world.database.query(
        "select last_sequence::int as sequence, last_event::int as event, last_block::int as block from webhook_network",
      ),
    ).toEqual([{ sequence: count, event: 2, block: 9 }]);
  });
});

describe("a batch", () => {
  test.each([
    [[16_384, 16_383], 1],
    [[16_384, 16_384], 1],
    [[16_384, 16_385], 2],
    [[16_385, 16_384], 2],
    [[32_769, 200], 2],
    [[200, 40_000, 200], 3],
  ])("holds at most 32,768 characters, or one event: %j need %i", async (sizes, count) => {
    await add(...sizes.map((characters, logIndex) => event({ logIndex, characters })));
    const stored = await batches();
    expect(stored).toHaveLength(count);
    expect(stored.flatMap(({ logs }) => logs)).toEqual(sizes.map((_, index) => index));
  });

  test("holds events of one block, and the sequences of all their notifications", async () => {
    await add(
      event({ logIndex: 4, recipients: 3 }),
      event({ logIndex: 6 }),
      event({ block: 2, logIndex: 1, recipients: 2 }),
    );
    expect(await batches()).toEqual([
      { first: 1, last: 4, logs: [4, 6] },
      { first: 5, last: 6, logs: [1] },
    ]);
  });
});

test.each([4_999, 5_000, 5_001, 10_000])(
  "an event is found by its uid below %i newer batches",
  async (count) => {
    await add(event({ logIndex: 4 }));
    await world.database.query(
      `insert into webhook_batch (chain_id, first_sequence, last_sequence, first_event, block_number, block_hash, log_indexes, is_removal,
                                occurrence, bodies)
     select $1, n, n, n, n, '\\x02', '{1,2}', false, 1, '\\x03' from generate_series(2, $2::int + 1) as n`,
      [chainId, count],
    );
    expect(await blockOfUid(world.database, uidOf(chainId, hashes[1], 4, "BLOCK_ADDED"))).toEqual({
      chainId,
      block: 1,
    });
    expect(await blockOfUid(world.database, uidOf(chainId, hashes[1], 4, "BLOCK_REMOVED"))).toBeUndefined();
  },
);

test("operators see the uids that receivers get, and replay by them", async () => {
  await add(event({ logIndex: 4 }), event({ logIndex: 6, recipients: 2 }), event({ block: 2, logIndex: 4 }));
  const shown = await showWebhook(world.database, listenerId, { state: undefined, limit: 9 });
  const [first, second] = [4, 6].map((logIndex) => uidOf(chainId, hashes[1], logIndex, "BLOCK_ADDED"));
  const third = uidOf(chainId, hashes[2], 4, "BLOCK_ADDED");
  expect(shown.map(({ uid, block }) => [uid, block])).toEqual([
    [third, 2],
    [second, 1],
    [second, 1],
    [first, 1],
  ]);
  await world.database.query("update webhook_notification set state = $1", ["failed"]);
  expect(await replay(world.database, { uid: second, onlyFailed: true })).toBe(2);
  expect(await replay(world.database, { sequence: 4, onlyFailed: true })).toBe(1);
  const waiting = await showWebhook(world.database, listenerId, { state: "waiting", limit: 9 });
  expect(waiting.map(({ sequence }) => sequence)).toEqual([4, 3, 2]);
});
