import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database, Queries } from "../../../../server/base/storage/database.ts";
import { DatabaseFault } from "../../../../server/base/storage/fault.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import {
  Health,
  type HealthColumns,
  healthColumns,
  readOutdatedChains,
  reportHealth,
} from "../../../../server/chain/follower/health.ts";
import { migratedDatabase } from "../../../support/server.ts";

const chainId = 137;
let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;

beforeAll(async () => {
  server = await migratedDatabase();
  database = openDatabase(
    { connectionString: server.url },
    { connections: 2, statementTimeoutMs: 60_000, namedStatements: true },
  );
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await database.query("delete from follower_health");
  await database.query("delete from follower_cursor");
});

interface HealthRow extends HealthColumns {
  readonly head: string | null;
  readonly reported_seconds: number;
  readonly failing_seconds: number | null;
}

async function read(queries: Queries = database): Promise<HealthRow | undefined> {
  const [row] = await queries.query<HealthRow>(
    `select head, ${healthColumns}, extract(epoch from now() - reported_at)::float8 as reported_seconds,
       extract(epoch from now() - failing_since)::float8 as failing_seconds
     from follower_health where chain_id = $1`,
    [chainId],
  );
  return row;
}

/** A row whose times are these seconds ago. */
async function store(reported: number, failing: number | null, queries: Queries = database): Promise<void> {
  await queries.query(
    `insert into follower_health (chain_id, reported_at, head, failing_since, failure)
     values ($1, now() - make_interval(secs => $2), 8, now() - make_interval(secs => $3), case when $3::float8 is not null then 'earlier' end)`,
    [chainId, reported, failing],
  );
}

/** Runs a replica until its first report is stored. */
async function reportOnce(health: Health): Promise<void> {
  const stop = new AbortController();
  let left = 0;
  const counted: Queries = {
    query: async (...args) => {
      left++;
      return database.query<never>(...args);
    },
  };
  const running = reportHealth(counted, chainId, health, stop.signal);
  await expect.poll(() => left).toBeGreaterThan(0);
  stop.abort();
  await running;
}

const healthy = (): Health => {
  const health = new Health();
  health.succeeded();
  return health;
};
const failing = (): Health => {
  const health = new Health();
  health.failed(new DatabaseFault("now"));
  // Fails for ten seconds.
  Object.defineProperty(health, "failure", { value: { seconds: 10, text: "database: now" } });
  return health;
};

test.each<
  [
    replica: string,
    health: () => Health,
    follows: boolean,
    before: readonly [reported: number, failing: number | null] | undefined,
    after: { readonly failure: string | null; readonly failing_seconds: number | null },
  ]
>([
  ["a follower", healthy, true, undefined, { failure: null, failing_seconds: null }],
  ["a follower whose predecessor failed", healthy, true, [5, 60], { failure: null, failing_seconds: null }],
  [
    "a follower that has not advanced yet",
    () => new Health(),
    true,
    [5, 60],
    { failure: "earlier", failing_seconds: 60 },
  ],
  ["a failing follower", failing, true, [5, null], { failure: "database: now", failing_seconds: 10 }],
  [
    "a follower that fails like its predecessor",
    failing,
    true,
    [5, 60],
    { failure: "database: now", failing_seconds: 60 },
  ],
  [
    "a follower after a time without hosts",
    () => new Health(),
    true,
    [31, 60],
    { failure: null, failing_seconds: null },
  ],
  [
    "a failing follower after such a time",
    failing,
    true,
    [31, 60],
    { failure: "database: now", failing_seconds: 10 },
  ],
  [
    "another replica while a follower works",
    failing,
    false,
    [5, null],
    { failure: null, failing_seconds: null },
  ],
  [
    "another replica while a follower fails",
    failing,
    false,
    [5, 60],
    { failure: "database: now", failing_seconds: 60 },
  ],
  [
    "a waiting replica while a follower fails",
    () => new Health(),
    false,
    [5, 60],
    { failure: "earlier", failing_seconds: 60 },
  ],
])("%s reports what it knows", async (_, makeHealth, follows, before, after) => {
  if (before !== undefined) await store(...before);
  const health = makeHealth();
  health.follows = follows;
  health.head = follows ? 9 : undefined;
  await reportOnce(health);
  const row = await read();
  expect(row).toMatchObject({
    is_silent: false,
    failure: after.failure,
    head: follows ? "9" : before && "8",
  });
  if (after.failing_seconds === null) expect(row?.failing_seconds).toBeNull();
  else expect(Math.abs((row?.failing_seconds ?? 0) - after.failing_seconds)).toBeLessThan(5);
});

test("a replica that cannot follow the chain reports that if no other replica follows it", async () => {
  const health = failing();
  const stop = new AbortController();
  const running = reportHealth(database, chainId, health, stop.signal);
  await expect.poll(read).toMatchObject({ failure: null });
  await database.query("update follower_health set reported_at = now() - interval '31 s'");
  await expect.poll(read).toMatchObject({ failure: "database: now", is_silent: false });
  stop.abort();
  await running;
});

test.each<[reported: number, silent: boolean]>([
  [29, false],
  [30, false],
  [30.001, true],
])("%d seconds after the last report, a chain without a host is reported: %j", async (seconds, silent) => {
  await database.transaction(async (tx) => {
    await store(seconds, null, tx);
    expect(await read(tx)).toMatchObject({
      is_silent: silent,
      failure: silent ? "no running host follows the chain" : null,
    });
  });
});

const outdated = (queries: Queries): Promise<readonly object[]> => readOutdatedChains(queries, [chainId]);

test.each<[reported: number, failing: number | null, failure: string | undefined]>([
  [0, null, undefined],
  [0, 299, undefined],
  [0, 300, undefined],
  [0, 300.001, "earlier"],
  [300, null, undefined],
  [300.001, null, "no running host follows the chain"],
])(
  "%d seconds after the last report and %j of failures, readiness has %j",
  async (reported, failing, failure) => {
    await database.transaction(async (tx) => {
      await store(reported, failing, tx);
      const expected = { chainId, block: null, stopped: null, failure };
      expect(await outdated(tx)).toMatchObject(failure === undefined ? [] : [expected]);
      await tx.query("insert into follower_cursor (chain_id, first_block, block_number) values ($1, 0, 11)", [
        chainId,
      ]);
      expect(await outdated(tx)).toMatchObject(failure === undefined ? [] : [{ ...expected, block: 11 }]);
      expect(await readOutdatedChains(tx, [1])).toEqual([]);
    });
  },
);

test("a stopped chain is outdated at once, and a chain without reports is not", async () => {
  await database.query(
    "insert into follower_cursor (chain_id, first_block, block_number) values ($1, 0, 11)",
    [chainId],
  );
  expect(await outdated(database)).toEqual([]);
  await database.query("update follower_cursor set stopped = 'too deep'");
  expect(await outdated(database)).toEqual([
    expect.objectContaining({ chainId, block: 11, stopped: "too deep", failingSince: null }),
  ]);
});
