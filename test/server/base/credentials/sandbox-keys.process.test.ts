import { expect, test } from "vitest";
import { openSandbox, rejectSandboxKeys } from "../../../../server/base/credentials/sandbox.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { folder } from "../../../support/program.ts";
import { migratedDatabase } from "../../../support/server.ts";
import { signingKeysOf } from "../../../support/signing-keys.ts";

test("production starts once both keys that the sandbox has shown are invalid", async () => {
  await using server = await migratedDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 1, statementTimeoutMs: 60_000, namedStatements: true },
  );
  using home = folder({});
  await expect(rejectSandboxKeys(database)).resolves.toBeUndefined();
  await openSandbox(database, home.path, signingKeysOf(1)[0]);
  await expect(rejectSandboxKeys(database)).rejects.toThrow("platform keys disable");
  await database.query("update access_key set disabled_at = now()");
  await expect(rejectSandboxKeys(database)).rejects.toThrow("platform secrets revoke");
  await database.query("update secret_key set revoked_at = now()");
  await expect(rejectSandboxKeys(database)).resolves.toBeUndefined();
  await database.query("update access_key set disabled_at = null");
  await expect(rejectSandboxKeys(database)).rejects.toThrow("platform keys disable");
});
