/** One signal for many calls at a time, on every version of Node.js. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const execute = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "shared-signal-"));
const program = join(folder, "program.mjs");

beforeAll(async () => {
  await build({
    entryPoints: [`${here}shared-signal.ts`],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(["this", "20", "22", "24"])("Node.js %s", (version) => {
  const node = version === "this" ? process.execPath : `${here}node_modules/node-${version}/bin/node`;
  // Installed by .ci/run: `npm ci --prefix test/node-versions`.
  const isSkipped = !existsSync(node) && process.env["CI"] !== "true";

  test.skipIf(isSkipped)("40 at a time add one listener, print no warning, and leave nothing", async () => {
    const { stdout, stderr } = await execute(node, [program]);
    expect(stderr).toBe("");
    const { found, warnings } = JSON.parse(stdout) as { found: Record<string, number[]>; warnings: string[] };
    expect(warnings).toEqual([]);
    expect(Object.keys(found)).toHaveLength(24);
    for (const [name, [failed, most, left]] of Object.entries(found)) {
      const isWaiting = !/^(?:calls|streams|pages|(?:cancelled )?files),/.test(name);
      expect([name, failed, most, left]).toEqual([name, isWaiting ? 40 : 0, 1, 0]);
    }
  });
});
