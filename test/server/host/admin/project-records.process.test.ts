/** Admin commands for a project's records, except import. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseOf } from "../../../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { ask, operate, operateOn } from "../../../support/operator.ts";

let data: Data;
let host: RunningHost;
beforeAll(async () => {
  data = await makeData();
  host = await startHost({ data });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
});

interface Audience {
  readonly id: number;
  readonly contacts: number;
  readonly deletedAt: string | null;
}

async function codeOf(audienceId: number): Promise<unknown> {
  return (await get(audienceId))["code"];
}

async function get(audienceId: number): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${host.url}/rpc/Builder/GetAudience`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-access-key": host.accessKey },
    body: JSON.stringify({ audienceId }),
  });
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

test("a deleted audience is NotFound immediately; it can be restored until it is purged", async () => {
  const { id } = await ask<Audience>(data, "audiences", "create", String(host.projectId), "Early birds");
  const line = `{"audienceId":${id},"email":"ann@example.org","name":"Ann"}\n`;
  expect((await operateOn(data, line, "import", "contacts", "-")).code).toBe(0);
  expect(await codeOf(id)).toBeUndefined();
  const deleted = await ask<Audience>(data, "audiences", "delete", String(id));
  expect(deleted).toMatchObject({ id, contacts: 1, deletedAt: expect.stringMatching(/Z$/) });
  expect(await codeOf(id)).toBe(3000);
  expect(await ask(data, "audiences", "purge")).toEqual([]);
  expect(await ask<Audience>(data, "audiences", "restore", String(id))).toMatchObject({ deletedAt: null });
  expect(await codeOf(id)).toBeUndefined();
  await ask(data, "audiences", "delete", String(id));
  expect(await operate(data, "audiences", "purge", "--days", "0")).toEqual({
    code: 2,
    out: "",
    err: "platform: 1 audience with 1 contact will be erased, which cannot be undone; to confirm, repeat the command with --yes\n",
  });
  expect(await ask(data, "audiences", "purge", "--days", "0", "--yes")).toEqual([
    { id, projectId: host.projectId, contacts: 1 },
  ]);
  expect((await operate(data, "audiences", "restore", String(id))).err).toContain(
    `audience ${id} does not exist`,
  );
  expect((await operate(data, "export", "contacts", "--include-pii")).out).toBe("");
});

test("a purge erases audiences that were deleted thirty days ago or longer", async () => {
  const { id } = await ask<Audience>(data, "audiences", "create", String(host.projectId), "Late birds");
  await using database = databaseOf(data);
  const purgedAfter = async (age: string): Promise<readonly unknown[]> => {
    await database.query("update audience set deleted_at = now() - $2::interval where id = $1", [id, age]);
    return ask(data, "audiences", "purge", "--yes");
  };
  expect(await purgedAfter("29 days 23:59:00")).toEqual([]);
  expect(await purgedAfter("30 days")).toMatchObject([{ id }]);
});

test("a person is erased from all audiences, and a project may make its contacts' details public", async () => {
  const { id } = await ask<Audience>(data, "audiences", "create", String(host.projectId), "People");
  const lines = `{"audienceId":${id},"email":"Bob@example.org"}\n{"audienceId":${id},"email":"eve@example.org"}\n`;
  await operateOn(data, lines, "import", "contacts", "-");
  expect(await operate(data, "contacts", "erase", "bob@example.org")).toMatchObject({
    code: 2,
    err: expect.stringContaining("this person will be erased from 1 audience, which cannot be undone"),
  });
  expect(await ask(data, "contacts", "erase", "bob@example.org", "--yes")).toMatchObject([
    { audienceId: id },
  ]);
  expect(await get(id)).toMatchObject({ audience: { contactCount: 1 } });
  expect(JSON.stringify(await get(id))).not.toContain("eve");
  await ask(data, "projects", "set", String(host.projectId), "--public-contact-details", "on");
  expect(await get(id)).toMatchObject({ contacts: [{ email: "eve@example.org" }] });
});

test("a contract source is disabled and enabled", async () => {
  const line = '{"id":5,"uid":"a","contractType":"ERC1155","name":"A","abi":"[]"}\n';
  await operateOn(data, line, "import", "contract-sources", "-");
  expect(await ask(data, "sources", "disable", "5")).toMatchObject({ id: 5, disabled: true });
  expect(await ask(data, "sources", "enable", "5")).toMatchObject({ id: 5, disabled: false });
  expect(await ask(data, "sources", "list", String(host.projectId))).toHaveLength(1);
});

test.each([
  [["audiences", "delete", "x"], 'invalid id "x": expected a number'],
  [["audiences", "purge", "--days", "-"], "--days: expected a number"],
  [["sources", "disable", "404"], "contract source 404 does not exist"],
  [["projects", "set", "1001", "--public-contact-details", "no"], "expected on or off, found no"],
])("%j is reported in one line", async (args, message) => {
  const { code, err } = await operate(data, ...args);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) });
  expect(err.trim().split("\n")).toHaveLength(1);
});
