import { openSync } from "node:fs";
import { devNull } from "node:os";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { CallTooLong, DatabaseFault, toDatabaseFault } from "../../../../server/base/storage/fault.ts";
import { ChainFailure } from "../../../../server/chain/rpc/chain.ts";
import { NodeFault } from "../../../../server/chain/rpc/nodes/faults.ts";
import { LogFile } from "../../../../server/host/observability/log.ts";
import { Redactor } from "../../../../server/host/observability/redact.ts";

const redactor = new Redactor({ fields: [], errorMessages: true });

describe("limits of a log line", () => {
  test.each([1_999, 2_000])("a text of %i characters is logged in full", (length) => {
    expect(redactor.text("x".repeat(length))).toBe("x".repeat(length));
  });

  test("a longer text is cut after 2,000", () => {
    expect(redactor.text("x".repeat(2_001))).toBe(`${"x".repeat(2_000)}…`);
  });

  test.each([
    [99, 99],
    [100, 100],
    [101, 100],
  ])("of %i entries %i are logged, in lists and in objects", (count, told) => {
    const list = Array.from({ length: count }, (_, index) => index);
    expect(redactor.value(list)).toHaveLength(told);
    const fields = Object.fromEntries(list.map((index) => [`key ${index}`, index]));
    expect(Object.keys(redactor.fields(fields))).toHaveLength(told);
  });

  test.each([
    [6, "found"],
    [7, "[deeper]"],
    [8, "[deeper]"],
  ])("a value nested in %i lists is logged as %s", (depth, told) => {
    const nested = Array.from({ length: depth }).reduce<unknown>((inner) => [inner], "found");
    let found = redactor.value(nested);
    while (Array.isArray(found)) [found] = found;
    expect(found).toBe(told);
  });
});

test("of an error only its type, codes and frames are logged", () => {
  const codes = {
    code: "23505",
    syscall: "open",
    severity: "ERROR",
    routine: "_bt_check_unique",
    table: "audience",
    column: "name",
    constraint: "audience_pkey",
  };
  const row = { detail: "Key (email)=(a@b.example) already exists.", query: "select 1" };
  const told = redactor.error(Object.assign(new TypeError("a row"), codes, row));
  expect(told).toEqual({ type: "TypeError", ...codes, message: "a row", frames: expect.any(Array) });
  const inProduction = new Redactor({ fields: [], errorMessages: false });
  expect(inProduction.error(new Error("a row"))).not.toHaveProperty("message");
});

describe("an error of the database is logged without frames", () => {
  const inProduction = new Redactor({ fields: [], errorMessages: false });
  const conflict = Object.assign(new Error("could not serialize access"), {
    code: "40001",
    severity: "ERROR",
    routine: "heap_update",
    table: "project_key",
    constraint: "project_key_pkey",
    detail: "Key (email)=(a@b.example) already exists.",
    query: "select 1",
  });
  const statement = "update project_key";

  test("with its code, table, constraint and statement", () => {
    const logged = {
      type: "DatabaseFault",
      code: "40001",
      table: "project_key",
      constraint: "project_key_pkey",
      statement,
    };
    const fault = toDatabaseFault(conflict, statement);
    expect(inProduction.value({ err: fault })).toEqual({ err: logged });
    expect(redactor.value({ err: fault })).toEqual({
      err: { ...logged, message: "could not serialize access" },
    });
  });

  test.each(["23505", "42P01", "P0001"])("with its statement if it is a bug with the code %s", (code) => {
    // The bundler renames the class.
    class DatabaseError2 extends pg.DatabaseError {}
    const { table, constraint, detail } = conflict;
    const bug = Object.assign(new DatabaseError2("a row", 5, "error"), { code, table, constraint, detail });
    const logged = { type: "DatabaseError", code, table, constraint, statement };
    expect(toDatabaseFault(bug, statement)).toBe(bug);
    expect(inProduction.error(bug)).toEqual(logged);
    expect(redactor.value({ err: bug })).toEqual({ err: { ...logged, message: "a row" } });
    expect(inProduction.error(new TypeError("outer", { cause: bug }))).toMatchObject({ cause: logged });
  });

  test("with the column that may not be null", () => {
    const bug = Object.assign(new pg.DatabaseError("a", 1, "error"), { code: "23502", column: "name" });
    expect(inProduction.error(bug)).toEqual({ type: "DatabaseError", code: "23502", column: "name" });
  });

  test("as the cause of another error", () => {
    const cause = new CallTooLong("a secret", { cause: conflict, statement });
    const { frames, ...logged } = inProduction.error(new TypeError("outer", { cause }));
    expect(frames).not.toEqual([]);
    expect(logged).toMatchObject({ type: "TypeError", cause: { type: "CallTooLong", code: "40001" } });
    expect(logged["cause"]).not.toHaveProperty("frames");
  });

  test("without a cause, and with the cause of a chain that failed", () => {
    expect(inProduction.error(new DatabaseFault("gone"))).toEqual({ type: "DatabaseFault" });
    const chain = new ChainFailure("the nodes do not respond", { cause: new NodeFault("HTTP 502") });
    expect(inProduction.error(new DatabaseFault("gone", { cause: chain }))).toMatchObject({
      type: "DatabaseFault",
      cause: { type: "ChainFailure", cause: { type: "NodeFault", reason: "HTTP 502" } },
    });
  });
});

test.each([
  [11, 11],
  [12, 12],
  [13, 12],
])("of %i frames %i are logged", (count, told) => {
  const error = new Error("deep");
  error.stack = `Error: deep\n${"    at read (file:///x.ts:3:5)\n".repeat(count)}`;
  expect(redactor.error(error)["frames"]).toHaveLength(told);
});

test.each([
  [999_999, 0],
  [1_000_000, 0],
  [1_000_001, 1],
])("with %i characters waiting to be written, %i lines are lost", async (characters, lost) => {
  const file = new LogFile({ fd: openSync(devNull, "w") }, () => "");
  file.write("x".repeat(400_000));
  file.write("x".repeat(characters - 400_000));
  expect(file.lost).toBe(lost);
  await file.close();
});

test.each([
  ["whsec_ab+/cd==", "whsec_"],
  ["whsec_a-b_c", "whsec_"],
  [`AQAAA${"x".repeat(30)}`, "AQAAA"],
  [`eyJ${"a".repeat(8)}.b-_.c-_`, "eyJ"],
  ["postgres://user:pass@host/name", "pass"],
  ["ada.b+c-d@mail.shop.example", "ada"],
])("the secret %s is hidden in any text", (secret, part) => {
  const text = redactor.text(`before ${secret} after`);
  expect(text).not.toContain(part);
  expect(text).toMatch(/^before .+ after$/);
  // Nothing of the secret is left beside what replaces it.
  expect(text.length).toBeLessThan(`before ${secret} after`.length + 20);
});

test.each(["a@b", `AQAAA${"x".repeat(29)}`, `AQAAA${"x".repeat(31)}`, `eyJ${"a".repeat(7)}.b.c`, "whsec_"])(
  "%s is no secret",
  (text) => {
    expect(redactor.text(text)).toBe(text);
  },
);
