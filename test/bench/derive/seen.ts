import { setTimeout as sleep } from "node:timers/promises";
import { accounts } from "../../server/market/indexer/market-world.ts";
import { beginStory, type Story } from "../../server/market/indexer/story.ts";
import { openTrading } from "../../server/market/indexer/trading.ts";

const turns = 100;
const farAway = 4_102_444_800n;

/** From the answer to `evm_mine` to the answer of GetFloorOrder that has the order; what the local chain takes to tell is a part of it. */
export async function measureSeen(): Promise<{ readonly p95: number }> {
  await using trading = await openTrading();
  const story = await beginStory(trading);
  const lags: number[] = [];
  for (let turn = 0; turn <= turns; turn++) {
    const lag = await listAndSee(story, BigInt(1_000_000 - turn));
    if (turn > 0) lags.push(lag);
    // Blocks of a chain come no faster than that.
    await sleep(250);
  }
  const sorted = lags.toSorted((a, b) => a - b);
  const at = (percent: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
  console.log(
    `mined to seen by GetFloorOrder, ms: p50 ${at(50).toFixed(1)}, p95 ${at(95).toFixed(1)}, worst ${at(100).toFixed(1)}`,
  );
  return { p95: at(95) };
}

/** Lists a token of a maker for less than all before. */
async function listAndSee({ trading, collections }: Story, price: bigint): Promise<number> {
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
