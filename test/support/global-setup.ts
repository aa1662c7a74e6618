import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { preparedClusterVariable } from "./prepared-cluster.ts";
import { startSharedPostgres } from "./shared-postgres.ts";
import { makeTemplate, templateVariable } from "./template-database.ts";

/**
 * Prepares what tests outside the project "unit" run: the programs, built once so that no test sees an old program, and one Postgres,
 * whose address workers find in `TEST_DATABASE_URL`. A server that is given there is used instead.
 */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (vitest.projects.every(({ name }) => name === "unit")) return undefined;
  const root = fileURLToPath(new URL("../..", import.meta.url));
  for (const folder of ["", "client/", "server/"])
    execFileSync(process.execPath, [`${folder}esbuild.config.mjs`], { cwd: root, stdio: "inherit" });
  const given = process.env["TEST_DATABASE_URL"];
  const postgres = given === undefined ? await startSharedPostgres() : undefined;
  const url = postgres?.url ?? given ?? "";
  const template = await makeTemplate(url);
  process.env["TEST_DATABASE_URL"] = url;
  process.env[templateVariable] = template.name;
  if (postgres !== undefined) process.env[preparedClusterVariable] = postgres.preparedCluster;
  return async () => {
    await template.drop();
    await postgres?.[Symbol.asyncDispose]();
  };
}
