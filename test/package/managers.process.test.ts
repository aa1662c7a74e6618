/** Projects that package managers install strictly: a package sees only the dependencies that its package.json lists. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/docs.ts";
import { ridlkit } from "../support/program.ts";
import { isSkipped, pack, type Tarballs } from "./pack.ts";

const execute = promisify(execFile);
const programs = join(root, "test/package/node_modules");
const pnpm = [join(programs, "pnpm/bin/pnpm.cjs")];
const yarn = [join(programs, "@yarnpkg/cli-dist/bin/yarn.js")];

let folder: string;
let tarballs: Tarballs;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-managers-"));
  if (!isSkipped) tarballs = await pack(folder);
});
// Thousands of files of packages.
afterAll(() => rm(folder, { recursive: true, force: true }), 120_000);

describe.skipIf(isSkipped)("a new project", () => {
  test.each([
    ["pnpm", pnpm, {}, "node_modules/.pnpm"],
    ["Yarn with Plug'n'Play", yarn, { ".yarnrc.yml": yarnSettings(), "yarn.lock": "" }, ".pnp.cjs"],
  ])("works with %s", async (name, manager, files, proof) => {
    const project = join(folder, name.replace(/\W+/g, "-"));
    const init = ["init", project, "--stack", "node", "--ridlkit", tarballs.ridlkit];
    expect(await ridlkit(init, { cwd: folder })).toMatchObject({ code: 0, err: "" });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text);
    const run = async (...args: readonly string[]): Promise<string> => {
      const { stdout } = await execute(process.execPath, [...manager, ...args], {
        cwd: project,
        // The configuration of tests removes this variable, which Yarn needs behind a proxy.
        env: { ...process.env, CI: "", NODE_EXTRA_CA_CERTS: process.env["SSL_CERT_FILE"] },
        maxBuffer: 2 ** 26,
      });
      return stdout;
    };
    await run("install");
    expect(existsSync(join(project, proof))).toBe(true);
    expect(await run("run", "generate")).not.toContain("npm install");
    await run("run", "build");
    await run("run", "test");
    const doctor = await run("exec", "ridlkit", "doctor");
    expect(doctor.split("\n").filter((line) => !line.startsWith("ok "))).toEqual([""]);
  });
});

/** Nothing of the machine's own is changed or sent. */
function yarnSettings(): string {
  return `nodeLinker: pnp\nenableTelemetry: false\nenableGlobalCache: true\nenableScripts: false\n`;
}
