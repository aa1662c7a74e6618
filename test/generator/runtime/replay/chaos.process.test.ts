/** Streams with `@resume` on real sockets, in processes that are killed, and with the store in Postgres that the docs show. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DocumentedStore,
  documentedStore,
  loadStore,
  type OpenStore,
} from "../../../crash/news-store.ts";
import { chaosOfStreams, startNewsHost } from "../../../crash/streams.ts";
import { watch } from "../../../fixtures/feeds/generated/client.ts";
import { FeedGapError } from "../../../fixtures/feeds/generated/errors.ts";
import { startChaosProxy } from "../../../support/chaos-proxy.ts";
import { type MadeDatabase, makeDatabase } from "../../../support/make-database.ts";
import { seededRandom } from "../../../support/random.ts";

const postgres = process.env["TEST_DATABASE_URL"] ?? "";

test("two hosts on one Postgres: cuts and kills lose no item and repeat none", async () => {
  const options = { items: 1_000, kills: 2, readers: 3, postgres, random: seededRandom(5) };
  const report = await chaosOfStreams(options);
  expect(report).toMatchObject({ items: 1_000, lost: 0, twice: 0, unordered: 0, kills: 2 });
  expect(report.proxy.resets + report.proxy.ends).toBeGreaterThanOrEqual(50);
  for (const count of Object.values(report.proxy)) expect(count).toBeGreaterThan(0);
});

test("with a window in memory, cuts lose nothing, and a kill is a gap", async () => {
  let host = await startNewsHost("memory");
  await using proxy = await startChaosProxy({ target: () => host.port, random: seededRandom(6) });
  proxy.isOn = true;
  const numbers: number[] = [];
  const stream = watch(
    { url: proxy.url },
    { feed: "x" },
    { reconnect: { firstMs: 5, mostMs: 50, tries: Number.POSITIVE_INFINITY } },
  );
  let killing: Promise<void> | undefined;
  const reading = (async () => {
    for await (const { text } of stream) {
      numbers.push(Number(text));
      if (numbers.length !== 300) continue;
      killing = (async () => {
        await host.kill();
        host = await startNewsHost("memory");
      })();
    }
  })();
  await expect(reading).rejects.toBeInstanceOf(FeedGapError);
  await killing;
  await host.kill();
  const [first = 0] = numbers;
  expect(numbers.length).toBeGreaterThanOrEqual(300);
  expect(numbers).toEqual(numbers.map((_, index) => first + index));
  expect(proxy.done.resets + proxy.done.ends).toBeGreaterThan(0);
});

describe("the store in Postgres", () => {
  let documented: DocumentedStore;
  let open: OpenStore;
  let database: MadeDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    documented = documentedStore();
    open = await loadStore(documented.path);
    database = await makeDatabase(postgres);
    pool = new pg.Pool({ connectionString: database.url, max: 10 });
    await pool.query(documented.sql);
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
    documented?.[Symbol.dispose]();
  });

  function opened(options?: { maxItems?: number; maxAgeMs?: number }) {
    const store = open(pool, options);
    return {
      store,
      add: async (topic: string, text: string) => (await store.publish(topic, (id) => ({ id, text }))).id,
      textsAfter: async (topic: string, position: string, max = 1_000) => {
        const found = await store.itemsAfter(topic, position, max);
        return found === "gap" ? found : found.map(({ item }) => item.text).join("");
      },
      [Symbol.dispose]: () => store.close(),
    };
  }

  test.each(Array.from({ length: 9 }, (_, count) => count))(
    "with at most 5 items, %d items that a reader has missed are read, or are a gap",
    async (count) => {
      using window = opened({ maxItems: 5 });
      const topic = `count ${count}`;
      await window.add(topic, "before");
      const start = await window.store.position(topic);
      for (let index = 0; index < count; index++) await window.add(topic, `${index}`);
      expect(await window.textsAfter(topic, start)).toBe(count > 5 ? "gap" : "01234".slice(0, count));
      expect(await window.textsAfter(topic, await window.store.position(topic))).toBe("");
      const { rows } = await pool.query("select count(*)::int from replay_item where topic = $1", [topic]);
      expect(rows[0].count).toBe(Math.min(5, count + 1));
    },
  );

  test.each([
    [59_000, "abc"],
    [61_000, "gap"],
  ])("with a maximum age of a minute, items that are %d ms old", async (age, expected) => {
    using window = opened({ maxAgeMs: 60_000 });
    const topic = `age ${age}`;
    const start = await window.store.position(topic);
    for (const text of "ab") await window.add(topic, text);
    await pool.query("update replay_item set at = at - $2 * interval '1 millisecond' where topic = $1", [
      topic,
      age,
    ]);
    await window.add(topic, "c");
    expect(await window.textsAfter(topic, start)).toBe(expected);
  });

  test("survives a restart of the process", async () => {
    let id = "";
    {
      using before = opened();
      id = await before.add("restart", "a");
      await before.add("restart", "b");
    }
    using after = opened();
    expect(await after.textsAfter("restart", id)).toBe("b");
  });

  test("positions of other topics, of earlier tables and in the future are gaps", async () => {
    using window = opened();
    const id = await window.add("own", "a");
    const other = await window.add("other", "a");
    await window.add("own", "b");
    expect(await window.textsAfter("own", id, 1)).toBe("b");
    const future = id.replace(/\d+$/, "3");
    for (const position of [other, future, "", "x", `${"-".repeat(36)}-1`, `${id}x`])
      expect(await window.textsAfter("own", position)).toBe("gap");
    expect(await window.textsAfter("unknown", id)).toBe("gap");
    await pool.query("update replay_topic set epoch = gen_random_uuid() where topic = 'own'");
    expect(await window.textsAfter("own", id)).toBe("gap");
  });

  test("an item is published with the transaction of a change, or not at all", async () => {
    using window = opened();
    const start = await window.store.position("change");
    const db = await pool.connect();
    for (const [text, end] of [
      ["undone", "rollback"],
      ["done", "commit"],
    ] as const) {
      await db.query("begin");
      await window.store.publish("change", (id) => ({ id, text }), db);
      expect(await window.textsAfter("change", start)).toBe("");
      await db.query(end);
    }
    db.release();
    expect(await window.textsAfter("change", start)).toBe("done");
  });

  test("readers of all processes are woken, also after the connection that listens is lost", async () => {
    using reader = opened();
    using writer = opened();
    const woken: string[] = [];
    const stop = reader.store.onPublish("wake", () => woken.push("wake"));
    await expect.poll(() => woken.length).toBe(1);
    await writer.add("quiet", "a");
    await writer.add("wake", "a");
    await expect.poll(() => woken.length).toBe(2);
    await pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'listen replay'",
    );
    await writer.add("wake", "b");
    await expect.poll(() => woken.length).toBeGreaterThan(2);
    stop();
  });
});
