import { StartFault } from "../start-fault.ts";
import type { Queries } from "./database.ts";

const oldestMajor = 15;

export async function checkServer(database: Queries): Promise<void> {
  const [row] = await database.query<{ version: string }>(
    "select current_setting('server_version_num') as version",
  );
  const major = Math.floor(Number(row?.version) / 10_000);
  if (major < oldestMajor)
    throw new StartFault(`the database is Postgres ${major}; Postgres ${oldestMajor} or newer is required`);
}
