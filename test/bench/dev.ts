import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Benchmark } from "./benchmark.ts";
import { DevProjectFolder } from "./dev/project.ts";
import { Streams } from "./dev/streams.ts";
import { processCpu } from "./process-cpu.ts";

const edits = Number(process.env["RIDLKIT_BENCH_EDITS"] ?? 200);
const streamCount = 50;

/** Limit at the 95th percentile, in milliseconds: from saving the schema to the first 200 response of the new method. */
const maxMs = 300;

/** Pause between a response and the next save, in milliseconds: a person typing a line. 50 simulates a machine that edits. */
const pauseMs = Number(process.env["RIDLKIT_BENCH_PAUSE_MS"] ?? 1_000);

/** Timeout after which an edit counts as lost, in milliseconds. */
const timeoutMs = 30_000;

/** Repeatedly saves the platform's schema with one more method, while its handlers are served and streams are open. */
export const benchDev: Benchmark = async () => {
  using project = new DevProjectFolder();
  const program = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));
  const flags = ["--scaffold", "--port", "0", "--entry", "handlers/serve.ts", "--format", "json"];
  const child = spawn(process.execPath, [program, "dev", ...flags], {
    cwd: project.path,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await servingUrl(child);
    using streams = await Streams.open(url, streamCount);
    const times: number[] = [];
    const cpuBefore = processCpu(child.pid)?.ms ?? 0;
    for (let index = 0; index < edits; index++) {
      const name = `Probe${index}`;
      const started = performance.now();
      project.addMethod(name);
      await waitFor200(`${url}/rpc/Live/${name}`, started + timeoutMs);
      times.push(performance.now() - started);
      await sleep(pauseMs);
    }
    const cpuMs = ((processCpu(child.pid)?.ms ?? 0) - cpuBefore) / edits;
    await waitUntilWritten(project.path, program);
    return report(times, streams, cpuMs, child);
  } finally {
    const ended = new Promise((done) => child.once("close", done));
    child.kill();
    await ended;
  }
};

function report(times: number[], streams: Streams, cpuMs: number, child: ChildProcess): readonly string[] {
  times.sort((a, b) => a - b);
  const at = (part: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  const [p50, p95, worst] = [at(0.5), at(0.95), at(1)].map((ms) => ms.toFixed(0));
  const sentence = `dev, save to first 200: p95 ${p95} ms over ${edits} edits, limit ${maxMs}`;
  console.log(
    `${sentence}; median ${p50}, worst ${worst}, ${cpuMs.toFixed(0)} ms CPU an edit, ${peakMib(child)} MiB; saved ${pauseMs} ms after each response`,
  );
  console.log(`${streamCount} open streams, ${streams.items} items, ${streams.dropped.length} dropped`);
  return [
    ...(at(0.95) > maxMs ? [sentence] : []),
    ...streams.dropped.map((why) => `dev, a stream was dropped: ${why}`),
  ];
}

function servingUrl(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    child.once("close", (code) => failed(new Error(`ridlkit dev ended with ${code}`)));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const event = JSON.parse(line) as {
        readonly event: string;
        readonly url?: string;
        readonly errors?: unknown;
      };
      if (event.url !== undefined) found(event.url);
      else failed(new Error(`ridlkit dev does not serve: ${line.slice(0, 500)}`));
    });
  });
}

/** Served code is written to disk afterwards. Waits until the folder matches the schema. */
async function waitUntilWritten(cwd: string, program: string): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (spawnSync(process.execPath, [program, "check"], { cwd }).status !== 0) {
    if (performance.now() > until) throw new Error("the generated folder does not match the schema");
    await sleep(20);
  }
}

const agent = new Agent({ keepAlive: true });

/** Calls every two milliseconds until the response is 200. */
async function waitFor200(url: string, until: number): Promise<void> {
  while ((await statusOf(url)) !== 200) {
    if (performance.now() > until) throw new Error(`${url} does not respond`);
    await sleep(2);
  }
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((done, failed) => {
    const headers = { "Content-Type": "application/json" };
    const call = request(url, { method: "POST", agent, headers }, (answer) => {
      answer.resume().on("end", () => done(answer.statusCode));
    });
    call.on("error", failed).end("{}");
  });
}

function peakMib({ pid }: ChildProcess): string {
  const [, kib = "0"] = /VmHWM:\s+(\d+)/.exec(readProc(`/proc/${pid}/status`)) ?? [];
  return (Number(kib) / 1_024).toFixed(0);
}

function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
