/** Loads a market of any size by the importer, as operators do, and tells how fast and with how much memory. */
import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { type Data, makeData, startHost } from "../../support/host.ts";
import {
  currencyLines,
  defaultMarket,
  type MarketSize,
  metadataLines,
  orderLines,
} from "../../support/market-records.ts";
import type { Part } from "../part.ts";

const program = fileURLToPath(new URL("../../../dist/platform.js", import.meta.url));

/** What the importer promises. */
const ordersPerSecondMin = 20_000;
const memoryMaxMegabytes = 300;

/**
 * Orders a second by the clock, and by the processor time of the importer and its connection together: on a busy machine only the
 * latter says something.
 */
export const benchLoadData: Part = async ({ seed, orders, keep }) => {
  const size = { ...defaultMarket, seed, orders };
  await using data = keep === undefined ? await makeData() : keptIn(keep);
  await using _host = await startHost({ data });
  const broken: string[] = [];
  for (const [kind, lines] of linesOf(size)) {
    const file = join(data.folder, `${kind}.ndjson`);
    await pipeline(Readable.from(inPieces(lines)), createWriteStream(file));
    const { seconds, nodeSeconds, peakMegabytes, added } = await importFile(data, kind, file);
    const rate = Math.round(added / seconds);
    console.log(
      `${kind}: ${added} added in ${seconds.toFixed(1)} s, ${rate}/s; importer ${nodeSeconds.toFixed(1)} s of processor, ` +
        `${Math.round(peakMegabytes)} MB at most`,
    );
    if (peakMegabytes > memoryMaxMegabytes) broken.push(`${kind}: ${Math.round(peakMegabytes)} MB of memory`);
    if (kind === "orders" && rate < ordersPerSecondMin) broken.push(`${rate} orders a second`);
    rmSync(file);
  }
  if (keep !== undefined) console.log(`kept in ${data.folder}`);
  return broken;
};

function keptIn(folder: string): Data {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return { folder: resolve(folder), env: {}, [Symbol.asyncDispose]: async () => {} };
}

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
  const [out, used] = await Promise.all([
    textOf(child.stdio[1] as Readable),
    textOf(child.stdio[3] as Readable),
  ]);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(used) as NodeJS.ResourceUsage;
  return {
    added: (JSON.parse(out) as { readonly added: number }).added,
    seconds: (performance.now() - startedAt) / 1_000,
    nodeSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMegabytes: maxRSS / 1_024,
  };
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
