/** `npm run mutate -- FILE …`: plants small faults in a file, one at a time, and lists those that no unit test notices. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const stryker = fileURLToPath(new URL("node_modules/@stryker-mutator/core/bin/stryker.js", import.meta.url));
const files = process.argv.slice(2);

if (files.length === 0)
  fail("Name the files to mutate: npm run mutate -- server/webhooks/delivery/outcome.ts");
for (const file of files) if (!existsSync(file)) fail(`There is no file "${file}".`);
if (!existsSync(stryker)) fail("Stryker is not installed: npm ci --ignore-scripts --prefix test/mutate");

const { status } = spawnSync(
  process.execPath,
  [stryker, "run", "test/mutate/stryker.json", "--mutate", files.join(",")],
  { cwd: root, stdio: "inherit" },
);
process.exitCode = status ?? 1;

function fail(reason: string): never {
  console.error(reason);
  process.exit(2);
}
