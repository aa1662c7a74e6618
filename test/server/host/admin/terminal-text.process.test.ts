/** No command lets a name, an argument or a file control the operator's terminal. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../../../server/host/admin/commands/index.ts";
import { databaseOf } from "../../../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { operate, operateInProcess } from "../../../support/operator.ts";
import { hostileText, unsafeIn } from "../../../support/terminal-text.ts";

let data: Data;
let host: RunningHost;
let folder: string;

beforeAll(async () => {
  data = await makeData();
  host = await startHost({ data });
  folder = mkdtempSync(join(tmpdir(), "terminal-"));
  await using database = databaseOf(data);
  // Whatever wrote a record, and whatever it says.
  const texts = await database.query<{ name: string; column: string }>(
    `select table_name as name, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'text' and column_name in ('name', 'origin_name', 'description', 'label', 'symbol')`,
  );
  await operateInProcess(data, ["audiences", "create", String(host.projectId), "x"]);
  await operateInProcess(data, ["keys", "create", String(host.projectId), "--name", "x"]);
  await operateInProcess(data, ["projects", "create", hostileText]);
  for (const { name, column } of texts)
    await database.query(`update ${name} set ${column} = $1`, [hostileText]).catch(() => {});
  await database.query(
    `insert into webhook_listener (id, project_id, chain_id, url, host, name, format, delivery, confirmations, filters, secret)
    values (7, $1, 137, 'https://a.example', 'a.example', $2, 'object', 'head', 1, '{"contractAddresses":[],"events":[]}', '')`,
    [host.projectId, hostileText],
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await host[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
});

const lists = commands.filter(({ name }) => name.endsWith(" list") || name.endsWith(" show"));

test.each(lists.map(({ name }) => name))("platform %s shows no control characters of names", async (name) => {
  for (const positionals of [[], [String(host.projectId)], ["7"]])
    for (const form of ["table", "json"]) {
      const { out, err } = await operateInProcess(data, [
        ...name.split(" "),
        ...positionals,
        "--format",
        form,
      ]);
      expect([name, unsafeIn(out), unsafeIn(err)]).toEqual([name, [], []]);
      if (out.startsWith("[") || out.startsWith("{")) JSON.parse(out);
    }
});

test("names are still told apart, and JSON keeps them", async () => {
  const { out } = await operateInProcess(data, ["projects", "list"]);
  expect(out).toContain("<U+202E>");
  const json = await operateInProcess(data, ["projects", "list", "--format", "json"]);
  expect(JSON.parse(json.out)).toContainEqual(expect.objectContaining({ name: hostileText }));
});

describe("errors and results quote their arguments safely:", () => {
  test.each(commands.map((command) => [command.name, command] as const))(
    "platform %s",
    async (name, command) => {
      const words = name.split(" ");
      const options = Object.entries(command.options ?? {}).flatMap(([option, { isSwitch }]) =>
        isSwitch === true ? [] : [`--${option}`, hostileText],
      );
      // An export would write its file.
      const prefix = name.startsWith("export ") ? "/nowhere/" : "";
      const positionals = command.positionals.map(() => `${prefix}${hostileText}`);
      for (const args of [
        [...words, ...positionals],
        [...words, ...positionals, ...options],
        [...words, ...positionals.map(() => `${prefix}1`), ...options],
        [...words, ...positionals, hostileText],
        [...words, `--${hostileText}`],
        [...words, "--format", hostileText],
      ]) {
        const { out, err } = await operateInProcess(data, args);
        expect([name, unsafeIn(out), unsafeIn(err)]).toEqual([name, [], []]);
      }
    },
  );
});

test.each([
  [[hostileText]],
  [["projects", hostileText]],
  [["import", "orders", `/nowhere/${hostileText}`]],
  [[`--${hostileText}`]],
  [["--port", hostileText]],
  [["--networks", hostileText]],
])("the program prints no control characters of %j", async (args) => {
  const { out, err } = await operate(data, ...args);
  expect([unsafeIn(out), unsafeIn(err)]).toEqual([[], []]);
  expect(err).not.toBe("");
});

test("rejected lines quote the file safely", async () => {
  const file = join(folder, `a${hostileText.replaceAll("/", "")}.ndjson`);
  writeFileSync(
    file,
    `{"${hostileText.replaceAll("\u001b", "\\u001b").replaceAll("\n", "")}":1}\n${hostileText}\n`,
  );
  const { err } = await operateInProcess(data, ["import", "orders", file]);
  expect(unsafeIn(err)).toEqual([]);
  expect(err).toMatch(/^platform: .*:1: /);
});
