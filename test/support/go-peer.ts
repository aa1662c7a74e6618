/** The programs of `test/fixtures/wire` and `derived` as gen-golang makes them: `test/reference/wire` and `derived`, which `.ci/run` builds. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const binary = pathOf("wire-go");
const derivedBinary = pathOf("derived-go");

export const isGoBuilt: boolean = isBuilt(binary);
export const isDerivedGoBuilt: boolean = isBuilt(derivedBinary);

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../reference/bin/${name}`, import.meta.url));
}

function isBuilt(path: string): boolean {
  if (existsSync(path)) return true;
  if (process.env["CI"] === "true") throw new Error(`${path} is not there`);
  console.log("Go is left out: .ci/run builds the program that it takes.");
  return false;
}

export interface GoServer extends AsyncDisposable {
  readonly url: string;
}

export async function startGoServer(): Promise<GoServer> {
  const child = spawn(binary, ["-server"]);
  const [url] = await once(createInterface(child.stdout), "line");
  return { url, [Symbol.asyncDispose]: () => stop(child) };
}

export interface GoClient extends AsyncDisposable {
  /** Takes and answers JSON: `{"echo":{…}}`, `{"pay":{…}}`, `{"watch":{…}}`, `{"tail":3}`. One call after the other. */
  call(text: string): Promise<string>;
}

export function startGoClient(url: string): GoClient {
  const child = spawn(binary, ["-client", `-url=${url}`]);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async call(text) {
      child.stdin.write(`${text}\n`);
      const { value } = await lines.next();
      return value ?? "";
    },
    [Symbol.asyncDispose]: () => stop(child),
  };
}

/** A client of `test/fixtures/derived`. Sends a patch, and returns that of the response. */
export async function changeWithGo(url: string, patch: object): Promise<unknown> {
  const run = promisify(execFile);
  const { stdout } = await run(derivedBinary, [url, JSON.stringify(patch)]);
  return JSON.parse(stdout);
}

async function stop(child: ChildProcessWithoutNullStreams): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
