/** Loads a market of any size with the importer, and reports its speed and memory. */
import { spawn } from "node:child_process";
import { createWriteStream, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { databaseOf } from "../../support/database.ts";
import { type Data, keptIn, makeData, startHost } from "../../support/host.ts";
import {
  currencyLines,
  defaultMarket,
  type MarketSize,
  metadataLines,
  orderLines,
} from "../../support/market-records.ts";
import type { Benchmark } from "../benchmark.ts";
import { processCpu } from "../process-cpu.ts";

const program = fileURLToPath(new URL("../../../server/dist/platform.js", import.meta.url));

/** Required speed and memory of the importer. */
const minOrdersPerSecond = 20_000;
const maxMegabytes = 300;

/** Reports records per second by wall time, which is the requirement, and by CPU time, which means more on a busy machine. */
export const benchLoadData: Benchmark = async ({ seed, orders, keep }) => {
  const size = { ...defaultMarket, seed, orders };
  await using data = keep === undefined ? await makeData() : keptIn(keep);
  await using _host = await startHost({ data });
  const broken: string[] = [];
  for (const [kind, lines] of linesOf(size)) {
    const file = join(data.folder, `${kind}.ndjson`);
    await pipeline(Readable.from(inPieces(lines)), createWriteStream(file));
    const { seconds, nodeSeconds, databaseSeconds, peakMegabytes, added } = await importFile(
      data,
      kind,
      file,
    );
    const rate = Math.round(added / seconds);
    // The importer is a single thread that works concurrently with its connections.
    const onTwo = Math.round(added / Math.max(nodeSeconds, (nodeSeconds + databaseSeconds) / 2));
    console.log(
      `${kind}: ${added} added in ${seconds.toFixed(1)} s, ${rate}/s; CPU time: ` +
        `importer ${nodeSeconds.toFixed(1)} s, database ${databaseSeconds.toFixed(1)} s, so ${onTwo}/s at most on two processors; ` +
        `${Math.round(peakMegabytes)} MB at most`,
    );
    if (peakMegabytes > maxMegabytes) broken.push(`${kind}: ${Math.round(peakMegabytes)} MB of memory`);
    if (kind === "orders" && rate < minOrdersPerSecond) broken.push(`${rate} orders a second`);
    rmSync(file);
  }
  if (keep !== undefined) console.log(`kept in ${data.folder}`);
  return broken;
};

function* linesOf(size: MarketSize): Iterable<readonly [kind: string, lines: Iterable<string>]> {
  yield ["currencies", currencyLines()];
  yield ["metadata", metadataLines(size)];
  yield ["orders", orderLines(size)];
}

function* inPieces(lines: Iterable<string>): Iterable<string> {
  let piece = "";
  for (const line of lines) {
    piece += line;
    if (piece.length < 65_536) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

interface Imported {
  readonly added: number;
  readonly seconds: number;
  readonly nodeSeconds: number;
  /** CPU time of the importer's backends; 0 if they are on another machine. */
  readonly databaseSeconds: number;
  readonly peakMegabytes: number;
}

async function importFile(data: Data, kind: string, file: string): Promise<Imported> {
  const startedAt = performance.now();
  const usage = fileURLToPath(new URL("../report-usage.cjs", import.meta.url));
  const child = spawn(
    process.execPath,
    ["--require", usage, program, "import", kind, file, "--data-dir", data.folder, "--format", "json"],
    { stdio: ["ignore", "pipe", "inherit", "pipe"], env: { PATH: process.env["PATH"], ...data.env } },
  );
  const watch = watchBackends(data);
  const [out, used] = await Promise.all([
    textOf(child.stdio[1] as Readable),
    textOf(child.stdio[3] as Readable),
  ]);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(used) as NodeJS.ResourceUsage;
  return {
    added: (JSON.parse(out) as { readonly added: number }).added,
    seconds: (performance.now() - startedAt) / 1_000,
    nodeSeconds: (userCPUTime + systemCPUTime) / 1e6,
    databaseSeconds: await watch.end(),
    peakMegabytes: maxRSS / 1_024,
  };
}

/** Polls the CPU time of the importer's backends, which end with the importer. */
function watchBackends(data: Data): { readonly end: () => Promise<number> } {
  let isEnded = false;
  const spentMs = new Map<number, number>();
  const watching = (async () => {
    await using database = databaseOf(data);
    while (!isEnded) {
      const found = await database.query<{ pid: number }>(
        "select pid from pg_stat_activity where application_name = 'platform: import'",
      );
      for (const { pid } of found) {
        spentMs.set(pid, Math.max(spentMs.get(pid) ?? 0, processCpu(pid)?.ms ?? 0));
      }
      await sleep(100);
    }
  })();
  return {
    async end() {
      isEnded = true;
      await watching;
      return [...spentMs.values()].reduce((all, one) => all + one, 0) / 1_000;
    },
  };
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
