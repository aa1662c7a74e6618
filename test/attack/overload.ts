import { type AttackedHost, startAttackedHost } from "../support/attacked-host.ts";
import { type LoadResult, openLoop, quantile } from "../support/open-loop.ts";
import { startSlowChainHost } from "../support/slow-chain.ts";
import { startSlowDatabaseHost } from "../support/slow-database.ts";
import { signatureCall, smallSignatureCall, walletCall } from "./calls.ts";

interface Overload {
  /** Calls a second that the host serves without rejections. */
  readonly capacity: number;
  /** One result per slice. */
  readonly idle: readonly LoadResult[];
  /** At twice the capacity, one result per slice. */
  readonly overload: readonly LoadResult[];
}

interface OverloadOptions {
  readonly durationMs: number;
  readonly connections: number;
}

/** The resource that limits a call. */
interface Scarcity {
  readonly name: string;
  readonly start: () => Promise<AttackedHost>;
  readonly call: (headers: AttackedHost["headers"]) => Buffer;
  /** How many times longer than in a quiet period accepted calls may take. */
  readonly factor: number;
}

const scarcities: readonly Scarcity[] = [
  {
    name: "calls that need the processor",
    start: () => startAttackedHost(["--max-lag-ms", "100"]),
    call: signatureCall,
    factor: 3,
  },
  {
    name: "calls that wait for a database 10 ms away",
    start: () => startSlowDatabaseHost(10, ["--max-lag-ms", "100", "--database-connections", "4"]),
    call: smallSignatureCall,
    // A call has two statements, and one and a half turns may wait for the connections: a caller's few calls at a time must pass.
    factor: 4.5,
  },
  {
    name: "calls that wait for a node 100 ms away",
    start: () => startSlowChainHost(100, ["--max-lag-ms", "100"]),
    call: walletCall,
    factor: 3,
  },
];

/** Measures the capacity, then compares a quiet period with an overload of twice the capacity. */
async function overloadHost(
  { start, call }: Scarcity,
  { durationMs, connections }: OverloadOptions,
): Promise<Overload> {
  await using attacked = await start();
  const bytes = call(attacked.headers);
  const load = (requestsPerSecond: number, ms: number): Promise<LoadResult> =>
    openLoop({ port: attacked.port, requestsPerSecond, durationMs: ms, connections, request: () => bytes });
  // Lets the JIT compile the hot code.
  await load(500, 1_500);
  const capacity = await capacityOf(load);
  const idle: LoadResult[] = [];
  const overload: LoadResult[] = [];
  // Alternates, so that other load on the machine affects both alike.
  for (let slice = 0; slice < slices; slice++) {
    idle.push(await load(Math.ceil(capacity / 10), durationMs / slices));
    // Skips the start of the overload, which may still count as a burst.
    await load(capacity * 2, leadMs);
    overload.push(await load(capacity * 2, durationMs / slices));
  }
  return { capacity, idle, overload };
}

/** Number of measured slices of each kind. */
const slices = 6;

/** Duration of the overload before each measurement, in milliseconds. */
const leadMs = 1_000;

/**
 * Finds the highest rate with almost no rejections: doubles it until it is too high, then bisects. A rate is too high if it fails
 * twice, because the machine may cause a single failure.
 */
async function capacityOf(load: (rate: number, ms: number) => Promise<LoadResult>): Promise<number> {
  const wentThrough = async (rate: number): Promise<boolean> => {
    const { latencies } = await load(rate, 2_500);
    const refused = latencies.get(503)?.length ?? 0;
    return refused <= rate * 2.5 * 0.01;
  };
  const isCarried = async (rate: number): Promise<boolean> =>
    (await wentThrough(rate)) || (await wentThrough(rate));
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

/** Latencies of all calls that were not rejected for capacity. */
function accepted(latencies: LoadResult["latencies"]): readonly number[] {
  return [...latencies].flatMap(([status, values]) => (status === 503 ? [] : values));
}

export async function reportOverload(): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const scarcity of scarcities) broken.push(...(await reportScarcity(scarcity)));
  return broken;
}

async function reportScarcity(scarcity: Scarcity): Promise<readonly string[]> {
  const { capacity, idle, overload } = await overloadHost(scarcity, { durationMs: 15_000, connections: 400 });
  const quiet = idle.map(({ latencies }) => accepted(latencies));
  const taken = overload.map(({ latencies }) => accepted(latencies));
  const refused = overload.map(({ latencies }) => latencies.get(503) ?? []);
  const lost = overload.reduce((sum, each) => sum + each.lost, 0);
  console.log(`${scarcity.name}: capacity ${capacity} a second; ${slices} slices each, middle of their p99`);
  console.log(`a tenth of it: ${row(quiet)}`);
  console.log(`twice of it: accepted ${row(taken)}`);
  console.log(`twice of it: refused ${row(refused)}; ${lost} lost`);
  const bound = scarcity.factor * middleP99(quiet);
  const found = middleP99(taken);
  return [
    ...(found <= bound ? [] : [`p99 of accepted calls ${found.toFixed(1)} ms, bound ${bound.toFixed(1)} ms`]),
    ...(lost === 0 ? [] : [`${lost} calls were lost`]),
  ];
}

function row(parts: readonly (readonly number[])[]): string {
  const all = parts.flat();
  const each = parts.map((values) => quantile(values, 0.99).toFixed(1)).join(" ");
  return `${all.length} calls, p50 ${quantile(all, 0.5).toFixed(1)} ms, p99 ${middleP99(parts).toFixed(1)} ms (${each})`;
}

/** The median of the slices' p99, so that disturbances of one slice do not count. */
function middleP99(parts: readonly (readonly number[])[]): number {
  const filled = parts.filter((values) => values.length > 0).map((values) => quantile(values, 0.99));
  return quantile(filled, 0.5);
}
