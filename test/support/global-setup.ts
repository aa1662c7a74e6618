import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { startSharedPostgres } from "./shared-postgres.ts";

/**
 * Prepares what tests outside the project "unit" run: the programs, built once so that no test sees an old program, and one Postgres,
 * whose address workers find in `TEST_DATABASE_URL`. A server that is given there is used instead.
 */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (vitest.projects.every(({ name }) => name === "unit")) return undefined;
  const root = fileURLToPath(new URL("../..", import.meta.url));
  for (const folder of ["", "client/", "server/"])
    execFileSync(process.execPath, [`${folder}esbuild.config.mjs`], { cwd: root, stdio: "inherit" });
  if (process.env["TEST_DATABASE_URL"] !== undefined) return undefined;
  const postgres = await startSharedPostgres();
  process.env["TEST_DATABASE_URL"] = postgres.url;
  return async () => postgres[Symbol.asyncDispose]();
}
