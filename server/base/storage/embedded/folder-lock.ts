import pg from "pg";
import { StartFault } from "../../start-fault.ts";
import { addressOf } from "./address.ts";
import type { EmbeddedPaths } from "./paths.ts";

/** An arbitrary number, unique in the database. */
const folderLock = 7_116_001;

/** Takes a lock on the data folder that is held until this process ends. Returns undefined if another host uses the folder. */
export async function takeFolderLock(paths: EmbeddedPaths): Promise<pg.Client | undefined> {
  const client = new pg.Client({ ...addressOf(paths), application_name: "platform: folder lock" });
  // The connection ends with Postgres, whose end `supervise` handles.
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
    folderLock,
  ]);
  if (rows[0]?.taken === true) return client;
  await client.end();
  return undefined;
}

export function folderInUse({ folder }: EmbeddedPaths): StartFault {
  return new StartFault(
    `another server is using ${folder}; stop it, or choose another folder with --data-dir`,
  );
}
