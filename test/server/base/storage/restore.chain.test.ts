/** The drill of "Backups" in docs/platform/deploying.md: a lost database is restored from a dump. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { expect, test } from "vitest";
import { startEventChain, transferEmitter } from "../../../support/event-chain.ts";
import { makeData, startHost } from "../../../support/host.ts";
import { makeDatabase } from "../../../support/make-database.ts";
import { ask } from "../../../support/operator.ts";
import { startReceiver } from "../../../support/receiver.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { signingKeyText } from "../../../support/signing-keys.ts";
import { addTransferListener } from "../../../support/transfer-listener.ts";

const run = promisify(execFile);
const serverUrl = process.env["TEST_DATABASE_URL"] ?? "";

/** The folder of `pg_dump` in the version of the server, which an older one cannot dump. Undefined if it is not installed. */
async function findTools(): Promise<string | undefined> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  const { rows } = await client.query<{ version: string }>(
    "select current_setting('server_version_num') as version",
  );
  await client.end();
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  const folder = `/usr/lib/postgresql/${major}/bin`;
  if (existsSync(join(folder, "pg_dump"))) return folder;
  console.log(`pg_dump ${major} is not installed: restoring is not tested on this server`);
  return undefined;
}

const tools = await findTools();

test.skipIf(noSandbox || tools === undefined)(
  "a database that is restored from an old dump follows its chains again, and repeats webhooks with the same webhook-id",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "restore-"));
    const file = join(folder, "platform.dump");
    await using chain = await startEventChain(31_337, transferEmitter);
    await using receiver = await startReceiver();
    await using data = await makeData();
    const restored = await makeDatabase(serverUrl);
    const start = (databaseUrl: string | undefined) =>
      startHost({
        data,
        args: ["--networks", "31337", "--no-sandbox-chain"],
        env: {
          DATABASE_URL: databaseUrl ?? "",
          SIGNING_KEY: signingKeyText(1),
          NETWORK_DETAILS: JSON.stringify({
            31337: { rpcUrls: [chain.rpcUrl], follow: { start: 0, window: 2 } },
          }),
        },
      });
    const transfers = async (count: number, calls: number): Promise<void> => {
      for (let sent = 0; sent < count; sent++) {
        await chain.emit(1);
        await chain.mine();
      }
      await expect.poll(() => receiver.calls.length).toBe(calls);
    };
    const ids = () => receiver.calls.map(({ headers }) => headers["webhook-id"]);
    const url = data.env["DATABASE_URL"];
    try {
      await using host = await start(url);
      await addTransferListener(host, receiver.url);
      await transfers(2, 2);
      // Until their results are stored, they are not accepted.
      const waiting = async () => (await ask<{ waiting: number }[]>(data, "webhooks", "list"))[0]?.waiting;
      await expect.poll(waiting).toBe(0);
      await run(join(tools ?? "", "pg_dump"), ["--format", "custom", "--file", file, url ?? ""]);
      await transfers(2, 4);
      await host.stop();

      const options = ["--exit-on-error", "--no-owner", "--dbname", restored.url];
      await run(join(tools ?? "", "pg_restore"), [...options, file]);
      const [beforeDump, afterDump] = [ids().slice(0, 2), ids().slice(2)];
      await using _copy = await start(restored.url);
      await expect.poll(() => receiver.calls.length).toBe(6);
      expect(ids().slice(4)).toEqual(afterDump);
      await transfers(1, 7);
      expect(new Set(ids()).size).toBe(5);
      expect(beforeDump).not.toContain(ids()[6]);
      const restoredData = { ...data, env: { ...data.env, DATABASE_URL: restored.url } };
      const [followed] = await ask<{ block: number }[]>(restoredData, "follow", "list");
      expect(followed).toMatchObject({ block: await chain.head(), failure: null, skipped: 0 });
    } finally {
      await restored.drop();
      rmSync(folder, { recursive: true });
    }
  },
);
