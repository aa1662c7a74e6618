import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listen } from "../support/adapters.ts";
import type { BenchmarkOptions } from "./benchmark.ts";
import { measure } from "./measure.ts";
import { figuresOf, printTable } from "./table.ts";

/** Maximum difference between the median CPU times of a command and of an empty process, in milliseconds. */
const maxMs = 150;

/** `ridlkit call` of a method without a request, with the platform's contract. */
export async function benchCall({ rounds, seed }: BenchmarkOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  const http = createServer((request, response) => {
    request.resume();
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  await using server = await listen(http);
  try {
    const cli = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));
    const schema = ["--schema", fileURLToPath(new URL("../../schema/platform.ridl", import.meta.url))];
    const empty = join(folder, "empty.cjs");
    writeFileSync(empty, "");
    const candidates = [
      { name: "empty node", args: [empty] },
      { name: "call", args: [cli, "call", "Marketplace.Ping", ...schema, "--url", server.url] },
    ];
    const samples = await measure(candidates, { rounds, seed });
    printTable(samples);
    const { over } = figuresOf(samples.get("call") ?? [], samples.get("empty node") ?? [], "cpuMs");
    const text = `call: ${over.toFixed(1)} ms CPU over empty node, limit ${maxMs}`;
    console.log(text);
    return over > maxMs ? [text] : [];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
