import type { Database } from "../../../server/base/storage/database.ts";
import { migrate } from "../../../server/base/storage/migrate.ts";

/** Deletes everything in the database, and creates the platform's tables. */
export async function emptyPlatform(database: Database): Promise<void> {
  await database.query("drop schema public cascade");
  await database.query("create schema public");
  await migrate(database);
}
