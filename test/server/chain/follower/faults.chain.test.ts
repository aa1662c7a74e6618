/** A follower loses and invents no event, whatever is wrong with a node, and is complete soon after the fault ends. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { readCheckpoint } from "../../../../server/chain/follower/checkpoint.ts";
import { type Followers, openFollowers } from "../../../../server/chain/follower/open-followers.ts";
import {
  type EventChain,
  emittedTopic,
  emitterAddress,
  startEventChain,
} from "../../../support/event-chain.ts";
import {
  type Fault,
  type FaultyNode,
  honest,
  ofChain,
  startFaultyNode,
} from "../../../support/faulty-node.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { nodeFaults } from "../../../support/node-faults.ts";
import {
  recordedLogs,
  recordingDeriver,
  recordingTables,
  violationsOf,
} from "../../../support/recording-deriver.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { migratedDatabase } from "../../../support/server.ts";

const filter = { addresses: new Set([emitterAddress]), topics: new Set([emittedTopic]) };
const noEvent = (): void => {};
const events = {
  followStarted: noEvent,
  followEnded: noEvent,
  headSeen: noEvent,
  advanced: noEvent,
  reorganized: noEvent,
  rewound: noEvent,
  skipped: noEvent,
  nodeDemoted: noEvent,
  failed: noEvent,
  stopped: noEvent,
};

const named = (name: string): Fault => {
  const row = nodeFaults.find((one) => one.name === name);
  if (row === undefined) throw new Error(`no fault has the name ${name}`);
  return row.make({ otherChainUrl: "" });
};

/** A failure makes the host check the chain of the node again. */
function afterReset(fault: Fault): Fault {
  let requests = 0;
  return (exchange) => (++requests === 1 ? void exchange.res.destroy() : fault(exchange));
}

const faults: readonly (readonly [string, Fault])[] = [
  ...[
    "HTTP 429",
    "HTTP 500",
    "HTTP 503",
    "JSON that is cut off",
    "no response at all",
    "a reset before the response",
    "HTTP 200 with a page of HTML",
    "an empty body",
    "2 blocks behind",
    "6 blocks behind",
  ].map((name) => [name, named(name)] as const),
  ["another chain after a failure", afterReset(ofChain(137))],
];

describe.skipIf(noSandbox).each([1, 2])("with %i nodes, the first of which fails", (nodes) => {
  let server: Awaited<ReturnType<typeof migratedDatabase>>;
  let database: Database;
  let chain: EventChain;
  let node: FaultyNode;
  let followers: Followers;
  const table: string[] = [];

  beforeAll(async () => {
    if (noSandbox) return;
    server = await migratedDatabase();
    database = openDatabase(
      { connectionString: server.url },
      { connections: 12, statementTimeoutMs: 10_000, namedStatements: true },
    );
    await database.query(recordingTables);
    chain = await startEventChain();
    node = await startFaultyNode(chain.rpcUrl);
    const rpcUrls = [node.rpcUrl, chain.rpcUrl].slice(0, nodes);
    const network = localNetwork(rpcUrls, { follow: { start: 0, pollMs: 50 } });
    const derivers = [recordingDeriver(filter)];
    followers = openFollowers({ database, hasSessions: true, networks: [network], derivers, events });
  });
  afterAll(async () => {
    console.log(table.join("\n"));
    await followers?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
    await node?.[Symbol.asyncDispose]();
    await chain?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  const expected = async (): Promise<readonly string[]> =>
    (await chain.events()).map(
      ({ blockNumber, blockHash, logIndex, data }) => `${blockNumber} ${blockHash} ${logIndex} ${data}`,
    );
  const isComplete = async (): Promise<boolean> =>
    (await readCheckpoint(database, 31_337))?.number === (await chain.head());

  test.each(faults)("%s", async (name, fault) => {
    node.fault = fault;
    for (let block = 0; block < 8; block++) {
      await chain.emit(3);
      await chain.mine();
      await new Promise((done) => setTimeout(done, 200));
    }
    const all = new Set(await expected());
    expect((await recordedLogs(database)).filter((line) => !all.has(line))).toEqual([]);
    node.fault = honest;
    const endedAt = performance.now();
    await expect.poll(isComplete, { timeout: 60_000, interval: 20 }).toBe(true);
    table.push(`${nodes} ${name.padEnd(30)} ${Math.round(performance.now() - endedAt)} ms`);
    expect(await recordedLogs(database)).toEqual(await expected());
    expect(await violationsOf(database)).toEqual([]);
  });
});
