/** The history of a collection that is followed late: the history reader covers it, and the follower rewinds for the last blocks only. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { databaseOf } from "../../../support/database.ts";
import { ask } from "../../../support/operator.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { testContract } from "../../../support/test-contracts.ts";
import { accounts } from "../indexer/market-world.ts";
import { openTrading, type Trading } from "../indexer/trading.ts";

const patient = { timeout: 120_000, interval: 100 };
/** More blocks than can be reorganised. */
const old = 300;

describe.skipIf(noSandbox)("the history of a collection", () => {
  let trading: Trading;
  let database: Database;
  beforeAll(async () => {
    trading = await openTrading();
    database = databaseOf(trading.data);
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await trading?.[Symbol.asyncDispose]();
  });

  test("is complete once read, and events and reorganisations in the meantime match the chain", async () => {
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
    const read = async () => {
      const rows = await database.query<{ readonly owner: string; readonly quantity: string }>(
        `select owner, quantity::text from collectible_owner join collectible on collectible.id = collectible_id
         join collection on collection.id = collection_id where address = $1 order by owner`,
        [token.address],
      );
      return Object.fromEntries(rows.map(({ owner, quantity }) => [owner, BigInt(quantity)]));
    };
    const held = async () => {
      const [one, other] = await Promise.all([alice, bob].map((each) => token.read("balanceOf", [each, 1n])));
      return { [alice]: one, [bob]: other };
    };
    const head = await chain.head();
    const followed = async () => {
      const rows = await ask<readonly { readonly block: number }[]>(data, "follow", "list");
      return rows[0]?.block;
    };
    await expect.poll(followed, patient).toBe(head);
    const added = await ask(data, "collections", "add", "31337", token.address, "--from", "0");
    expect(added).toMatchObject({ historyBlock: 0 });
    const snapshot = await chain.request("evm_snapshot");
    await give(30n);
    await chain.mine();
    await expect.poll(read, patient).toEqual(await held());
    await chain.request("evm_revert", snapshot);
    await give(5n);
    await chain.mine(2);
    await expect.poll(read, patient).toEqual(await held());
    const [state] = (await ask<readonly { readonly address: string }[]>(data, "collections", "list")).filter(
      ({ address }) => address === token.address,
    );
    expect(state).toMatchObject({ historyBlock: null });
    const rewinds = [...host.err().matchAll(/"fromBlock":(\d+)/g)].map(([, block]) => Number(block));
    expect(rewinds.length).toBeGreaterThan(0);
    expect(Math.min(...rewinds)).toBeGreaterThan(head - old);
  });
});
