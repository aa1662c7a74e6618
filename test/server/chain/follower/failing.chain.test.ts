/** What operators see of a chain whose following fails. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseOf } from "../../../support/database.ts";
import { type EventChain, startEventChain } from "../../../support/event-chain.ts";
import { type FaultyNode, honest, ofChain, startFaultyNode } from "../../../support/faulty-node.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { ask, operate } from "../../../support/operator.ts";
import { noSandbox } from "../../../support/sandbox.ts";

interface Followed {
  readonly network: string;
  readonly block: number | null;
  readonly behind: number | null;
  readonly failingSince: string | null;
  readonly failure: string | null;
}

const secret = "0123456789abcdef0123456789abcdef";

describe.skipIf(noSandbox)("a chain whose following fails", () => {
  let chain: EventChain;
  let node: FaultyNode;
  let data: Data;
  const hosts: RunningHost[] = [];

  beforeAll(async () => {
    if (noSandbox) return;
    chain = await startEventChain();
    node = await startFaultyNode(chain.rpcUrl);
    data = await makeData();
    await startReplica();
    await startReplica();
  });
  afterAll(async () => {
    for (const host of hosts) await host[Symbol.asyncDispose]();
    await data?.[Symbol.asyncDispose]();
    await node?.[Symbol.asyncDispose]();
    await chain?.[Symbol.asyncDispose]();
  });

  async function startReplica(): Promise<void> {
    const follow = { start: 0, window: 2 };
    hosts.push(await startFollowing(31_337, { rpcUrls: [`${node.rpcUrl}/v2/${secret}`], follow }));
  }
  const startFollowing = (chainId: number, details: object): Promise<RunningHost> =>
    startHost({
      data,
      args: ["--networks", String(chainId), "--no-sandbox-chain"],
      env: { NETWORK_DETAILS: JSON.stringify({ [chainId]: details }) },
    });

  async function list(chainId = "31337"): Promise<Followed | undefined> {
    return (await ask<readonly Followed[]>(data, "follow", "list", chainId))[0];
  }
  async function grow(): Promise<void> {
    await chain.emit(1);
    await chain.mine();
  }
  async function execute(statement: string): Promise<void> {
    await using database = databaseOf(data);
    await database.query(statement);
  }
  const failFor = (chainId: number, seconds: number) =>
    execute(
      `update follower_health set failing_since = now() - interval '${seconds} s' where chain_id = ${chainId}`,
    );
  /** The problem of the chains in the response of each replica. */
  async function readiness(replicas: readonly RunningHost[] = hosts): Promise<readonly string[]> {
    const running = replicas.filter(
      ({ process: { exitCode, signalCode } }) => (exitCode ?? signalCode) === null,
    );
    return Promise.all(
      running.map(async ({ adminUrl }) => {
        const response = await fetch(`${adminUrl}/readyz`);
        const { checks } = (await response.json()) as { readonly checks: { readonly chains: string } };
        return `${response.status} ${checks.chains}`;
      }),
    );
  }
  const ready = ["200 ok", "200 ok"];

  test("that works has no failure, and an old failure is cleared without a new block", async () => {
    await expect.poll(list).toMatchObject({ block: 0, failingSince: null, failure: null, behind: 0 });
    await execute(
      "update follower_health set failing_since = now() - interval '1 h', failure = 'of a dead follower' where chain_id = 31337",
    );
    await expect.poll(list).toMatchObject({ failingSince: null, failure: null });
  });

  test("is followed by one of two replicas", async () => {
    const follows = async (): Promise<ReadonlyMap<number, readonly string[]>> => {
      const replicas = await ask<readonly { follows: readonly string[]; process: number }[]>(
        data,
        "replicas",
        "list",
      );
      return new Map(replicas.map((replica) => [replica.process, replica.follows]));
    };
    await expect.poll(async () => [...(await follows()).values()].toSorted()).toEqual([[], ["local-chain"]]);
    expect(new Set((await follows()).keys())).toEqual(new Set(hosts.map((host) => host.process.pid)));
  });

  test("is reported if no node responds, until one does, without a new block", async () => {
    node.fault = ({ res }) => void res.destroy();
    await expect.poll(async () => (await list())?.failure).toMatch(/^nodes: /);
    node.fault = honest;
    await expect.poll(list).toMatchObject({ block: 0, failingSince: null, failure: null });
  });

  test("is reported if nodes return heads but no logs, on all replicas, until they do", async () => {
    node.fault = async ({ calls, forward, send }) => {
      const broken = new Set(calls.filter(({ method }) => method === "eth_getLogs").map(({ id }) => id));
      const error = { code: -32_603, message: `key ${secret} is blocked` };
      send(
        (await forward()).map((answer) =>
          broken.has(Number(answer.id)) ? { jsonrpc: "2.0", id: answer.id, error } : answer,
        ),
      );
    };
    await grow();
    await grow();
    const failure =
      /^nodes: http:\/\/127\.0\.0\.1:\d+\/v2\/\[redacted\]: error -32603: key \[redacted\] is blocked$/;
    await expect.poll(async () => (await list())?.failure).toMatch(failure);
    await expect.poll(async () => (await list())?.behind).toBe(2);
    const { failingSince } = (await list()) ?? {};
    expect(Date.now() - Date.parse(failingSince ?? "")).toBeLessThan(120_000);
    const table = (await operate(data, "follow", "list", "31337")).out;
    expect(table).toMatch(/ failing since +failure /);
    expect(table).toContain("is blocked");
    await failFor(31_337, 200);
    expect(await readiness()).toEqual(ready);
    await failFor(31_337, 301);
    const problem = expect.stringMatching(
      /^503 local-chain has failed after block 0 since \d{4}-[^ ]+Z: nodes: http.* is blocked$/,
    );
    expect(await readiness()).toEqual([problem, problem]);
    node.fault = honest;
    await expect.poll(list).toMatchObject({ block: 2, behind: 0, failingSince: null, failure: null });
    expect(await readiness()).toEqual(ready);
  });

  test("is reported if the database rejects a block, also after the follower was killed", async () => {
    await execute(
      "create function fail() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$",
    );
    await execute("create trigger fail before insert on follower_block execute function fail()");
    await grow();
    await expect.poll(list).toMatchObject({ block: 2, failure: "database: no room" });
    await failFor(31_337, 301);
    const follows = async ({ adminUrl }: RunningHost): Promise<boolean> =>
      (await (await fetch(`${adminUrl}/metrics`)).text()).includes(
        'platform_chain_followed{chain="local-chain"} 1',
      );
    const [first, second] = hosts;
    const follower = first !== undefined && (await follows(first)) ? first : second;
    follower?.process.kill("SIGKILL");
    await follower?.stop();
    const other = follower === first ? second : first;
    await expect.poll(async () => other !== undefined && (await follows(other))).toBe(true);
    await expect
      .poll(readiness)
      .toEqual([expect.stringMatching(/^503 local-chain has failed after block 2 .*: database: no room$/)]);
    await execute("drop trigger fail on follower_block");
    await expect.poll(list).toMatchObject({ block: 3, failingSince: null, failure: null });
    expect(await readiness()).toEqual(["200 ok"]);
  });

  test("is reported if no node ever responded", async () => {
    await using dead = await startFaultyNode(chain.rpcUrl);
    dead.fault = ({ res }) => void res.destroy();
    await using host = await startFollowing(31_338, { rpcUrls: [dead.rpcUrl], follow: true });
    const failure = expect.stringMatching(/^nodes: http:\/\/127\.0\.0\.1:\d+: /);
    await expect.poll(() => list("31338")).toMatchObject({ block: null, behind: null, failure });
    const metrics = async (): Promise<string> => (await fetch(`${host.adminUrl}/metrics`)).text();
    await expect.poll(metrics).toMatch(/^platform_chain_nodes_healthy\{chain="hardhat2"\} 0$/m);
    await failFor(31_338, 301);
    expect(await readiness([host])).toEqual([
      expect.stringMatching(
        /^503 hardhat2 has failed before the first block since .*Z: nodes: http:\/\/127\.0\.0\.1:\d+: /,
      ),
    ]);
    dead.fault = ofChain(31_338);
    const works = { failure: null, block: await chain.head() };
    await expect.poll(() => list("31338")).toMatchObject(works);
    expect(await readiness([host])).toEqual(["200 ok"]);
  });
});
