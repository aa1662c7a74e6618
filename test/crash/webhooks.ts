/**
 * A host follows a chain and calls receivers while blocks leave and come back. Meanwhile the host, its Postgres or both are
 * killed repeatedly. In the end each receiver must know exactly the logs that are on the chain.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openPaths } from "../../server/base/storage/embedded/paths.ts";
import { runningPid } from "../../server/base/storage/embedded/postmaster.ts";
import { startEventChain, startSwitch, transferEmitter } from "../support/event-chain.ts";
import { type Data, startHost } from "../support/host.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { startReceiver } from "../support/receiver.ts";
import { addTransferListener } from "../support/transfer-listener.ts";
import { change, grow } from "./chain-growth.ts";
import { logPositionsOn, untilKnown, without } from "./expected-logs.ts";
import { ReceiverState } from "./receiver-state.ts";

export interface WebhookCrashReport {
  /** Emitted events, and those on the final chain. */
  readonly emitted: number;
  readonly onChain: number;
  readonly kills: Readonly<Record<Victim, number>>;
  readonly reorganizations: Readonly<Record<"left" | "returned", number>>;
  /** Over all receivers: notifications, including removals; repeated calls; missing and surplus logs. */
  readonly notifications: number;
  readonly removals: number;
  readonly repeats: number;
  readonly missing: number;
  readonly surplus: number;
  /** Removals before their additions, and ids with two sequences. */
  readonly faults: readonly string[];
}

type Victim = "host" | "postgres" | "both";
const victims: readonly Victim[] = ["host", "postgres", "both"];

/** Each receiver has its own address. */
const receiverAddresses = ["127.0.6.1", "127.0.6.2", "127.0.6.3"];

/**
 * Longest time for the receivers to catch up at the end, in milliseconds. The hosts of a dead process are taken over after ten
 * seconds, and failed calls are retried after five.
 */
const settleMaxMs = 180_000;
/** The same before a reorganization. */
const pauseMaxMs = 30_000;

export async function webhookRounds(
  data: Data,
  rounds: number,
  eventsOfRound: number,
  random: Random,
  report: (progress: string) => void = () => {},
): Promise<WebhookCrashReport> {
  await using chain = await startEventChain(31_337, transferEmitter);
  await using node = await startSwitch(chain);
  const env = {
    NETWORKS: "31337",
    RPC_URLS: `31337=${node.rpcUrl}`,
    NETWORK_DETAILS: JSON.stringify({ "31337": { follow: { start: 0, window: 80, pollMs: 20 } } }),
    LOG_LEVEL: "error",
  };
  let host = await startHost({ data, env });
  const states = receiverAddresses.map(() => new ReceiverState());
  const sum = (of: (state: ReceiverState) => number): number =>
    states.reduce((all, state) => all + of(state), 0);
  const receivers = await Promise.all(
    receiverAddresses.map((address, index) =>
      startReceiver((res, _, { headers, body }) => {
        states[index]?.receive(headers["webhook-id"] ?? "", body);
        res.writeHead(204).end();
      }, address),
    ),
  );
  for (const { url } of receivers) await addTransferListener(host, url);

  const kills = { host: 0, postgres: 0, both: 0 };
  const reorganizations = { left: 0, returned: 0 };
  for (let round = 0; round < rounds; round++) {
    const isKilled = round % 3 === 1 || random.chance(40);
    const killing = isKilled ? killSoon(seededRandom(random.below(2 ** 31))) : undefined;
    await grow(chain, random, eventsOfRound);
    // A removed block may be notified, in flight, or unseen.
    if (random.chance(30)) await untilKnown(data, states, await logPositionsOn(chain), pauseMaxMs);
    else await sleep(random.below(1_500));
    reorganizations[await change(node, random)]++;
    await sleep(random.below(500));
    await killing;
    const [known, removals] = [sum(({ count }) => count), sum((state) => state.removals)];
    report(`round ${round + 1}: head ${await chain.head()}, ${known} notifications, ${removals} removals`);
  }

  async function killSoon(chance: Random): Promise<void> {
    const victim = chance.pick(victims);
    kills[victim]++;
    await sleep(chance.below(400));
    const pid = runningPid(openPaths(data.folder).cluster);
    if (victim !== "host" && pid !== undefined) process.kill(pid, "SIGKILL");
    if (victim === "postgres") return;
    host.process.kill("SIGKILL");
    await host.stop();
    // Sometimes so many blocks arrive meanwhile that they are read in ranges.
    if (chance.chance(20)) await chain.mine(90);
    host = await startHost({ data, env });
  }

  const expected = await logPositionsOn(chain);
  await untilKnown(data, states, expected, settleMaxMs);
  await host.stop();
  await Promise.all(receivers.map((each) => each[Symbol.asyncDispose]()));
  return {
    emitted: rounds * eventsOfRound,
    onChain: expected.size,
    kills,
    reorganizations,
    notifications: sum(({ count }) => count),
    removals: sum((state) => state.removals),
    repeats: sum(({ repeats }) => repeats),
    missing: sum((state) => without(expected, state.logs())),
    surplus: sum((state) => without(state.logs(), expected)),
    faults: states.flatMap(({ faults }) => faults),
  };
}
