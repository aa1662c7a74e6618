import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAccessKey } from "../../../../server/base/credentials/records.ts";
import { findRunning } from "../../../../server/base/storage/embedded/embedded.ts";
import { DatabaseFault } from "../../../../server/base/storage/fault.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { runHost, startHost } from "../../../support/host.ts";
import { canMount, smallDisk } from "../../../support/small-disk.ts";

if (!canMount) console.log("Full disks are left out: no file system can be mounted here.");

test.runIf(canMount)("a disk that is too small for a database is reported in one line", async () => {
  using disk = smallDisk("8m");
  const { code, err } = await runHost(["--port", "0", "--data-dir", disk?.folder ?? ""]);
  expect(code).toBe(2);
  expect(err).toMatch(/^platform: initdb could not create the database: .*No space left on device\n$/);
});

test.runIf(canMount)(
  "a disk that fills up is an error that says so; nothing is lost, and it goes on once there is room",
  async () => {
    using disk = smallDisk("120m");
    if (disk === undefined) return;
    await using host = await startHost({ data: disk });
    const address = findRunning(disk.folder);
    await using database = openDatabase(
      { ...address },
      { connections: 2, statementTimeoutMs: 5_000, namedStatements: true },
    );
    const key = { name: "x".repeat(4_000), services: [], origins: [] };
    const kept = await createAccessKey(database, host.projectId, key);
    const filler = join(disk.folder, "filler");
    const { bavail, bsize } = statfsSync(disk.folder);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 400_000));

    const written = [kept.id];
    let fault: unknown;
    while (fault === undefined && written.length < 20_000) {
      try {
        written.push((await createAccessKey(database, host.projectId, key)).id);
      } catch (err) {
        fault = err;
      }
    }
    expect(fault).toBeInstanceOf(DatabaseFault);
    expect(String(fault)).toMatch(/No space left|terminated/);

    rmSync(filler);
    await expect
      .poll(() => createAccessKey(database, host.projectId, key).then(() => "written", String), {
        timeout: 30_000,
      })
      .toBe("written");
    const [row] = await database.query<{ found: number }>(
      "select count(*)::int as found from access_key where id = any($1::bigint[])",
      [written],
    );
    expect(row?.found).toBe(written.length);
  },
);
