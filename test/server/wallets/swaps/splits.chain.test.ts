import { type Address, createPublicClient, createTestClient, type Hex, http } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import type { Network } from "../../../../server/chain/networks/network.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import token from "../../../../server/chain/sandbox/contracts/SandboxToken.json" with { type: "json" };
import { addPair, addPool, sortedByAddress } from "../../../../server/chain/sandbox/exchanges.ts";
import { nativeCoin } from "../../../../server/wallets/swaps/swap.ts";
import { type QuoteRequest, Swaps } from "../../../../server/wallets/swaps/swaps.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";
import { Account } from "./account.ts";
import { type MadePool, searchExhaustively } from "./exhaustive-search.ts";

const ether = 10n ** 18n;
/** `SWAP_SEED=1` repeats a run. */
const seed = Number(process.env["SWAP_SEED"] ?? 20_261);
const trades = Number(process.env["SWAP_TRADES"] ?? 36);

describe.skipIf(noSandbox)("a large trade", () => {
  const sandbox = useSandbox();
  const swaps = new Swaps(new Chains(), { deadlineSeconds: 1_200 });
  const random = seededRandom(seed);
  let user: Account;
  let tokens: readonly Address[];
  let pools: readonly MadePool[];
  let connectors: readonly Address[];
  let networks: { readonly both: Network; readonly v3: Network; readonly old: Network };

  beforeAll(async () => {
    if (noSandbox) return;
    const { exchanges, rpcUrl, accounts } = sandbox();
    user = new Account(rpcUrl, accounts[2] as Address);
    ({ tokens, pools } = await makeWorld(random));
    connectors = tokens.slice(2);
    await user.send(exchanges.wrappedCoin, "0xd0e30db0", 1_000n * ether);
    const on = (list: readonly object[]): Network => localNetwork(rpcUrl, { connectors, exchanges: list });
    const [v2, second, first] = [
      { kind: "v2", router: exchanges.v2Router },
      { kind: "swapRouter02", router: exchanges.swapRouter02 },
      { kind: "swapRouter", router: exchanges.swapRouter },
    ];
    networks = { both: on([v2, second]), v3: on([second]), old: on([first]) };
  });

  test(`costs at most what the best single route does, over ${trades} trades (SWAP_SEED=${seed})`, async () => {
    const { rpcUrl, exchanges } = sandbox();
    const client = createPublicClient({ transport: http(rpcUrl) });
    const node = createTestClient({ mode: "anvil", transport: http(rpcUrl) });
    const savings: number[] = [];
    let onlySplit = 0;
    let singles = 0;
    for (let turn = 0; turn < trades; turn++) {
      const [sell, buy] = random.shuffle(tokens) as [Address, Address];
      const name = (["both", "v3", "old"] as const)[turn % 3] ?? "both";
      // From a hundredth of a pool to more than the largest one.
      const amount = (BigInt(2 ** random.below(9)) * BigInt(100 + random.below(100)) * ether) / 400n;
      const usable = pools.filter(({ fee }) => name === "both" || fee !== undefined);
      const single = await searchExhaustively(client, exchanges, usable, {
        sell,
        buy,
        amount,
        connectors,
        ...(name === "both" ? {} : { isV3Only: true }),
      });
      const native = (address: Address): Hex =>
        address === exchanges.wrappedCoin && turn % 2 === 0 ? nativeCoin : address;
      const quote = { sell: native(sell), buy: native(buy), amount };
      const snapshot = await node.snapshot();
      const at = `trade ${turn}: ${name} ${quote.sell} to ${quote.buy}, ${amount}`;
      const price = await execute(networks[name], quote, at);
      await node.revert({ id: snapshot });
      if (single === undefined) {
        if (price !== undefined) onlySplit++;
        continue;
      }
      expect(price, at).toBeLessThanOrEqual(single);
      if (price === single) singles++;
      else savings.push(Number(((single - (price as bigint)) * 1_000_000n) / single) / 10_000);
    }
    savings.sort((a, b) => a - b);
    const median = savings[savings.length >> 1] ?? 0;
    console.log(
      `splits: SWAP_SEED=${seed}, ${savings.length} cheaper (median ${median} %, most ${savings.at(-1)} %), ` +
        `${onlySplit} without a single route, ${singles} by a single route`,
    );
    expect(savings.length).toBeGreaterThan(trades / 4);
    expect(onlySplit).toBeGreaterThan(0);
    expect(singles).toBeGreaterThan(0);
  }, 600_000);

  test("is executed up to its maximal price after other trades, and reverts beyond", async () => {
    const { exchanges, rpcUrl } = sandbox();
    const node = createTestClient({ mode: "anvil", transport: http(rpcUrl) });
    const [sell, buy] = tokens as [Address, Address];
    const request = { sell, buy, amount: 30n * ether, user: user.address, includeApprove: true };
    const market = { ...request, slippagePercentage: 50 };
    for (const [moved, isDone] of [
      [ether / 20n, true],
      [60n * ether, false],
    ] as const) {
      const snapshot = await node.snapshot();
      const quote = await swaps.quote(networks.both, { ...request, slippagePercentage: 2 });
      const mover = await swaps.quote(networks.both, { ...market, amount: moved });
      if (quote === undefined || mover === undefined) throw new Error("no route");
      expect(quote.to).toBe(exchanges.swapRouter02);
      await user.send(sell, mover.approval as Hex);
      expect(await user.send(mover.to, mover.data)).toMatchObject({ isDone: true });
      await user.send(sell, quote.approval as Hex);
      const before = { sell: await user.tokens(sell), buy: await user.tokens(buy) };
      expect(await user.send(quote.to, quote.data)).toMatchObject({ isDone });
      const paid = before.sell - (await user.tokens(sell));
      expect((await user.tokens(buy)) - before.buy).toBe(isDone ? request.amount : 0n);
      if (isDone) expect(paid).toBeGreaterThan(quote.price);
      expect(paid).toBeLessThanOrEqual(quote.maxPrice);
      await node.revert({ id: snapshot });
    }
  });

  /** Executes a quote, which must buy the exact amount at its exact price. Returns that price. */
  async function execute(
    network: Network,
    { sell, buy, amount }: Pick<QuoteRequest, "sell" | "buy" | "amount">,
    at: string,
  ): Promise<bigint | undefined> {
    const request = { sell, buy, amount, slippagePercentage: 2, user: user.address, includeApprove: true };
    const quote = await swaps.quote(network, request);
    if (quote === undefined) return undefined;
    const balance = (currency: Hex): Promise<bigint> =>
      currency === nativeCoin ? user.coins() : user.tokens(currency);
    if (quote.approval !== undefined) await user.send(sell, quote.approval);
    const before = { sell: await balance(sell), buy: await balance(buy) };
    const { isDone, gasCost } = await user.send(quote.to, quote.data, quote.value);
    const gas = (currency: Hex): bigint => (currency === nativeCoin ? gasCost : 0n);
    expect(
      {
        isDone,
        paid: before.sell - (await balance(sell)) - gas(sell),
        bought: (await balance(buy)) - before.buy + gas(buy),
      },
      at,
    ).toEqual({ isDone: true, paid: quote.price, bought: amount });
    return quote.price;
  }

  /** Four tokens and the wrapped coin, between which there are pools of different sizes. */
  async function makeWorld(random: Random): Promise<{
    readonly tokens: readonly Address[];
    readonly pools: readonly MadePool[];
  }> {
    const { batch, exchanges } = sandbox();
    const own = Array.from({ length: 4 }, () => {
      const to = batch.deploy(token as never, ["T", "T", 18]);
      for (const owner of [batch.account, user.address])
        batch.call({ to, abi: token.abi as never, functionName: "mint", args: [owner, 10n ** 9n * ether] });
      return to;
    });
    const coin = { to: exchanges.wrappedCoin, abi: depositAbi as never, functionName: "deposit" };
    batch.call({ ...coin, value: 3_000n * ether });
    const tokens = [...own, exchanges.wrappedCoin];
    const pools = tokens.flatMap((one, index) =>
      tokens.slice(index + 1).flatMap((two) =>
        [undefined, 500, 3_000, 10_000].flatMap((fee): MadePool[] => {
          if (random.below(4) === 0) return [];
          const size = BigInt(20 + random.below(60));
          const [a, b] = sortedByAddress(
            { token: one, amount: size * ether },
            // Prices of pools differ by at most 0.5 %.
            { token: two, amount: (size * ether * BigInt(995 + random.below(11))) / 1_000n },
          );
          if (fee === undefined) addPair(batch, exchanges, a, b);
          else {
            const spacing = { 500: 10, 3000: 60, 10000: 200 }[fee] ?? 60;
            const width = spacing * (10 + random.below(200));
            const ranges = [
              { tickLower: -width, tickUpper: width, amount0: a.amount / 2n, amount1: b.amount / 2n },
              { tickLower: -887_200, tickUpper: 887_200, amount0: a.amount / 2n, amount1: b.amount / 2n },
            ].map((range) => ({
              ...range,
              tickLower: Math.trunc(range.tickLower / spacing) * spacing,
              tickUpper: Math.trunc(range.tickUpper / spacing) * spacing,
            }));
            addPool(batch, exchanges, { a, b, fee, ranges });
          }
          return [{ tokens: [one, two], ...(fee === undefined ? {} : { fee }) }];
        }),
      ),
    );
    await batch.mine();
    return { tokens, pools };
  }
});

const depositAbi = [
  { type: "function", name: "deposit", stateMutability: "payable", inputs: [], outputs: [] },
];
