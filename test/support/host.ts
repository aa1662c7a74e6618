import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "../../server/base/credentials/sandbox.ts";
import type { Ready as HostReady } from "../../server/host/ready.ts";
import { makeDatabase } from "./make-database.ts";
import { prepareCluster } from "./prepared-cluster.ts";
import { templateVariable } from "./template-database.ts";

/** The platform's host as it was built, as `npm start` runs it. */
export const hostProgram: string = fileURLToPath(new URL("../../server/dist/platform.js", import.meta.url));

/** A Postgres server on which tests make databases of their own. */
const serverUrl: string | undefined = process.env["TEST_DATABASE_URL"];

/** What stands in the ready line of a sandbox. */
interface Ready extends Omit<HostReady, keyof Sandbox>, Sandbox {}

export interface HostOptions {
  /** Default: `hostProgram`. */
  readonly program?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Kept by whoever gives it; otherwise one that goes with the host. */
  readonly data?: Data;
  /** An open file for what it writes to standard error. */
  readonly errTo?: number;
}

export interface RunningHost extends Ready, AsyncDisposable {
  readonly process: ChildProcess;
  /** What it wrote to standard error so far. */
  readonly err: () => string;
  /** Ends it, if it has not ended, as an operator does, and answers its exit code. */
  stop(): Promise<number | null>;
}

/** Where a host keeps its records: a data folder, and a database where there is a server. */
export interface Data extends AsyncDisposable {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A data folder, and a database without records on the tests' server where there is one. */
export async function makeData(): Promise<Data> {
  if (serverUrl === undefined) return makeEmbeddedData();
  const { url, drop } = await makeDatabase(serverUrl, process.env[templateVariable]);
  const data = makeDataFolder();
  return {
    folder: data.folder,
    env: { DATABASE_URL: url, SANDBOX: "true" },
    async [Symbol.asyncDispose]() {
      await drop();
      await data[Symbol.asyncDispose]();
    },
  };
}

/** A data folder for a host that runs its embedded Postgres, whose empty cluster exists where the tests have one to copy. */
export async function makeEmbeddedData(): Promise<Data> {
  const data = makeDataFolder();
  prepareCluster(data.folder);
  return data;
}

/** An empty data folder. */
export function makeDataFolder(): Data {
  const folder = mkdtempSync(join(tmpdir(), "platform-test-"));
  // As root Postgres runs as another user, who must get here.
  chmodSync(folder, 0o755);
  return {
    folder,
    env: {},
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A data folder that stays. */
export function keptIn(folder: string): Data {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return { folder: resolve(folder), env: {}, [Symbol.asyncDispose]: async () => {} };
}

/** Starts a host on a free port and waits for its ready line. */
export async function startHost(options: HostOptions = {}): Promise<RunningHost> {
  const data = options.data ?? (await makeData());
  const child = spawn(
    process.execPath,
    [
      options.program ?? hostProgram,
      "--port",
      "0",
      "--json",
      "--data-dir",
      data.folder,
      ...(options.args ?? []),
    ],
    {
      stdio: ["ignore", "pipe", options.errTo ?? "pipe"],
      env: { ...cleanEnv(), ...data.env, ...options.env },
    },
  );
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  // All of standard error has arrived by then.
  const exited = once(child, "close");
  const ready = await Promise.race([firstLine(child), exited.then(() => undefined)]);
  if (ready === undefined) throw new Error(`the host did not start: ${err}`);
  async function stop(): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    const [code] = (await exited) as [number | null];
    return code;
  }
  return {
    ...(JSON.parse(ready) as Ready),
    process: child,
    err: () => err,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      if (options.data === undefined) await data[Symbol.asyncDispose]();
    },
  };
}

/** Runs the host to its end, for starts that fail. */
export async function runHost(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  outTo?: number,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const child = spawn(process.execPath, [hostProgram, ...args], {
    stdio: ["ignore", outTo ?? "pipe", "pipe"],
    env: { ...cleanEnv(), ...env },
  });
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    err += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}

/** Machines that run tests are busy, which is no overload of the host. Its reads of the database may take long. */
export const busyMachine = {
  MAX_LAG_MS: "60000",
  READ_MAX_MS: "60000",
  DATABASE_STATEMENT_TIMEOUT_MS: "60000",
} as const;

/** Nothing that the developer has set reaches a host under test. */
function cleanEnv(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", ...busyMachine };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done) => {
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) done(text);
    });
  });
}
