/** What operators see of a chain that is far behind, and of a chain that is stopped. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseOf } from "../../../support/database.ts";
import { type EventChain, startEventChain } from "../../../support/event-chain.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { ask } from "../../../support/operator.ts";
import { noSandbox } from "../../../support/sandbox.ts";

interface Followed {
  readonly block: number;
  readonly stopped: string | null;
}

describe.skipIf(noSandbox)("a followed chain", () => {
  let chain: EventChain;
  let data: Data & AsyncDisposable;
  let host: RunningHost;

  beforeAll(async () => {
    if (noSandbox) return;
    chain = await startEventChain();
    await chain.emit(1);
    await chain.mine();
    await chain.mine(300);
    data = await makeData();
    const details = {
      rpcUrls: [chain.rpcUrl],
      follow: { start: 0, window: 2, rangeBlocks: 10 },
    };
    host = await startHost({
      data,
      args: ["--networks", "31337", "--no-sandbox-chain"],
      env: { NETWORK_DETAILS: JSON.stringify({ 31337: details }) },
    });
  });
  afterAll(async () => {
    await host?.[Symbol.asyncDispose]();
    await data?.[Symbol.asyncDispose]();
    await chain?.[Symbol.asyncDispose]();
  });

  const list = async () => (await ask<readonly Followed[]>(data, "follow", "list"))[0];
  const ready = async () => {
    const response = await fetch(`${host.adminUrl}/readyz`);
    return { status: response.status, body: await response.json() };
  };
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${host.adminUrl}/metrics`)).text();
    return Number(new RegExp(`^${name}\\{[^}]*\\} (.*)$`, "m").exec(text)?.[1]);
  };

  test("is ready after it has caught up", async () => {
    await expect.poll(async () => (await list())?.block, { timeout: 120_000 }).toBe(await chain.head());
    expect(await ready()).toMatchObject({ status: 200, body: { checks: { chains: "ok" } } });
  });

  test("fails readiness while it is stopped, and its lag grows", async () => {
    // As after a reorganization of all blocks that the follower knows.
    {
      await using database = databaseOf(data);
      await database.query("update follower_cursor set stopped = 'the chain has changed'");
    }
    await expect
      .poll(async () => (await list())?.stopped, { timeout: 60_000 })
      .toContain("the chain has changed");
    const { status, body } = await ready();
    expect(status).toBe(503);
    expect(body).toMatchObject({
      checks: {
        chains: expect.stringMatching(/^local-chain is stopped at block \d+: the chain has changed/),
      },
    });
    await chain.mine(50);
    await expect
      .poll(() => metric("platform_chain_lag_blocks"), { timeout: 60_000 })
      .toBeGreaterThanOrEqual(50);
    const lag = await metric("platform_chain_lag_blocks");
    await chain.mine(50);
    await expect.poll(() => metric("platform_chain_lag_blocks"), { timeout: 60_000 }).toBe(lag + 50);
  });
});
