import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Data, makeData, startHost } from "../../../support/host.ts";
import { ask, makeKey, makeSecret, operate, operateInProcess } from "../../../support/operator.ts";

let data: Data;
beforeAll(async () => {
  data = await makeData();
  // Admin commands do not create a database.
  await (await startHost({ data })).stop();
});
afterAll(() => data[Symbol.asyncDispose]());

test("works without a running host, and the next host sees its records", async () => {
  const { id } = await ask<{ id: number }>(data, "projects", "create", "Acme");
  await using host = await startHost({ data });
  const projects = await ask<readonly { id: number; name: string }[]>(data, "projects", "list");
  expect(projects.map(({ name }) => name)).toEqual(["Sandbox", "Acme"]);
  expect(projects.map((project) => project.id)).toEqual([host.projectId, id]);
});

test("lists are tables with a header, and control characters are replaced", async () => {
  await operate(data, "projects", "create", "\u001b[31mred");
  const { out } = await operate(data, "projects", "list");
  expect(out.split("\n")[0]).toMatch(/^id +name +disabled +created at +access keys +accounts$/);
  expect(out).toContain("<U+001B>[31mred");
  expect(out).not.toContain("\u001b");
});

test("a key is never listed in full", async () => {
  const { id } = await ask<{ id: number }>(data, "projects", "create", "Keys");
  const made = await ask<{ accessKey: string }>(data, "keys", "create", String(id), "--name", "web");
  const { out } = await operate(data, "keys", "list", String(id), "--format", "json");
  expect(out).not.toContain(made.accessKey);
  expect(JSON.parse(out)).toMatchObject([
    { projectId: id, name: "web", prefix: made.accessKey.slice(0, 16) },
  ]);
});

const zero = `0x${"0".repeat(40)}`;

test.each([
  [["project", "list"], 2, 'unknown command "project"; did you mean "projects"? See: platform help'],
  [["zzzzz", "list"], 2, 'unknown command "zzzzz"; see: platform help'],
  [
    ["keys", "crate", "1"],
    2,
    'unknown command "keys crate"; did you mean "create"? Use: platform keys list|create|',
  ],
  [["keys"], 2, "keys: a command is missing; use: platform keys list|create|rotate|disable|enable|set"],
  [["keys", "create"], 2, "PROJECT is missing"],
  [["projects", "create", " "], 2, "NAME is missing"],
  [["keys", "list", "1", "2"], 2, 'unexpected argument "2"'],
  [
    ["keys", "list", "--frmat", "json"],
    2,
    'unknown option "--frmat"; did you mean "--format"? See: platform keys list --help',
  ],
  [["keys", "list", "abc"], 1, 'invalid project id "abc"'],
  [["keys", "list", "99"], 1, "project 99 does not exist; see: platform projects list"],
  [["accounts", "list", "99"], 1, "project 99 does not exist; see: platform projects list"],
  [["secrets", "list", "99"], 1, "project 99 does not exist; see: platform projects list"],
  [["audiences", "list", "99"], 1, "project 99 does not exist; see: platform projects list"],
  [["sources", "list", "99"], 1, "project 99 does not exist; see: platform projects list"],
  [["keys", "create", "99"], 1, "project 99 does not exist; see: platform projects list"],
  [
    ["accounts", "create", "1", "ci", "--access", "ROOT"],
    2,
    '--access: expected READ or WRITE, found "ROOT"',
  ],
  [["projects", "create", "x".repeat(201)], 2, "NAME: at most 200 characters, found 201"],
  [["keys", "disable", "nope"], 1, 'unknown access key "nope"'],
  [["secrets", "create", "0x1"], 1, 'unknown service account "0x1"'],
  [["secrets", "create", "0x1", "--expires", "soon"], 1, "--expires: expected a duration"],
  [["secrets", "create", "0x1", "--expires", "0m"], 1, "--expires: expected a duration"],
  [["secrets", "create", "0x1", "--expires", "100000d"], 1, "--expires: expected a duration"],
  [["secrets", "create", "0x1", "--expires", "1s"], 1, "--expires: expected a duration"],
  [["keys", "create", "1", "--expires", "2027-02-30"], 1, "--expires: expected a duration"],
  [["keys", "create", "1", "--expires", "2027-1-1"], 1, "--expires: expected a duration"],
  [["keys", "create", "1", "--expires", "2020-01-31"], 1, "--expires: 2020-01-31 is in the past"],
  [["keys", "rotate", "nope"], 1, 'unknown access key "nope"'],
  [["keys", "rotate", "1", "--overlap", "soon"], 1, "--overlap: expected a duration such as 30m, 12h or 7d"],
  [["secrets", "rotate", "nope"], 1, '"nope" is not a valid secret key; see: platform secrets list'],
  [["accounts", "disable", "0x1"], 1, 'unknown service account "0x1"; see: platform accounts list'],
  [["accounts", "set", "0x1", "--access", "ROOT"], 2, '--access: expected READ or WRITE, found "ROOT"'],
  [["projects", "show", "99"], 1, "project 99 does not exist; see: platform projects list"],
  [["projects", "disable", "99"], 1, "project 99 does not exist; see: platform projects list"],
  [["projects", "delete", "99", "--yes"], 1, "project 99 does not exist; see: platform projects list"],
  [["accounts", "set", "0x1"], 2, "choose what to change with --access or --name"],
  [
    ["keys", "set", "1"],
    2,
    "choose what to change with --name, --service, --origin, --any-service or --any-origin",
  ],
  [["projects", "set", "99"], 2, "choose what to change with --name or --public-contact-details"],
  [["projects", "set", "1", "--name", "x".repeat(201)], 2, "--name: at most 200 characters, found 201"],
  [["orders", "list", "nowhere", "0x1"], 1, 'unknown network "nowhere"'],
  [["orders", "delete", "polygon", "0x1"], 1, 'invalid address "0x1"'],
  [["metadata", "delete", "polygon", zero, "x"], 1, 'invalid token id "x": expected a number'],
  [["metadata", "delete", "polygon", zero], 1, "--reason: expected a text of 1 to 500 characters"],
  [["metadata", "show", "polygon", zero, "1"], 1, `collection ${zero} does not exist`],
  [
    ["currencies", "delete", "polygon", `0x${"9".repeat(40)}`],
    1,
    "is not known; see: platform currencies list",
  ],
  [["secrets", "revoke", "nope"], 1, 'unknown secret key "nope"'],
  [["keys", "create", "1", "--service", "Nope"], 1, "project 1 does not exist"],
  [["keys", "set", "nope", "--origin", "https://a.example/"], 1, '"https://a.example/" is not an origin'],
  [
    ["keys", "set", "nope", "--origin", "https://a.example", "--origin", "b.example"],
    1,
    '"b.example" is not an origin',
  ],
])("%j is reported in one line", async (args, code, message) => {
  const outcome = await operateInProcess(data, args);
  expect(outcome).toMatchObject({ code, out: "", err: expect.stringContaining(message) });
  expect(outcome.err.trim().split("\n")).toHaveLength(1);
});

test("a data folder without a database is reported, and nothing is created in it", async () => {
  const nowhere = join(data.folder, "mistyped");
  const { code, err } = await operate({ ...data, folder: nowhere, env: {} }, "projects", "list");
  expect(code).toBe(1);
  expect(err).toMatch(
    /^platform: there is no database in .*mistyped: set DATABASE_URL or --data-dir [^\n]*\n$/,
  );
  expect(existsSync(nowhere)).toBe(false);
});

test.each([
  [
    "role=pg_read_all_data",
    "the database denies a permission: permission denied for table audit_record (42501); grant the permission to the role of DATABASE_URL, or",
  ],
  [
    "default_transaction_read_only=on",
    "the database is read-only: cannot execute INSERT in a read-only transaction (25006); end its read-only mode, or",
  ],
])("with %s, a command that changes records reports the error in one line", async (setting, message) => {
  const readOnly = { ...data, env: { ...data.env, PGOPTIONS: `-c ${setting}` } };
  const { code, out, err } = await operate(readOnly, "projects", "create", "X");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(`platform: ${message}`);
  expect(err.trim().split("\n")).toHaveLength(1);
});

test("each change by an operator is recorded, with its outcome and without secrets", async () => {
  const as = { ...data, env: { ...data.env, PLATFORM_ACTOR: "ada" } };
  const { id } = await ask<{ id: number }>(as, "projects", "create", "Recorded");
  const key = await ask<{ id: number; prefix: string; accessKey: string }>(
    as,
    ...["keys", "create", String(id), "--name", "web"],
  );
  const { account } = await ask<{ account: string }>(
    as,
    "accounts",
    "create",
    String(id),
    "ci",
    "--access",
    "READ",
  );
  const secret = await ask<{ id: string }>(as, "secrets", "create", account);
  const rotated = await ask<{ id: string }>(as, "secrets", "rotate", secret.id);
  await operate(as, "keys", "disable", key.accessKey);
  await operate(as, "contacts", "erase", "ada@example.com");
  await operate(as, "keys", "enable", "nope");
  await operate(as, "keys", "list");
  await operate(as, "projects", "create", " ");
  const idsOfKey = [`id=${key.id}`, `prefix=${key.prefix}`];
  const records = await ask<readonly object[]>(data, "audit", "list", "--actor", "ada");
  expect(records).toMatchObject([
    {
      command: "keys enable",
      arguments: ["nope"],
      outcome: expect.stringMatching(/^failed: unknown access key/),
    },
    { command: "contacts erase", arguments: [], outcome: "done" },
    { command: "keys disable", arguments: ["[redacted]"], ids: idsOfKey, outcome: "done" },
    {
      command: "secrets rotate",
      ids: [`id=${rotated.id}`, `account=${account}`, `replaces=${secret.id}`],
    },
    { command: "secrets create", ids: [`id=${secret.id}`, `account=${account}`] },
    { command: "accounts create", ids: [`account=${account}`] },
    {
      command: "keys create",
      arguments: [String(id), "--name=web"],
      ids: idsOfKey,
      outcome: "done",
    },
    {
      command: "projects create",
      arguments: ["Recorded"],
      actor: "ada",
      machine: hostname(),
      outcome: "done",
    },
  ]);
  expect(await ask(data, "audit", "list", "--limit", "1")).toHaveLength(1);
  expect((await ask<readonly object[]>(data, "audit", "list", "--limit", "10000")).length).toBeGreaterThan(3);
});

test.each(["0", "10001", "x"])("audit list rejects the limit %s", async (limit) => {
  const { code, err } = await operateInProcess(data, ["audit", "list", "--limit", limit]);
  expect([code, err]).toEqual([2, expect.stringContaining("--limit: expected a number from 1 to 10000")]);
});

test("times are in UTC, whatever the time zone of the database's session is", async () => {
  const abroad = { ...data, env: { ...data.env, PGOPTIONS: "-c timezone=Asia/Tokyo" } };
  const tell = async <Answer>(...args: readonly string[]): Promise<Answer> =>
    JSON.parse((await operate(abroad, ...args, "--format", "json")).out) as Answer;
  const before = Date.now() - 2_000;
  const { id } = await tell<{ id: number }>("projects", "create", "Times");
  await tell("keys", "create", String(id), "--expires", "1h");
  const { account } = await tell<{ account: string }>(
    "accounts",
    "create",
    String(id),
    "ci",
    "--access",
    "READ",
  );
  const secret = await tell<{ id: string }>("secrets", "create", account, "--expires", "1h");
  const revoked = await tell<Record<string, string>>("secrets", "revoke", secret.id);
  const listed = [revoked, ...(await tell<Record<string, unknown>[]>("projects", "list"))];
  for (const noun of ["keys", "accounts", "secrets"])
    listed.push(...(await tell<Record<string, unknown>[]>(noun, "list", String(id))));
  const entries = listed.flatMap(Object.entries);
  const times = entries.filter(([name]) => name.endsWith("At")).map(([, value]) => value as string);
  expect(times.length).toBeGreaterThan(6);
  for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.]\d{3}Z$/);
  expect(Date.parse(revoked["revokedAt"] ?? "")).toBeGreaterThan(before);
  expect(Date.parse(revoked["revokedAt"] ?? "")).toBeLessThan(Date.now() + 2_000);
});

test.each([
  ["1m", 60],
  ["30m", 30 * 60],
  ["12h", 12 * 3_600],
  ["90d", 90 * 86_400],
  ["99999d", 99_999 * 86_400],
])("a secret key created with --expires %s expires after %i seconds", async (expires, seconds) => {
  const { id } = await ask<{ id: number }>(data, "projects", "create", "x".repeat(200));
  const before = Math.floor(Date.now() / 1_000);
  const { secretKey } = await makeSecret(data, id, "READ", "--expires", expires);
  const after = Math.ceil(Date.now() / 1_000);
  const [, payload = ""] = secretKey.split(".");
  const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { exp: number };
  expect(exp).toBeGreaterThanOrEqual(before + seconds);
  expect(exp).toBeLessThanOrEqual(after + seconds);
});

test("bindings of a key stay unless they are named", async () => {
  const { id } = await makeKey(data, undefined, "--service", "API", "--origin", "https://a.example");
  const bind = async (...options: readonly string[]): Promise<unknown> => {
    const { services, origins } = await ask<Record<string, unknown>>(
      data,
      "keys",
      "set",
      String(id),
      ...options,
    );
    return [services, origins];
  };
  expect(await bind("--service", "metadata")).toEqual([["Metadata"], ["https://a.example"]]);
  expect(await bind("--origin", "https://b.example")).toEqual([["Metadata"], ["https://b.example"]]);
  expect(await bind("--name", "shop")).toEqual([["Metadata"], ["https://b.example"]]);
  expect(await bind("--any-service")).toEqual([[], ["https://b.example"]]);
  expect(await bind("--any-origin", "--service", "API")).toEqual([["API"], []]);
  const both = await operate(
    data,
    "keys",
    "set",
    String(id),
    "--any-origin",
    "--origin",
    "https://a.example",
  );
  expect(both).toMatchObject({ code: 1, err: expect.stringContaining("contradict") });
});

test("every command has a help text", async () => {
  const { out, code } = await operate(data, "help");
  expect(code).toBe(0);
  expect(out).toContain("secrets revoke ID");
  const { out: help } = await operate(data, "keys", "create", "--help");
  expect(help).toContain("--service NAME");
});
