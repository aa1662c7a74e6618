import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const mib = 2 ** 20;

/** Peak memory in MiB: of both ends with a small file, and the growth with a large one. */
export interface FilePeaks {
  readonly server: number;
  readonly client: number;
  readonly serverGrowth: number;
  readonly clientGrowth: number;
}

/** Sends 500 MB to a host and back, and measures the memory growth of both ends. */
export async function benchFiles(): Promise<readonly string[]> {
  const started = performance.now();
  const peaks = await peaksOf(500);
  const { serverGrowth, clientGrowth } = peaks;
  const ms = performance.now() - started;
  console.log(`files, 1 MB and 500 MB up and down in ${ms.toFixed(0)} ms: ${JSON.stringify(peaks)}`);
  return Object.entries({ serverGrowth, clientGrowth }).flatMap(([name, growth]) =>
    growth > maxGrowthMib ? [`files, ${name}: ${growth.toFixed(0)} MiB, limit ${maxGrowthMib}`] : [],
  );
}

/** Limit in MiB, for buffers in flight and uncollected garbage. Independent of the file size. */
export const maxGrowthMib = 80;

export async function peaksOf(megabytes: number): Promise<FilePeaks> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-files-"));
  const uploads = mkdtempSync(join(folder, "uploads-"));
  const host = spawn(process.execPath, ["--import", "tsx", child("server"), uploads], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<number> => Number((await lines.next()).value);
  try {
    const url = `http://127.0.0.1:${await nextLine()}`;
    const roundTrip = async (size: number): Promise<{ client: number; server: number }> => {
      const path = join(folder, "file");
      await pipeline(Readable.from(megabytesOf(size)), createWriteStream(path));
      const { stdout } = await run(process.execPath, ["--import", "tsx", child("client"), url, path]);
      const [bytes, client = Number.NaN] = stdout.split(" ").map(Number);
      if (bytes !== size * mib) throw new Error(`sent ${size} MB, but received ${bytes} bytes`);
      host.stdin.write("\n");
      return { client, server: await nextLine() };
    };
    const small = await roundTrip(1);
    const large = await roundTrip(megabytes);
    // Uploads are deleted after the response.
    for (let wait = 0; readdirSync(uploads).length > 0; wait++) {
      if (wait > 50) throw new Error(`left behind: ${readdirSync(uploads)}`);
      await sleep(100);
    }
    return {
      ...small,
      serverGrowth: large.server - small.server,
      clientGrowth: large.client - small.client,
    };
  } finally {
    host.kill();
    await once(host, "exit");
    rmSync(folder, { recursive: true });
  }
}

const run = promisify(execFile);

function child(name: string): string {
  return fileURLToPath(new URL(`files/${name}.ts`, import.meta.url));
}

function* megabytesOf(count: number): Generator<Uint8Array> {
  for (let index = 0; index < count; index++) yield Buffer.alloc(mib, index);
}
