/**
 * A host follows a chain whose newest blocks are replaced, as many as a list of depths says, with a window of 64 blocks. Meanwhile the
 * host, its Postgres or both are killed. There is a receiver for each delivery and one for confirmations, and each round may add a listener for past blocks. In the
 * end each of them must know exactly the logs that are on the chain, and receivers of final events must never have received a removal.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openPaths } from "../../server/base/storage/embedded/paths.ts";
import { runningPid } from "../../server/base/storage/embedded/postmaster.ts";
import {
  type EventChain,
  forkOf,
  startEventChain,
  startSwitch,
  transferEmitter,
} from "../support/event-chain.ts";
import { type Data, startHost } from "../support/host.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { startReceiver } from "../support/receiver.ts";
import { addTransferListener, type TransferListenerOptions } from "../support/transfer-listener.ts";
import { logPositionsOn, untilKnown, without } from "./expected-logs.ts";
import { PastListeners, type PastReport } from "./past-listeners.ts";
import { ReceiverState } from "./receiver-state.ts";

const deliveries = ["head", "safe", "finalized", "confirmed"] as const;

/** Of the receiver `confirmed`. Less than the depth of most reorganizations, so that they remove waiting and sent notifications. */
const confirmations = 12;

export interface DeliveryReport {
  readonly additions: number;
  readonly removals: number;
  readonly repeats: number;
  /** Logs of the final chain that the receiver does not know, and logs that it knows although they left the chain. */
  readonly missing: number;
  readonly surplus: number;
  readonly faults: readonly string[];
}

export interface ReorganizationReport {
  readonly onChain: number;
  readonly kills: number;
  readonly reorganizations: number;
  readonly returned: number;
  readonly byDelivery: Readonly<Record<(typeof deliveries)[number], DeliveryReport>>;
  readonly past: PastReport;
}

export const reorganizationWindow = 64;

/** Longest time for the receivers to catch up at the end, and before a reorganization, in milliseconds. */
const settleMaxMs = 180_000;
const pauseMaxMs = 30_000;

export async function reorganizationRounds(
  data: Data,
  depths: readonly number[],
  random: Random,
  report: (progress: string) => void = () => {},
): Promise<ReorganizationReport> {
  let chain = await startEventChain(31_337, transferEmitter);
  await using _chain = { [Symbol.asyncDispose]: () => chain[Symbol.asyncDispose]() };
  await using node = await startSwitch(chain);
  node.tags = { safe: 0, finalized: 0 };
  const follow = { start: 0, window: reorganizationWindow, pollMs: 20 };
  const env = {
    NETWORKS: "31337",
    RPC_URLS: `31337=${node.rpcUrl}`,
    NETWORK_DETAILS: JSON.stringify({ "31337": { follow } }),
    LOG_LEVEL: "error",
  };
  let host = await startHost({ data, env });
  const states = deliveries.map(() => new ReceiverState());
  const [ofHead = new ReceiverState()] = states;
  const receivers = await Promise.all(
    states.map((state, index) =>
      startReceiver(
        (res, _, { headers, body }) => {
          state.receive(headers["webhook-id"] ?? "", body);
          res.writeHead(204).end();
        },
        `127.0.7.${index + 1}`,
      ),
    ),
  );
  for (const [index, { url }] of receivers.entries())
    await addTransferListener(host, url, timingOf(deliveries[index] ?? "head"));
  await using pasts = await PastListeners.open("127.0.7.9");
  let [kills, returned] = [0, 0];

  async function killSoon(chance: Random): Promise<void> {
    kills++;
    const victim = chance.pick(["host", "host", "postgres", "both"]);
    await sleep(chance.below(1_500));
    const pid = runningPid(openPaths(data.folder).cluster);
    if (victim !== "host" && pid !== undefined) process.kill(pid, "SIGKILL");
    if (victim === "postgres") return;
    host.process.kill("SIGKILL");
    await host.stop();
    host = await startHost({ data, env });
  }

  for (const [round, depth] of depths.entries()) {
    await growBy(chain, random.below(5) + 2, random);
    const ancestor = await chain.head();
    node.tags = { safe: ancestor, finalized: ancestor };
    const fork = await forkOf(chain);
    await pasts.add(host, random.below(Math.ceil(ancestor / 2)));
    const isKilled = round % 2 === 1 || random.chance(60);
    const killing = isKilled ? killSoon(seededRandom(random.below(2 ** 31))) : undefined;
    await growBy(chain, depth, random);
    // Safe blocks may leave the chain, final ones may not.
    node.tags = { safe: ancestor + random.below(depth + 1), finalized: ancestor };
    if (random.chance(50)) await untilKnown(data, [ofHead], await logPositionsOn(chain), pauseMaxMs);
    else await sleep(random.below(1_500));
    const chance = seededRandom(random.below(2 ** 31));
    const killingAgain = random.chance(30) ? killing?.then(() => killSoon(chance)) : killing;
    await growBy(fork, depth + 1, random);
    node.tags = { safe: ancestor, finalized: ancestor };
    node.current = fork;
    let left = chain;
    if (random.chance(20)) {
      await sleep(random.below(2_000));
      await growBy(chain, 3, random);
      node.current = chain;
      left = fork;
      returned++;
    } else chain = fork;
    await sleep(random.below(500));
    await killingAgain;
    await left[Symbol.asyncDispose]();
    report(`round ${round + 1}: depth ${depth}, head ${await chain.head()}, ${ofHead.removals} removals`);
  }

  for (let block = 1; block < confirmations; block++) await chain.mine();
  const expected = await logPositionsOn(chain);
  const head = await chain.head();
  node.tags = { safe: head, finalized: head };
  await untilKnown(data, states, expected, settleMaxMs);
  const past = await pasts.report(data, chain, settleMaxMs);
  await host.stop();
  await Promise.all(receivers.map((each) => each[Symbol.asyncDispose]()));
  const reports = states.map((state, index): [string, DeliveryReport] => [
    deliveries[index] ?? "",
    {
      additions: state.count - state.removals,
      removals: state.removals,
      repeats: state.repeats,
      missing: without(expected, state.logs()),
      surplus: without(state.logs(), expected),
      faults: state.faults,
    },
  ]);
  return {
    onChain: expected.size,
    kills,
    reorganizations: depths.length + returned,
    returned,
    byDelivery: Object.fromEntries(reports) as ReorganizationReport["byDelivery"],
    past,
  };
}

function timingOf(delivery: (typeof deliveries)[number]): TransferListenerOptions {
  return delivery === "confirmed" ? { confirmations } : { delivery };
}

/** Adds blocks. One of three has transfers, and the first and the last always do. */
async function growBy(chain: EventChain, blocks: number, random: Random): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    if (block === 0 || block === blocks - 1 || random.chance(33)) await chain.emit(random.below(5) + 1);
    await chain.mine();
  }
}

/** Whether no receiver lacks or has anything that it should not. */
export function isNetZero({ byDelivery, past }: ReorganizationReport): boolean {
  return (
    byDelivery.finalized.removals === 0 &&
    [...Object.values(byDelivery), past].every(
      ({ missing, surplus, faults }) => missing === 0 && surplus === 0 && faults.length === 0,
    )
  );
}
