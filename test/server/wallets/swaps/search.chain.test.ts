import { type Address, createPublicClient, http } from "viem";
import { describe, expect, test } from "vitest";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import token from "../../../../server/chain/sandbox/contracts/SandboxToken.json" with { type: "json" };
import { addPair, addPool, sortedByAddress } from "../../../../server/chain/sandbox/exchanges.ts";
import { findRoute } from "../../../../server/wallets/swaps/viem/lens.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";
import { type MadePool, searchExhaustively } from "./exhaustive-search.ts";

/** `SWAP_SEED=1` repeats a run. */
const seed = Number(process.env["SWAP_SEED"] ?? 20_261);
/** Number of worlds with 25 pools between six tokens each; CI runs 200 pools. */
const worlds = process.env["CI"] === "true" ? 8 : Number(process.env["SWAP_WORLDS"] ?? 3);
const poolsInWorld = 25;
const asksInWorld = 12;

describe.skipIf(noSandbox)("the cheapest route", () => {
  const sandbox = useSandbox();

  test(`is that of an exhaustive search, over ${worlds * poolsInWorld} random pools (SWAP_SEED=${seed})`, async () => {
    const random = seededRandom(seed);
    const { rpcUrl, exchanges } = sandbox();
    const client = createPublicClient({ transport: http(rpcUrl) });
    const chains = new Chains();
    let prices = 0;
    let dead = 0;
    for (let world = 0; world < worlds; world++) {
      const { tokens, pools } = await makeWorld(random, 6);
      for (let turn = 0; turn < asksInWorld; turn++) {
        const [sell, buy, ...rest] = random.shuffle(tokens) as [Address, Address, ...Address[]];
        // A route must not pass through its own ends, even if these are connectors.
        const connectors = random.shuffle([...rest, sell, buy]).slice(0, 2 + random.below(5));
        const amount = BigInt(1 + random.below(1_000_000)) * 10n ** BigInt(random.below(17));
        const network = localNetwork(rpcUrl, {
          connectors,
          exchanges: [
            { kind: "v2", router: exchanges.v2Router },
            { kind: "swapRouter02", router: exchanges.swapRouter02 },
          ],
        });
        const request = { sell, buy, amount, slippagePercentage: 0, user: undefined };
        const { route } = await findRoute(await chains.of(network), network, request, undefined);
        const best = await searchExhaustively(client, exchanges, pools, { ...request, connectors });
        expect(
          route?.price,
          `world ${world}, request ${turn}: ${JSON.stringify({ ...request, amount: String(amount), connectors })}`,
        ).toBe(best);
        if (best === undefined) dead++;
        else prices++;
      }
    }
    console.log(`swaps: SWAP_SEED=${seed}, ${prices} prices, ${dead} times no way`);
    expect(prices).toBeGreaterThan(dead);
  }, 600_000);

  async function makeWorld(
    random: Random,
    count: number,
  ): Promise<{ readonly tokens: readonly Address[]; readonly pools: readonly MadePool[] }> {
    const { batch, exchanges } = sandbox();
    const tokens = Array.from({ length: count }, () => {
      const to = batch.deploy(token as never, ["T", "T", 18]);
      batch.call({ to, abi: token.abi as never, functionName: "mint", args: [batch.account, 10n ** 40n] });
      return to;
    });
    const places = random.shuffle(
      tokens.flatMap((one, index) =>
        tokens
          .slice(index + 1)
          .flatMap((two) =>
            [undefined, 100, 500, 3_000, 10_000].map((fee) => ({ tokens: [one, two] as const, fee })),
          ),
      ),
    );
    const pools: MadePool[] = [];
    for (const { tokens: pair, fee } of places.slice(0, poolsInWorld)) {
      const amount = (): bigint =>
        BigInt(1_000 + random.below(100_000)) * 10n ** BigInt(12 + random.below(4));
      const [one, two] = pair;
      const [a, b] = sortedByAddress({ token: one, amount: amount() }, { token: two, amount: amount() });
      if (fee === undefined) {
        addPair(batch, exchanges, a, b);
        pools.push({ tokens: pair });
      } else {
        const spacing = { 100: 1, 500: 10, 3000: 60, 10000: 200 }[fee] ?? 60;
        const tick = Math.log(Number(b.amount) / Number(a.amount)) / Math.log(1.0001);
        const ranges = Array.from({ length: 1 + random.below(5) }, () => {
          // Ranges around the price, next to it, and far away, so that there are gaps.
          const lower = Math.round((tick + random.below(20_000) - 12_000) / spacing) * spacing;
          const tickUpper = lower + spacing * (1 + random.below(Math.ceil(15_000 / spacing)));
          return { tickLower: lower, tickUpper, amount0: a.amount, amount1: b.amount };
        });
        addPool(batch, exchanges, { a, b, fee, ranges });
        pools.push({ tokens: pair, fee });
      }
      // One block does not have enough gas for all pools.
      await batch.mine();
    }
    return { tokens, pools };
  }
});
