import { expect, test } from "vitest";
import { openSandbox, rejectSandboxKeys } from "../../../../server/base/credentials/sandbox.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { folder } from "../../../support/program.ts";
import { migratedDatabase } from "../../../support/server.ts";
import { signingKeysOf } from "../../../support/signing-keys.ts";

test("production starts once the keys that the sandbox has shown are invalid", async () => {
  await using server = await migratedDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 1, statementTimeoutMs: 60_000, namedStatements: true },
  );
  using home = folder({});
  await expect(rejectSandboxKeys(database)).resolves.toBeUndefined();
  await openSandbox(database, home.path, signingKeysOf(1)[0]);
  const isRejected = () =>
    rejectSandboxKeys(database).then(
      () => false,
      (err: Error) => err.message.includes("platform projects disable 1001"),
    );
  for (const [change, expected] of [
    ["", true],
    ["update access_key set disabled_at = now()", true],
    ["update secret_key set revoked_at = now()", false],
    ["update access_key set disabled_at = null", true],
    ["update access_key set expires_at = now()", false],
    ["update secret_key set revoked_at = null", true],
    ["update service_account set disabled_at = now()", false],
    ["update service_account set disabled_at = null", true],
    ["update project set disabled_at = now()", false],
  ] as const) {
    await database.query(change);
    expect([change, await isRejected()]).toEqual([change, expected]);
  }
});
