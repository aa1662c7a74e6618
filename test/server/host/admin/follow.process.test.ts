/** `platform follow` without a host: the test does what a host does in the database. */
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { runAdmin } from "../../../../server/host/admin/admin.ts";
import { databaseOf } from "../../../support/database.ts";
import { type Data, makeData } from "../../../support/host.ts";
import { type OperatorOutcome, operateInProcess } from "../../../support/operator.ts";

let data: Data;
let database: Database;

beforeAll(async () => {
  data = await makeData();
  database = databaseOf(data);
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await data?.[Symbol.asyncDispose]();
});

/** A chain that a host follows from block 5 to block 20. */
beforeEach(async () => {
  await database.query("delete from follower_health");
  await database.query("delete from follower_cursor");
  await database.query(
    "insert into follower_cursor (chain_id, first_block, block_number, head) values (137, 5, 20, 20)",
  );
  await database.query("insert into follower_health (chain_id, head) values (137, 22)");
});

const reindex = (...args: readonly string[]) => operateInProcess(data, ["follow", "reindex", ...args]);

const execute = (statement: string) => database.query(statement);

async function requested(): Promise<number | null> {
  const [row] = await database.query<{ readonly block: number | null }>(
    "select rewind_to::float8 as block from follower_cursor where chain_id = 137",
  );
  return row?.block ?? null;
}

/** Runs the command, and changes the chain once it has requested the work. */
async function reindexWhile(
  args: readonly string[],
  ...statements: readonly string[]
): Promise<OperatorOutcome> {
  const done = reindex(...args);
  await expect.poll(requested).not.toBeNull();
  for (const statement of statements) await execute(statement);
  return done;
}

const isDone = "update follower_cursor set rewind_to = null";

describe("follow reindex", () => {
  test.each<[args: readonly string[], code: number, message: string]>([
    [
      ["polygon"],
      2,
      "--from is missing: the first block to derive again; polygon is followed from block 5 on, and a contract has no records before the block of its deployment",
    ],
    [["polygon", "--from", ""], 2, '--from: expected a block number, found ""'],
    [["polygon", "--from", "ten"], 2, '--from: expected a block number, found "ten"'],
    [["polygon", "--from", "1".repeat(16)], 2, `--from: expected a block number, found "${"1".repeat(16)}"`],
    [["polygon", "--from", "22"], 1, '--from: polygon is only followed up to block 20, found "22"'],
    [["mainnet", "--from", "1"], 1, 'network "mainnet" is not followed; see: platform follow list'],
    [["137000", "--from", "1"], 1, 'network "137000" is not followed; see: platform follow list'],
    [["base", "--from", "1"], 1, 'no block of network "base" was followed yet; nodes: HTTP 503'],
    [["arbitrum", "--from", "1"], 1, 'no block of network "arbitrum" was followed yet; try again later'],
  ])("%j is refused and requests nothing", async (args, code, message) => {
    await execute(
      "insert into follower_health (chain_id, failing_since, failure) values (8453, now(), 'nodes: HTTP 503'), (42161, null, null)",
    );
    expect(await reindex(...args)).toEqual({ code, out: "", err: `platform: ${message}\n` });
    expect(await requested()).toBeNull();
  });

  const began =
    "platform: blocks 10 to 20 of polygon will be derived again; to watch: platform follow list polygon\n";

  test("reports the beginning, and at the end what was done and what comes next", async () => {
    const { code, out, err } = await reindexWhile(["polygon", "--from", "10"], isDone);
    expect({ code, err }).toEqual({ code: 0, err: began });
    expect(out).toMatch(/^reindexed blocks +11$/m);
    expect(out).toMatch(
      /\nDerived 11 blocks of polygon again, 10 to 20, in [\d.]+ s\. The host now reads 2 newer blocks\.\n$/,
    );
  });

  test("reports the end to programs", async () => {
    const { code, out } = await reindexWhile(["polygon", "--from", "20", "--format", "json"], isDone);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      network: "polygon",
      block: 20,
      behind: 2,
      failure: null,
      reindexedFrom: 20,
      reindexedBlocks: 1,
      seconds: expect.any(Number),
    });
  });

  test("from the next block, has nothing to do", async () => {
    const { code, out, err } = await reindexWhile(
      ["polygon", "--from", "21"],
      "update follower_health set head = 20",
      isDone,
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/\nThere was no block of polygon to derive again\. polygon is up to date\.\n$/);
  });

  test.each([
    [0, "The host now reads 2 newer blocks."],
    [1, "The host now reads 2 newer blocks. 1 record could not be derived; see: platform follow skipped"],
    [2, "The host now reads 2 newer blocks. 2 records could not be derived; see: platform follow skipped"],
  ])("reports that %i of the records could not be derived", async (count, text) => {
    await execute("delete from follower_skipped");
    const skip = (block: number) =>
      `insert into follower_skipped (chain_id, deriver, step, block_number, block_hash, reason) values (137, 'a', 'added', ${block}, '\\x00', 'x')`;
    const blocks = [9, 21, ...[10, 20].slice(0, count)];
    const { code, out } = await reindexWhile(["polygon", "--from", "10"], ...blocks.map(skip), isDone);
    expect(code).toBe(0);
    expect(out.endsWith(` s. ${text}\n`)).toBe(true);
    await execute("delete from follower_skipped");
  });

  test("waits until the newest block is known", async () => {
    await execute("update follower_cursor set head = null");
    await execute("update follower_health set head = null");
    const { code, out, err } = await reindexWhile(
      ["polygon", "--from", "21"],
      isDone,
      "update follower_health set failing_since = now() - interval '31 s', failure = 'nodes: HTTP 503'",
    );
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("nodes: HTTP 503");
  });

  test("without a running host, says so and leaves the request", async () => {
    await execute(
      "update follower_health set reported_at = now() - interval '31 s', failing_since = now(), failure = 'x'",
    );
    const err = "platform: no running host follows polygon; the work starts at block 10 when one does\n";
    expect(await reindex("polygon", "--from", "10")).toEqual({ code: 1, out: "", err });
    expect(await requested()).toBe(10);
  });

  test("with a host that fails, reports the cause and leaves the request", async () => {
    await execute(
      "update follower_health set failing_since = now() - interval '31 s', failure = 'database: no room'",
    );
    const { code, err } = await reindex("polygon", "--from", "10");
    expect(code).toBe(1);
    expect(err.slice(began.length)).toMatch(
      /^platform: the host that follows polygon has failed since \d{4}-\S+Z: database: no room; the work continues when the cause is gone; to watch: platform follow list polygon\n$/,
    );
    expect(await requested()).toBe(10);
  });

  test("waits for the end of a short failure", async () => {
    await execute(
      "update follower_health set failing_since = now() - interval '20 s', failure = 'database: no room'",
    );
    expect(await reindexWhile(["polygon", "--from", "10"], isDone)).toMatchObject({ code: 0, err: began });
  });

  test("reports a chain that is stopped meanwhile", async () => {
    const { code, err } = await reindexWhile(
      ["polygon", "--from", "10"],
      "update follower_cursor set rewind_to = null, block_number = 12, stopped = 'too deep'",
    );
    expect({ code, err }).toEqual({
      code: 1,
      err: `${began}platform: polygon is stopped at block 12: too deep\n`,
    });
  });

  test("shows a bar in a terminal", async () => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
    const args = ["follow", "reindex", "polygon", "--from", "10", "--data-dir", data.folder];
    const done = runAdmin(args, data.env, streams);
    await expect.poll(() => stderr.readableLength).toBeGreaterThan(0);
    await execute(isDone);
    expect(await done).toMatchObject({ code: 0, err: "" });
    stderr.end();
    expect(await text(stderr)).toMatch(
      /^\r\[\.{30}\] 0 % {2}0 of 11 blocks.*\r\[#{30}\] 100 % {2}11 of 11 blocks\n$/s,
    );
  });
});

describe("follow list", () => {
  test("shows no block before the first one of a chain", async () => {
    await execute("update follower_cursor set block_number = -1");
    expect(await list()).toMatchObject([{ network: "polygon", block: null, behind: 23 }]);
  });

  const list = async (): Promise<unknown> =>
    JSON.parse((await operateInProcess(data, ["follow", "list", "--format", "json"])).out);

  test("shows the failure of a chain, and chains that could never be followed", async () => {
    await execute(
      "update follower_health set failing_since = '2026-11-26T10:00:00Z', failure = 'database: no room'",
    );
    await execute(
      "insert into follower_health (chain_id, failing_since, failure) values (8453, now(), 'nodes: HTTP 503')",
    );
    const failing = { failingSince: "2026-11-26T10:00:00.000Z", failure: "database: no room" };
    expect(await list()).toMatchObject([
      { network: "polygon", from: 5, block: 20, behind: 2, ...failing },
      { network: "base", from: null, block: null, behind: null, failure: "nodes: HTTP 503", updatedAt: null },
    ]);
  });

  test.each([
    "delete from follower_health",
    "update follower_health set reported_at = now() - interval '31 s'",
  ])("after %j, shows that no host follows the chain", async (statement) => {
    await execute(statement);
    expect(await list()).toMatchObject([
      { network: "polygon", failure: "no running host follows the chain" },
    ]);
  });
});
