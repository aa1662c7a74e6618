import { startAttackedHost } from "../support/attacked-host.ts";
import { openLoop } from "../support/open-loop.ts";
import { seededRandom } from "../support/random.ts";
import { signatureCall } from "./calls.ts";
import type { AttackOptions } from "./part.ts";

export interface Stopped {
  readonly answered: number;
  readonly lost: number;
  /** Calls after the host stopped listening. */
  readonly notSent: number;
  readonly code: number | null;
  /** Milliseconds from the signal to the exit of the process. */
  readonly stopMs: number;
}

const callsPerSecond = 400;

/** Stops a host after `stopAfterCalls` calls, while more calls arrive for another second. */
export async function stopUnderLoad(stopAfterCalls: number): Promise<Stopped> {
  await using attacked = await startAttackedHost();
  const bytes = signatureCall(attacked.headers);
  let allSent = (): void => {};
  const sentAll = new Promise<void>((resolve) => {
    allSent = resolve;
  });
  let sent = 0;
  const load = openLoop({
    port: attacked.port,
    requestsPerSecond: callsPerSecond,
    durationMs: (stopAfterCalls / callsPerSecond + 1) * 1_000,
    connections: 50,
    request: () => {
      if (++sent === stopAfterCalls) allSent();
      return bytes;
    },
  });
  await sentAll;
  const startedAt = performance.now();
  const code = await attacked.host.stop();
  const stopMs = performance.now() - startedAt;
  const { latencies, lost, notSent } = await load;
  return { answered: [...latencies.values()].flat().length, lost, notSent, code, stopMs };
}

export async function reportStops({ seed }: AttackOptions): Promise<readonly string[]> {
  const random = seededRandom(seed);
  const rounds: Stopped[] = [];
  for (let round = 0; round < 20; round++) rounds.push(await stopUnderLoad(1 + random.below(280)));
  const sum = (of: (stopped: Stopped) => number): number =>
    rounds.reduce((total, each) => total + of(each), 0);
  const lost = sum((each) => each.lost);
  const unclean = rounds.filter(({ code }) => code !== 0).length;
  console.log(
    `20 stops under load: ${sum((each) => each.answered)} calls answered, ${lost} lost, ${sum((each) => each.notSent)} found nobody listening`,
  );
  console.log(
    `a stop took ${Math.max(...rounds.map(({ stopMs }) => stopMs)).toFixed(0)} ms at most; ${unclean} ended with another code than 0`,
  );
  return [
    ...(lost === 0 ? [] : [`${lost} calls were lost`]),
    ...(unclean === 0 ? [] : [`${unclean} stops were not clean`]),
  ];
}
