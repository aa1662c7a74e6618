import { type AttackedHost, startAttackedHost } from "../support/attacked-host.ts";
import { startDistantHost } from "../support/distant-database.ts";
import { startFarChainHost } from "../support/far-chain.ts";
import { type LoadResult, openLoop, quantile } from "../support/open-loop.ts";
import { signatureCall, smallSignatureCall, walletCall } from "./calls.ts";

interface Overload {
  /** Calls a second that the host carries without refusals. */
  readonly capacity: number;
  readonly idle: LoadResult;
  /** At twice the capacity. */
  readonly overload: LoadResult;
}

interface OverloadOptions {
  readonly durationMs: number;
  readonly connections: number;
}

/** What a call needs most of. */
interface Scarcity {
  readonly name: string;
  readonly start: () => Promise<AttackedHost>;
  readonly call: (headers: AttackedHost["headers"]) => Buffer;
}

const scarcities: readonly Scarcity[] = [
  {
    name: "calls that need the processor",
    start: () => startAttackedHost(["--max-lag-ms", "100"]),
    call: signatureCall,
  },
  {
    name: "calls that wait for a database 10 ms away",
    start: () => startDistantHost(10, ["--max-lag-ms", "100", "--database-connections", "4"]),
    call: smallSignatureCall,
  },
  {
    name: "calls that wait for a node 100 ms away",
    start: () => startFarChainHost(100, ["--max-lag-ms", "100"]),
    call: walletCall,
  },
];

/** Finds the capacity, then holds a quiet hour to one with twice what the host can carry. */
async function overloadHost(
  { start, call }: Scarcity,
  { durationMs, connections }: OverloadOptions,
): Promise<Overload> {
  await using attacked = await start();
  const bytes = call(attacked.headers);
  const load = (requestsPerSecond: number, ms: number): Promise<LoadResult> =>
    openLoop({ port: attacked.port, requestsPerSecond, durationMs: ms, connections, request: () => bytes });
  // Compiles what is hot.
  await load(500, 1_500);
  const capacity = await capacityOf(load);
  const idle: LoadResult[] = [];
  const overload: LoadResult[] = [];
  // In turn, so that what else the machine does meets both alike.
  for (let slice = 0; slice < slices; slice++) {
    idle.push(await load(Math.ceil(capacity / 10), durationMs / slices));
    // It might still be a burst, whose calls may wait.
    await load(capacity * 2, leadMs);
    overload.push(await load(capacity * 2, durationMs / slices));
  }
  return { capacity, idle: together(idle), overload: together(overload) };
}

function together(results: readonly LoadResult[]): LoadResult {
  const statuses = new Set(results.flatMap(({ latencies }) => [...latencies.keys()]));
  const sum = (of: (result: LoadResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  return {
    latencies: new Map(
      [...statuses].map((status) => [
        status,
        results.flatMap(({ latencies }) => latencies.get(status) ?? []),
      ]),
    ),
    lost: sum(({ lost }) => lost),
    notSent: sum(({ notSent }) => notSent),
  };
}

/** In how many parts a quiet hour and an overload are measured. */
const slices = 4;

/** How long an overload lasts before it is measured, in milliseconds. */
const leadMs = 1_000;

/** The most calls a second of which hardly any is refused: doubled until it is too much, then halved between. */
async function capacityOf(load: (rate: number, ms: number) => Promise<LoadResult>): Promise<number> {
  const isCarried = async (rate: number): Promise<boolean> => {
    const { latencies } = await load(rate, 2_500);
    const refused = latencies.get(503)?.length ?? 0;
    return refused <= rate * 2.5 * 0.01;
  };
  let carried = 50;
  while (await isCarried(carried * 2)) carried *= 2;
  let tooMuch = carried * 2;
  for (let step = 0; step < 3; step++) {
    const middle = Math.round((carried + tooMuch) / 2);
    if (await isCarried(middle)) carried = middle;
    else tooMuch = middle;
  }
  return carried;
}

/** Of everything that was not refused for want of capacity. */
function accepted(latencies: LoadResult["latencies"]): readonly number[] {
  return [...latencies].flatMap(([status, values]) => (status === 503 ? [] : values));
}

export async function reportOverload(): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const scarcity of scarcities) broken.push(...(await reportScarcity(scarcity)));
  return broken;
}

async function reportScarcity(scarcity: Scarcity): Promise<readonly string[]> {
  const { capacity, idle, overload } = await overloadHost(scarcity, { durationMs: 10_000, connections: 400 });
  const quiet = accepted(idle.latencies);
  const taken = accepted(overload.latencies);
  const refused = overload.latencies.get(503) ?? [];
  const row = (values: readonly number[]): string =>
    `${values.length} calls, p50 ${quantile(values, 0.5).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms`;
  console.log(`${scarcity.name}: capacity ${capacity} a second`);
  console.log(`a tenth of it: ${row(quiet)}`);
  console.log(`twice of it: accepted ${row(taken)}`);
  console.log(`twice of it: refused ${row(refused)}; ${overload.lost} lost`);
  const bound = 3 * quantile(quiet, 0.99);
  const found = quantile(taken, 0.99);
  return [
    ...(found <= bound ? [] : [`p99 of accepted calls ${found.toFixed(1)} ms, bound ${bound.toFixed(1)} ms`]),
    ...(overload.lost === 0 ? [] : [`${overload.lost} calls were lost`]),
  ];
}
