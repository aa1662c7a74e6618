import { setTimeout as sleep } from "node:timers/promises";
import { accounts } from "../../server/market/indexer/market-world.ts";
import { createScenario, type Scenario } from "../../server/market/indexer/scenario.ts";
import { openTrading } from "../../server/market/indexer/trading.ts";

const turns = 100;
const farAway = 4_102_444_800n;

/**
 * Measures from the response to `evm_mine` to the response of GetFloorOrder with the new order. Includes the time in which the local chain
 * announces the block.
 */
export async function measureVisibility(): Promise<{ readonly p95: number }> {
  await using trading = await openTrading();
  const story = await createScenario(trading);
  const lags: number[] = [];
  for (let turn = 0; turn <= turns; turn++) {
    const lag = await listAndWait(story, BigInt(1_000_000 - turn));
    if (turn > 0) lags.push(lag);
    // Real chains do not produce blocks any faster.
    await sleep(250);
  }
  const sorted = lags.toSorted((a, b) => a - b);
  const at = (percent: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
  console.log(
    `mined to visible in GetFloorOrder, ms: p50 ${at(50).toFixed(1)}, p95 ${at(95).toFixed(1)}, worst ${at(100).toFixed(1)}`,
  );
  return { p95: at(95) };
}

/** Lists a token at a price below all earlier ones, and waits until it is the floor. */
async function listAndWait({ trading, collections }: Scenario, price: bigint): Promise<number> {
  const { world, markets, coin, client } = trading;
  const contractAddress = collections.multi.address;
  const [market] = markets;
  await market?.send(accounts[0] as `0x${string}`, "createRequest", [
    {
      isListing: true,
      isERC1155: true,
      tokenContract: contractAddress,
      tokenId: 1n,
      quantity: 1n,
      expiry: farAway,
      currency: coin.address,
      pricePerToken: price,
    },
  ]);
  await world.chain.mine();
  const mined = performance.now();
  for (;;) {
    const { collectible } = await client.getFloorOrder({ contractAddress });
    if (collectible?.order?.priceAmount === String(price)) return performance.now() - mined;
    await sleep(2);
  }
}
