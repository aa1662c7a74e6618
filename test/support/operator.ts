import { type ChildProcess, execFile, spawn } from "node:child_process";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runAdmin } from "../../server/host/admin/admin.ts";
import type { Data } from "./host.ts";

const program = fileURLToPath(new URL("../../server/dist/platform.js", import.meta.url));

export interface OperatorOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one of the operator's commands, as `npx platform` does, on the data of a host. */
export function operate(data: Data, ...args: readonly string[]): Promise<OperatorOutcome> {
  return operateOn(data, "", ...args);
}

/** The same with something on standard input. */
export function operateOn(
  data: Data,
  input: string | Buffer,
  ...args: readonly string[]
): Promise<OperatorOutcome> {
  const env = { PATH: process.env["PATH"], ...data.env };
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [program, ...args, "--data-dir", data.folder],
      { env },
      (err, out, told) => done({ code: typeof err?.code === "number" ? err.code : 0, out, err: told }),
    );
    // A command that does not read it may have ended.
    child.stdin?.on("error", () => {}).end(input);
  });
}

/** Runs a command without a process, from source. */
export async function operateInProcess(
  data: Data,
  args: readonly string[],
  input: string | Buffer = "",
): Promise<OperatorOutcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout, stderr };
  const { code, out, err } = await runAdmin([...args, "--data-dir", data.folder], data.env, streams);
  for (const stream of [stdout, stderr]) stream.end();
  const [outBefore, errBefore] = await written;
  return { code, out: outBefore + out, err: errBefore + err };
}

/** What a command answers to a program. */
export async function ask<Answer>(data: Data, ...args: readonly string[]): Promise<Answer> {
  const { code, out, err } = await operateInProcess(data, [...args, "--format", "json"]);
  if (code !== 0) throw new Error(`platform ${args.join(" ")}: ${err}`);
  return JSON.parse(out) as Answer;
}

/** Starts a command, for who ends it before it ends by itself. */
export function startOperator(data: Data, ...args: readonly string[]): ChildProcess {
  const env = { PATH: process.env["PATH"], ...data.env };
  return spawn(process.execPath, [program, ...args, "--data-dir", data.folder], {
    env,
    stdio: [args.includes("-") ? "pipe" : "ignore", "pipe", "pipe"],
  });
}

export interface MadeSecret {
  readonly id: string;
  readonly account: string;
  readonly secretKey: string;
}

/** A secret key of a new account. */
export async function makeSecret(
  data: Data,
  projectId: number,
  access: "READ" | "WRITE" = "WRITE",
  ...options: readonly string[]
): Promise<MadeSecret> {
  const { account } = await ask<{ account: string }>(
    data,
    "accounts",
    "create",
    String(projectId),
    "test",
    "--access",
    access,
  );
  return ask<MadeSecret>(data, "secrets", "create", account, ...options);
}

/** An access key, of a new project unless one is given. */
export async function makeKey(
  data: Data,
  projectId?: number,
  ...options: readonly string[]
): Promise<{ readonly id: number; readonly projectId: number; readonly accessKey: string }> {
  const id = projectId ?? (await ask<{ id: number }>(data, "projects", "create", "Another")).id;
  return ask(data, "keys", "create", String(id), ...options);
}
