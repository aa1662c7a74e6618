/** Measures what a small call costs with each client: bytes in a page, and CPU time. */
import { execFile, fork } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { seededRandom } from "../../support/random.ts";
import { packed } from "./measure-output.ts";

const here = fileURLToPath(new URL("../client/", import.meta.url));
const callsEach = 2_000;

export interface Client {
  readonly name: string;
  /** A program as in `Peer`. */
  readonly ping: string;
  /** The folder of its generated code; undefined if it has none. */
  readonly place?: string;
  /** Of a page with one call, and with all methods. Undefined if they are the same. */
  readonly bytes?: { readonly one: number; readonly all: number };
}

/** `fetch` without a client. */
const plain: Client = {
  name: "plain fetch",
  ping: `export default (origin: string) => async () => {
  const headers = { "Content-Type": "application/json" };
  return (await fetch(origin + "/rpc/Marketplace/Ping", { method: "POST", headers, body: "{}" })).json();
};`,
};

/** Prints a table. Processes run in interleaved rounds against a raw server, 16 calls in flight; ratios are medians of rounds. */
export async function measureCalls(
  folder: string,
  clients: readonly Client[],
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<void> {
  const all = [plain, ...clients].map((client, index) => ({ ...client, at: join(folder, `calls-${index}`) }));
  const server = join(folder, "server.mjs");
  await bundle(join(here, "server.ts"), server);
  const bytes = new Map<string, { readonly one: number; readonly all: number }>();
  for (const { name, ping, place, at, ...client } of all) {
    const source = place ?? at;
    mkdirSync(source, { recursive: true });
    writeFileSync(join(source, "ping.ts"), ping);
    writeFileSync(
      join(source, "ping-page.ts"),
      'import prepare from "./ping.ts"; await prepare("https://bench.example")();',
    );
    const caller = JSON.stringify(join(here, "caller.ts"));
    const main = `import { measureCalls } from ${caller}; import prepare from "./ping.ts"; await measureCalls(prepare);`;
    writeFileSync(join(source, "ping-main.ts"), main);
    await bundle(join(source, "ping-main.ts"), `${at}.mjs`);
    const page = await packed(source, "ping-page.ts");
    bytes.set(name, client.bytes ?? { one: page, all: page });
  }
  const random = seededRandom(seed);
  const micros = new Map<string, number[]>(all.map(({ name }) => [name, []]));
  const child = fork(server);
  try {
    const port = await new Promise<unknown>((resolve) => child.once("message", resolve));
    for (let round = 0; round < rounds; round++)
      for (const { name, at } of random.shuffle(all)) {
        const args = [`${at}.mjs`, `http://127.0.0.1:${port}`, "Ping", String(callsEach)];
        micros.get(name)?.push(Number((await promisify(execFile)(process.execPath, args)).stdout));
      }
  } finally {
    child.kill();
  }
  const base = micros.get(plain.name) ?? [];
  console.log(
    "\n| | a call, bytes | all, bytes | CPU \u00b5s a call, median | × plain fetch |\n|---|---|---|---|---|",
  );
  for (const [name, values] of micros) {
    const ratio = medianOf(values.map((value, round) => value / (base[round] ?? Number.NaN)));
    const { one, all: every } = bytes.get(name) ?? { one: 0, all: 0 };
    console.log(`| ${[name, one, every, medianOf(values).toFixed(0), ratio.toFixed(2)].join(" | ")} |`);
  }
}

async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "error",
  });
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
