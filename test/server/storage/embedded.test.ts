import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runningPid } from "../../../server/storage/embedded/pid-file.ts";
import { type Data, makeData, runHost, startHost } from "../../support/host.ts";

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log("What only root can set up is left out: other users, homes of root, small disks.");

function clusterOf({ folder }: Data): string {
  return join(realpathSync(join(folder, "postgres")), "cluster");
}

describe.skipIf(process.env["TEST_DATABASE_URL"] !== undefined)("the embedded Postgres", () => {
  test("is one server's at a time", async () => {
    await using data = await makeData();
    await using _host = await startHost({ data });
    const second = await runHost(["--port", "0", "--data-dir", data.folder]);
    expect(second).toMatchObject({ code: 2, err: expect.stringContaining("another server runs on") });
    expect(second.err.trim().split("\n")).toHaveLength(1);
  });

  test("that outlived its killed server is taken over, with its records", async () => {
    await using data = await makeData();
    const first = await startHost({ data });
    const orphan = runningPid(clusterOf(data));
    first.process.kill("SIGKILL");
    await first.stop();
    expect(runningPid(clusterOf(data))).toBe(orphan);
    await using second = await startHost({ data });
    expect(runningPid(clusterOf(data))).not.toBe(orphan);
    expect(second.accessKey).toBe(first.accessKey);
    expect(second.secretKey).toBe(first.secretKey);
  });

  test("starts though the process of its old pid file seems to live", async () => {
    await using data = await makeData();
    const first = await startHost({ data });
    const cluster = clusterOf(data);
    const pid = runningPid(cluster) ?? 0;
    first.process.kill("SIGKILL");
    await first.stop();
    process.kill(pid, "SIGKILL");
    const file = join(cluster, "postmaster.pid");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^[0-9]+/, String(process.pid)));
    await using second = await startHost({ data });
    expect(second.accessKey).toBe(first.accessKey);
  });

  test("ends with its server", async () => {
    await using data = await makeData();
    const host = await startHost({ data });
    const cluster = clusterOf(data);
    expect(runningPid(cluster)).toBeDefined();
    expect(await host.stop()).toBe(0);
    expect(runningPid(cluster)).toBeUndefined();
  });

  test("lies in a path of any length, with blanks and quotes", async () => {
    await using data = await makeData();
    const folder = join(data.folder, `it's a ${"long ".repeat(20)}name`, "x".repeat(100));
    mkdirSync(folder, { recursive: true });
    for (const part of [folder, join(folder, "..")]) chmodSync(part, 0o755);
    chmodSync(data.folder, 0o755);
    await using host = await startHost({ data: { ...data, folder } });
    expect(host.url).toContain("http://");
  });

  test("where there is none, one line says what to do", async () => {
    const preload = "Object.defineProperty(process, 'arch', { value: 'riscv64' })";
    await using data = await makeData();
    const { code, err } = await runHost(["--data-dir", data.folder], {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(preload)}`,
    });
    expect({ code, err }).toEqual({
      code: 2,
      err: "platform: there is no embedded Postgres for this machine (linux-riscv64); set DATABASE_URL to a Postgres 15 or newer\n",
    });
  });

  test("keeps its keys from other users", async () => {
    await using data = await makeData();
    await using _host = await startHost({ data });
    for (const name of ["signing-key", "sandbox.json"]) {
      const mode = execFileSync("ls", ["-l", join(data.folder, name)], { encoding: "utf8" }).slice(0, 10);
      expect(mode).toBe("-rw-------");
    }
  });

  test.runIf(isRoot)("runs as root in a home that is closed to others", async () => {
    const home = mkdtempSync(join(tmpdir(), "platform-home-"));
    chmodSync(home, 0o700);
    const data: Data = { folder: join(home, ".data"), env: {}, [Symbol.asyncDispose]: async () => {} };
    const host = await startHost({ data });
    const room = realpathSync(join(data.folder, "postgres"));
    expect(host.url).toContain("http://");
    await host.stop();
    rmSync(room, { recursive: true });
    rmSync(home, { recursive: true });
  });

  test.runIf(isRoot)("runs as a user without rights", async () => {
    const folder = mkdtempSync(join(tmpdir(), "platform-user-"));
    execFileSync("chown", ["nobody", folder]);
    const child = spawn(
      process.execPath,
      [
        join(import.meta.dirname, "../../../dist/platform.js"),
        "--port",
        "0",
        "--json",
        "--data-dir",
        join(folder, "data"),
      ],
      { uid: 65_534, gid: 65_534, cwd: "/", stdio: ["ignore", "pipe", "inherit"] },
    );
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    expect(JSON.parse(line.toString())).toMatchObject({ ready: true });
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    rmSync(folder, { recursive: true });
  });
});
