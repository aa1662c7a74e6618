import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { commands } from "../../generator/tools/cli/commands/index.ts";
import { run } from "../../generator/tools/cli/run.ts";
import type { Files } from "./memory-reader.ts";

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** The whole environment: nothing of the developer's own comes in. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface TerminalOptions extends RunOptions {
  /** Width of the terminal that both outputs go to. Without it, they go to pipes. */
  readonly columns?: number;
}

export interface ProcessOptions extends RunOptions {
  /** Flags of Node itself. */
  readonly node?: readonly string[];
  /** Standard input; empty if left out. */
  readonly input?: string;
  /** The process is killed after this time, and then has no exit code. Default four minutes. */
  readonly timeoutMs?: number;
}

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Runs one command line in this process, from source. */
export async function ridlkit(args: readonly string[], options: TerminalOptions = {}): Promise<Outcome> {
  let out = "";
  let err = "";
  const code = await run(
    args,
    {
      cwd: options.cwd ?? tmpdir(),
      env: { ...options.env },
      version,
      terminal: {
        out: (text) => {
          out += text;
        },
        err: (text) => {
          err += text;
        },
        write: async (chunk) => {
          out += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
          return true;
        },
        outIsTerminal: options.columns !== undefined,
        errIsTerminal: options.columns !== undefined,
        columns: options.columns,
      },
    },
    commands,
  );
  return { code, out, err };
}

/** The built program, as users start it. */
export const program: string = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));

/** Starts the built program as a process of its own. */
export function start(args: readonly string[], options: ProcessOptions = {}): ChildProcess {
  return spawn(process.execPath, [...(options.node ?? []), program, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { ...options.env },
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    timeout: options.timeoutMs ?? 240_000,
  });
}

/** Runs the built program to its end: for signals, pipes, memory and what the process itself does. */
export function ridlkitProcess(args: readonly string[], options: ProcessOptions = {}): Promise<Outcome> {
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

/** Installs ridlkit-runtime in a project, as npm does. */
export function installRuntime(project: string): void {
  const source = fileURLToPath(new URL("../../generator/runtime/", import.meta.url));
  const target = join(project, "node_modules/ridlkit-runtime");
  for (const part of ["package.json", "dist", "src"])
    cpSync(join(source, part), join(target, part), { recursive: true });
}
