import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { generateFixtures } from "../fixtures/generate.mjs";
import { preparedClusterVariable } from "./prepared-cluster.ts";
import { startSharedPostgres } from "./shared-postgres.ts";
import { makeTemplate, templateVariable } from "./template-database.ts";

const fixturesVariable = "RIDLKIT_FIXTURES";

/**
 * Generates the fixtures. For tests outside the project "unit", also prepares what they run: the programs, built once so that no test sees an old program, and one Postgres,
 * whose address workers find in `TEST_DATABASE_URL`. A server that is given there is used instead.
 */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Vitest calls this once for each project, one after the other.
  if (process.env[fixturesVariable] === undefined) await generateFixtures();
  process.env[fixturesVariable] = "generated";
  if (vitest.projects.every(({ name }) => name === "unit")) return undefined;
  if (process.env[templateVariable] !== undefined) return undefined;
  const given = process.env["TEST_DATABASE_URL"];
  const starting = given === undefined ? startSharedPostgres() : undefined;
  // The others bundle the runtime.
  const [runtime] = await Promise.allSettled([build("generator/runtime/")]);
  const builds = [runtime, ...(await Promise.allSettled(["", "client/", "server/"].map(build)))];
  const postgres = await starting;
  const failed = builds.find((built) => built.status === "rejected");
  if (failed !== undefined) {
    await postgres?.[Symbol.asyncDispose]();
    throw failed.reason;
  }
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

async function build(folder: string): Promise<void> {
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const child = spawn(process.execPath, [`${folder}build.mjs`], { cwd, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${folder}build.mjs failed`);
}
