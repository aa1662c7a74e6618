/** The history of a collection that is followed late: the history reader covers it, and the follower rewinds for the last blocks only. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Indexer } from "../../../../generated/client.ts";
import { NotFoundError } from "../../../../generated/errors.ts";
import { ask } from "../../../support/operator.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { testContract } from "../../../support/test-contracts.ts";
import { accounts } from "../indexer/market-world.ts";
import { openTrading, type Trading } from "../indexer/trading.ts";

const patient = { timeout: 120_000, interval: 100 };
/** More blocks than can be reorganized. */
const old = 300;

describe.skipIf(noSandbox)("the history of a collection", () => {
  let trading: Trading;
  beforeAll(async () => {
    trading = await openTrading();
  });
  afterAll(async () => {
    await trading?.[Symbol.asyncDispose]();
  });

  test("is complete once read, and events and reorganizations in the meantime match the chain", async () => {
    const { world, data, host } = trading;
    const { chain } = world;
    const token = await world.deploy(testContract("TradedToken"));
    const [alice, bob] = accounts as readonly [`0x${string}`, `0x${string}`];
    const give = (units: bigint) => token.send(alice, "safeTransferFrom", [alice, bob, 1n, units, "0x"]);
    await token.send(alice, "mint", [alice, 1n, 100n]);
    await chain.mine();
    await give(10n);
    await chain.mine(old);
    await give(20n);
    await chain.mine();
    const head = await chain.head();
    const followed = async () => {
      const rows = await ask<readonly { readonly block: number }[]>(data, "follow", "list");
      return rows[0]?.block;
    };
    await expect.poll(followed, patient).toBe(head);
    const indexer = new Indexer({
      url: `${host.url}/31337`,
      headers: () => ({ "x-access-key": host.accessKey }),
    });
    const contractAddress = token.address;
    const served = async () => {
      const ofAlice = { accountAddress: alice, contractAddress };
      const [{ balances }, { tokenIDs }, { tokenIDRanges }] = await Promise.all([
        indexer.getTokenBalances(ofAlice),
        indexer.getTokenSupplies({ contractAddress }),
        indexer.getTokenIDRanges({ contractAddress }),
      ]);
      return {
        balances: balances.map(({ tokenID, balance }) => [tokenID, balance]),
        supplies: tokenIDs.map(({ tokenID, supply }) => [tokenID, supply]),
        ranges: tokenIDRanges.map(({ start, end }) => `${start}-${end}`),
      };
    };
    // Without its past, the owners are unknown.
    await ask(data, "collections", "add", "31337", token.address);
    await expect(served()).rejects.toBeInstanceOf(NotFoundError);
    expect((await indexer.getTokenBalances({ accountAddress: alice })).balances).toEqual([]);
    const added = await ask(data, "collections", "add", "31337", token.address, "--from", "0");
    expect(added).toMatchObject({ historyBlock: 0 });
    const snapshot = await chain.request("evm_snapshot");
    await give(30n);
    await token.send(alice, "mint", [alice, 2n, 7n]);
    await token.send(bob, "mint", [bob, 3n, 1n]);
    await chain.mine();
    await expect.poll(served, patient).toEqual({
      balances: [
        ["1", "40"],
        ["2", "7"],
      ],
      supplies: [
        ["1", "100"],
        ["2", "7"],
        ["3", "1"],
      ],
      ranges: ["1-3"],
    });
    await chain.request("evm_revert", snapshot);
    await give(5n);
    await token.send(bob, "mint", [alice, 3n, 2n]);
    await chain.mine(2);
    await expect.poll(served, patient).toEqual({
      balances: [
        ["1", "65"],
        ["3", "2"],
      ],
      supplies: [
        ["1", "100"],
        ["3", "2"],
      ],
      ranges: ["1-1", "3-3"],
    });
    const [state] = (await ask<readonly { readonly address: string }[]>(data, "collections", "list")).filter(
      ({ address }) => address === token.address,
    );
    expect(state).toMatchObject({ historyBlock: null });
    const rewinds = [...host.err().matchAll(/"fromBlock":(\d+)/g)].map(([, block]) => Number(block));
    expect(rewinds.length).toBeGreaterThan(0);
    expect(Math.min(...rewinds)).toBeGreaterThan(head - old);
  });
});
