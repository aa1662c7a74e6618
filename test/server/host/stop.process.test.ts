import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runningPid } from "../../../server/base/storage/embedded/postmaster.ts";
import { hostProgram, makeData, startHost } from "../../support/host.ts";

interface Ended {
  readonly code: number | null;
  readonly err: string;
}

/** Starts a host, stops it once it has printed a text or created a file, and waits for its exit. */
async function endWhileStarting(
  folder: string,
  env: Readonly<Record<string, string>>,
  when: RegExp | string,
): Promise<Ended> {
  const args = [hostProgram, "--port", "0", "--json", "--data-dir", folder];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], ...env },
  });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
    if (when instanceof RegExp && when.test(err)) child.kill("SIGTERM");
  });
  const closed = once(child, "close");
  if (typeof when === "string") {
    while (!existsSync(join(folder, when)) && child.exitCode === null) await sleep(5);
    child.kill("SIGTERM");
  }
  const [code] = (await closed) as [number | null];
  return { code, err };
}

test("a host that is stopped while it waits for its database exits", async () => {
  await using data = await makeData();
  const env = { DATABASE_URL: "postgres://u:p@127.0.0.1:1/x", SANDBOX: "true" };
  const { code, err } = await endWhileStarting(data.folder, env, /waiting for the database/);
  expect(code).toBe(0);
  expect(err.trim().split("\n")).toHaveLength(1);
});

test.each([
  ["postgres", "it makes its database"],
  ["postgres/cluster/PG_VERSION", "it starts its database"],
])("a host that is stopped once %s exists, when %s, exits cleanly", async (path) => {
  await using data = await makeData();
  const { code, err } = await endWhileStarting(data.folder, {}, path);
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringMatching(/ {4}at |platform:/) });
  expect(runningPid(`${data.folder}/postgres/cluster`)).toBe(undefined);
});

test("a closed terminal stops it gracefully, even with several signals", async () => {
  await using data = await makeData();
  await using host = await startHost({ data });
  host.process.kill("SIGHUP");
  await sleep(5);
  host.process.kill("SIGHUP");
  await once(host.process, "exit");
  expect(await host.stop()).toBe(0);
  expect(host.err()).toContain('"msg":"stopping"');
  expect(runningPid(`${data.folder}/postgres/cluster`)).toBe(undefined);
});

test("a stop that takes too long is logged, and exits with a code other than 0", async () => {
  const program = `
    import { startStopDeadline } from ${JSON.stringify(new URL("../../../server/host/stop-deadline.ts", import.meta.url).href)};
    const stop = new AbortController();
    startStopDeadline(stop.signal, 20).setReport(async () => console.log("reported"));
    stop.abort();
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program]);
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  expect({ code, out }).toEqual({ code: 1, out: "reported\n" });
});
