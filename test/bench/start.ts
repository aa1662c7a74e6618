import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { startAttackedHost } from "../support/attacked-host.ts";
import { makeData, startHost } from "../support/host.ts";
import { quantile } from "../support/open-loop.ts";
import type { Benchmark } from "./benchmark.ts";

/**
 * Limits of the time until the first 200 response that needs the database, in milliseconds over an empty Node process, which itself takes
 * 40 to 300.
 */
const maxFirstStartMs = 3_000;
const maxLaterStartMs = 600;
/** Limits of the resident memory of an idle process, in MiB. */
const maxMibWithoutChains = 100;
const maxMibWithChains = 125;
/** Garbage of the start is collected by then, in milliseconds; after 5,000 it often was not. */
const idleMs = 15_000;

/** Measures the time from process start to first response, on an empty and on an existing data folder, and the idle memory. */
export const benchStart: Benchmark = async ({ rounds }) => {
  const first: number[] = [];
  const later: number[] = [];
  const empty: number[] = [];
  for (let round = 0; round < Math.ceil(rounds / 3); round++) {
    await using data = await makeData();
    const startMs = async (): Promise<number> => {
      const startedAt = performance.now();
      await using host = await startHost({ data });
      const response = await fetch(`${host.url}/rpc/Builder/ListContractSources`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Access-Key": host.accessKey },
        body: JSON.stringify({ projectId: host.projectId }),
      });
      if (response.status !== 200) throw new Error(await response.text());
      return performance.now() - startedAt;
    };
    first.push(await startMs());
    for (let again = 0; again < 3; again++) {
      empty.push(emptyNodeMs());
      later.push(await startMs());
    }
  }
  const without = await idleMib(["--services", "builder,marketplace,metadata"]);
  const withChains = await idleMib(["--sandbox-chain"]);
  const node = quantile(empty, 0.5);
  console.log(`first start ${row(first)}; later starts ${row(later)}; empty node ${row(empty)}`);
  console.log(
    `idle: ${without.toFixed(0)} MiB without chains, ${withChains.toFixed(0)} MiB with a followed chain`,
  );
  return [
    ...(quantile(first, 0.5) - node <= maxFirstStartMs
      ? []
      : [`the first start is over ${maxFirstStartMs} ms`]),
    ...(quantile(later, 0.5) - node <= maxLaterStartMs
      ? []
      : [`a later start is over ${maxLaterStartMs} ms`]),
    ...(without <= maxMibWithoutChains ? [] : [`${without.toFixed(0)} MiB without chains`]),
    ...(withChains <= maxMibWithChains ? [] : [`${withChains.toFixed(0)} MiB with a chain`]),
  ];
};

function emptyNodeMs(): number {
  const startedAt = performance.now();
  execFileSync(process.execPath, ["-e", "0"]);
  return performance.now() - startedAt;
}

async function idleMib(args: readonly string[]): Promise<number> {
  await using host = await startAttackedHost(args);
  await sleep(idleMs);
  return host.memoryMib();
}

function row(values: readonly number[]): string {
  return `p50 ${quantile(values, 0.5).toFixed(0)} ms, at most ${Math.max(...values).toFixed(0)} ms of ${values.length}`;
}
