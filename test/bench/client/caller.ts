/** The work of every candidate: 16 calls in flight, and the CPU time of this process per call. */
import { type Case, cases } from "./cases.ts";

const inFlight = 16;
const warmUpCalls = 800;

/** Prints CPU microseconds per call. Arguments: origin, case name, number of calls. */
export async function measureCalls(
  prepare: (origin: string, each: Case) => () => Promise<unknown>,
): Promise<void> {
  const [origin = "", name = "", calls = "0"] = process.argv.slice(2);
  const each = cases[name];
  if (each === undefined) throw new Error(`unknown case ${name}`);
  const call = prepare(origin, each);
  if (JSON.stringify(await call()) !== JSON.stringify(each.answer)) throw new Error("unexpected response");
  await run(call, warmUpCalls);
  const before = process.cpuUsage();
  await run(call, Number(calls));
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / Number(calls));
  process.exit();
}

async function run(call: () => Promise<unknown>, calls: number): Promise<void> {
  let left = calls;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}
