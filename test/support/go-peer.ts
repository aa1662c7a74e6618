/** The server and the client of `test/fixtures/wire` as gen-golang makes them: `test/reference/wire`, which `.ci/run` builds. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const binary = fileURLToPath(new URL("../reference/bin/wire-go", import.meta.url));

export const isGoBuilt: boolean = existsSync(binary);

if (!isGoBuilt && process.env["CI"] === "true") throw new Error(`${binary} is not there`);
if (!isGoBuilt) console.log("Go is left out: .ci/run builds the program that it takes.");

export interface GoServer extends AsyncDisposable {
  readonly url: string;
}

export async function startGoServer(): Promise<GoServer> {
  const child = spawn(binary, ["-server"]);
  const [url] = await once(createInterface(child.stdout), "line");
  return { url, [Symbol.asyncDispose]: () => stop(child) };
}

export interface GoClient extends AsyncDisposable {
  /** Takes and answers JSON: `{"echo":{…}}`, `{"watch":{…}}`, `{"tail":3}`. One call after the other. */
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

async function stop(child: ChildProcessWithoutNullStreams): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
