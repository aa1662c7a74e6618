import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Files } from "./memory-reader.ts";

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** The whole environment: nothing of ours comes in. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Node itself. */
  readonly node?: readonly string[];
  /** Standard input; without it there is none. */
  readonly input?: string;
  /** After this time it is killed, and has no code. Default 30 seconds. */
  readonly timeoutMs?: number;
}

/** The built program, as users start it. */
export const program: string = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));

/** Starts the program. */
export function start(args: readonly string[], options: RunOptions = {}): ChildProcess {
  return spawn(process.execPath, [...(options.node ?? []), program, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { ...options.env },
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    timeout: options.timeoutMs ?? 30_000,
  });
}

/** Runs the program to its end. */
export function ridlkit(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = start(args, options);
  child.stdin?.end(options.input);
  let out = "";
  let err = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  return new Promise((done) => child.on("close", (code) => done({ code, out, err })));
}

export interface Folder extends Disposable {
  readonly path: string;
}

/** A directory of its own with these files; it goes with the block that uses it. */
export function folder(files: Files): Folder {
  const path = mkdtempSync(join(tmpdir(), "ridlkit-test-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
