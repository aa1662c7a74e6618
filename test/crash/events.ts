/**
 * Two hosts on one database follow a chain whose blocks leave and come back. Readers of SubscribeEvents use them in turn through a
 * proxy that cuts connections, while hosts are killed. Each reader must get each item once, and know exactly the logs on the chain.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../client/platform.ts";
import { type ChaosProxy, startChaosProxy } from "../support/chaos-proxy.ts";
import { emitterAddress, startEventChain, startSwitch, transferEmitter } from "../support/event-chain.ts";
import { makeDataFolder, type RunningHost, startHost } from "../support/host.ts";
import { makeDatabase } from "../support/make-database.ts";
import type { Random } from "../support/random.ts";
import { change, grow } from "./chain-growth.ts";
import { logPositionsOn, without } from "./expected-logs.ts";
import { logPositionOf } from "./receiver-state.ts";

export interface EventStreamReport {
  readonly readers: number;
  /** Of all readers. */
  readonly items: number;
  readonly removals: number;
  /** Items that a reader did not get, and that it got more than once. */
  readonly lost: number;
  readonly twice: number;
  /** Logs on the chain that a reader does not know, and logs that it knows although they left the chain. */
  readonly missing: number;
  readonly surplus: number;
  /** Additions of known logs, and removals of unknown ones. */
  readonly faults: number;
  readonly onChain: number;
  readonly reorganizations: Readonly<Record<"left" | "returned", number>>;
  readonly kills: number;
  readonly connections: number;
  readonly proxy: ChaosProxy["done"];
}

const readers = 3;
const eventsOfRound = 40;

/** Longest time for the readers to catch up, in milliseconds. */
const settleMaxMs = 180_000;

/** What a reader knows. */
class Reader {
  readonly ids: string[] = [];
  readonly logs = new Set<string>();
  removals = 0;
  faults = 0;

  receive({ id, log }: Item): void {
    this.ids.push(id);
    const position = logPositionOf({ ...log, txnLogIndex: String(log.txnLogIndex) });
    if (log.type === "BLOCK_ADDED") {
      if (this.logs.has(position)) this.faults++;
      this.logs.add(position);
    } else {
      if (!this.logs.delete(position)) this.faults++;
      this.removals++;
    }
  }
}

interface Item {
  readonly id: string;
  readonly log: {
    readonly type: string;
    readonly blockHash: string;
    readonly txnHash: string;
    readonly txnLogIndex: number;
  };
}

/** `postgres` is the address of a server. */
export async function eventStreamRounds(
  postgres: string,
  rounds: number,
  random: Random,
  report: (progress: string) => void = () => {},
): Promise<EventStreamReport> {
  await using chain = await startEventChain(31_337, transferEmitter);
  await using node = await startSwitch(chain);
  const database = await makeDatabase(postgres);
  const data = [makeDataFolder(), makeDataFolder()] as const;
  const env = {
    DATABASE_URL: database.url,
    SIGNING_KEY: Buffer.alloc(32, 1).toString("base64"),
    SANDBOX: "true",
    NETWORKS: "31337",
    RPC_URLS: `31337=${node.rpcUrl}`,
    NETWORK_DETAILS: JSON.stringify({ "31337": { follow: { start: 0, window: 80, pollMs: 20 } } }),
    LOG_LEVEL: "error",
  };
  const start = (index: number): Promise<RunningHost> =>
    startHost({ ...(data[index] && { data: data[index] }), env });
  const hosts = [await start(0), await start(1)];
  let connections = 0;
  await using proxy = await startChaosProxy({
    target: () => Number(new URL(hosts[connections++ % hosts.length]?.url ?? "").port),
    random,
    maxBytes: 20_000,
  });
  const { indexer } = connect({ url: proxy.url, accessKey: hosts[0]?.accessKey ?? "" }).on(31_337);
  const closing = new AbortController();
  const known = Array.from({ length: readers }, () => new Reader());
  let open = 0;
  const reading = known.map(async (reader) => {
    let wasOpen = false;
    const stream = indexer.subscribeEvents(
      {
        filter: {
          contractAddresses: [emitterAddress],
          events: ["Transfer(address indexed from, address indexed to, uint256 value)"],
        },
      },
      {
        signal: closing.signal,
        reconnect: { firstMs: 5, mostMs: 100, tries: Number.POSITIVE_INFINITY },
        onState: ({ kind }) => {
          if (kind !== "open" || wasOpen) return;
          wasOpen = true;
          open++;
        },
      },
    );
    try {
      for await (const item of stream) reader.receive(item);
    } catch (err) {
      if (!closing.signal.aborted) throw err;
    }
  });
  const all = Promise.all(reading);
  while (open < readers) await Promise.race([sleep(5), all]);
  proxy.isOn = true;

  async function untilKnown(logs: ReadonlySet<string>): Promise<void> {
    const isKnown = (reader: Reader): boolean =>
      reader.logs.size === logs.size && without(reader.logs, logs) === 0;
    for (const end = performance.now() + settleMaxMs; performance.now() < end && !known.every(isKnown); )
      await Promise.race([sleep(20), all]);
  }

  const reorganizations = { left: 0, returned: 0 };
  let kills = 0;
  for (let round = 0; round < rounds; round++) {
    await grow(chain, random, eventsOfRound);
    // A removed block may be in a stream, on its way, or unseen.
    if (round % 2 === 0) await untilKnown(await logPositionsOn(chain));
    else await sleep(random.below(300));
    const victim = round % 3 === 1 || random.chance(25) ? kills++ % hosts.length : undefined;
    if (victim !== undefined) {
      hosts[victim]?.process.kill("SIGKILL");
      await hosts[victim]?.stop();
    }
    reorganizations[await change(node, random)]++;
    if (victim !== undefined) hosts[victim] = await start(victim);
    report(`round ${round + 1}: head ${await chain.head()}, ${known.map(({ ids }) => ids.length)} items`);
  }

  const expected = await logPositionsOn(chain);
  await untilKnown(expected);
  closing.abort();
  await all;
  await Promise.all(hosts.map((host) => host.stop()));
  await Promise.all(data.map((folder) => folder[Symbol.asyncDispose]()));
  await database.drop();
  const numberOf = (id = ""): number => Number(id.split("-").at(-1));
  const sum = (of: (reader: Reader) => number): number =>
    known.reduce((total, reader) => total + of(reader), 0);
  return {
    readers,
    items: sum(({ ids }) => ids.length),
    removals: sum(({ removals }) => removals),
    lost: sum(({ ids }) => numberOf(ids.at(-1)) - new Set(ids).size),
    twice: sum(({ ids }) => ids.length - new Set(ids).size),
    missing: sum(({ logs }) => without(expected, logs)),
    surplus: sum(({ logs }) => without(logs, expected)),
    faults: sum(({ faults }) => faults),
    onChain: expected.size,
    reorganizations,
    kills,
    connections,
    proxy: proxy.done,
  };
}
