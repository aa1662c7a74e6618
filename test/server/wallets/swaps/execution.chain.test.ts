import type { Address, Hex } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import type { ExchangeKind } from "../../../../server/chain/networks/exchanges.ts";
import type { Network } from "../../../../server/chain/networks/network.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import token from "../../../../server/chain/sandbox/contracts/SandboxToken.json" with { type: "json" };
import { addPair, addPool, fullRange, sortedByAddress } from "../../../../server/chain/sandbox/exchanges.ts";
import { nativeCoin, type SwapQuote } from "../../../../server/wallets/swaps/swap.ts";
import { type QuoteRequest, Swaps } from "../../../../server/wallets/swaps/swaps.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";
import { Account } from "./account.ts";

const ether = 10n ** 18n;
const fees = [100, 500, 3_000, 10_000] as const;

describe.skipIf(noSandbox)("an executed quote", () => {
  const sandbox = useSandbox();
  const swaps = new Swaps(new Chains(), { deadlineSeconds: 1_200 });
  let user: Account;
  /** The pools a–b, b–c and c–d. With coin–a and d–coin the native coin is at both ends. */
  let tokens: { a: Address; b: Address; c: Address; d: Address; coin: Address };

  beforeAll(async () => {
    if (noSandbox) return;
    const { batch, exchanges, rpcUrl, accounts } = sandbox();
    user = new Account(rpcUrl, accounts[2] as Address);
    const deploy = (name: string): Address => {
      const to = batch.deploy(token as never, [name, name, 18]);
      for (const owner of [batch.account, user.address])
        batch.call({ to, abi: token.abi as never, functionName: "mint", args: [owner, 10n ** 9n * ether] });
      return to;
    };
    tokens = { a: deploy("A"), b: deploy("B"), c: deploy("C"), d: deploy("D"), coin: exchanges.wrappedCoin };
    const deposit = {
      to: exchanges.wrappedCoin,
      abi: depositAbi,
      functionName: "deposit",
      value: 4_000n * ether,
    };
    batch.call(deposit as never);
    const hold = (one: Address, amount: bigint) => ({ token: one, amount: amount * ether });
    for (const [from, to] of [
      [tokens.a, tokens.b],
      [tokens.b, tokens.c],
      [tokens.c, tokens.d],
      [tokens.coin, tokens.a],
      [tokens.coin, tokens.d],
    ] as const) {
      addPair(batch, exchanges, hold(from, 300n), hold(to, 700n));
      for (const fee of fees) {
        const [a, b] = [hold(from, 100n), hold(to, 230n)];
        const [{ amount: amount0 }, { amount: amount1 }] = sortedByAddress(a, b);
        addPool(batch, exchanges, { a, b, fee, ranges: [fullRange(fee, amount0, amount1)] });
      }
    }
    await batch.mine();
  });

  function network(kind: ExchangeKind, connectors: readonly Address[], ofFees?: readonly number[]): Network {
    const { rpcUrl, exchanges } = sandbox();
    const router = {
      v2: exchanges.v2Router,
      swapRouter: exchanges.swapRouter,
      swapRouter02: exchanges.swapRouter02,
    };
    const exchange = { kind, router: router[kind], ...(ofFees === undefined ? {} : { fees: ofFees }) };
    return localNetwork(rpcUrl, { connectors, exchanges: [exchange] });
  }

  async function quote(on: Network, request: Partial<QuoteRequest>): Promise<SwapQuote> {
    const full = {
      slippagePercentage: 5,
      user: user.address,
      includeApprove: true,
      amount: ether,
      ...request,
    };
    const answer = await swaps.quote(on, full as QuoteRequest);
    if (answer === undefined) throw new Error("no route");
    return answer;
  }

  const balance = (currency: Hex): Promise<bigint> =>
    currency === nativeCoin ? user.coins() : user.tokens(currency);

  /** Approves if necessary and swaps. Returns the changes of both balances, without gas. */
  async function execute(
    { to, data, value, approval }: SwapQuote,
    sell: Hex,
    buy: Hex,
  ): Promise<{ readonly isDone: boolean; readonly paid: bigint; readonly bought: bigint }> {
    if (approval !== undefined) expect(await user.send(sell, approval)).toMatchObject({ isDone: true });
    const before = { sell: await balance(sell), buy: await balance(buy) };
    const { isDone, gasCost } = await user.send(to, data, value);
    const gas = (currency: Hex): bigint => (currency === nativeCoin ? gasCost : 0n);
    return {
      isDone,
      paid: before.sell - (await balance(sell)) - gas(sell),
      bought: (await balance(buy)) - before.buy + gas(buy),
    };
  }

  type Name = "a" | "b" | "c" | "d" | "coin" | "native";
  const currency = (name: Name): Hex => (name === "native" ? nativeCoin : tokens[name]);

  const ways: readonly (readonly [Name, Name, readonly Name[]])[] = [
    ["a", "b", []],
    ["native", "a", []],
    ["a", "native", []],
    ["a", "c", ["b"]],
    ["native", "b", ["a"]],
    ["b", "native", ["a"]],
    ["a", "d", ["b", "c"]],
    ["native", "c", ["a", "b"]],
    ["c", "native", ["a", "b"]],
  ];
  const kinds: readonly ExchangeKind[] = ["v2", "swapRouter", "swapRouter02"];
  const cases = kinds.flatMap((kind) => ways.map(([sell, buy, over]) => ({ kind, sell, buy, over })));

  test.each(cases)(
    "$kind: from $sell to $buy via $over it buys exactly the amount at exactly the price",
    async (one) => {
      const { kind, sell, buy, over } = one;
      const on = network(kind, over.map(currency));
      const offer = await quote(on, { sell: currency(sell), buy: currency(buy), amount: 3n * ether + 7n });
      expect(offer.maxPrice).toBe((offer.price * 105n + 99n) / 100n);
      expect(offer.value).toBe(sell === "native" ? offer.maxPrice : 0n);
      expect(offer.balance).toBe(await balance(currency(sell)));
      const done = await execute(offer, currency(sell), currency(buy));
      // maxPrice of the native coin is sent, and the rest is refunded.
      expect(done).toEqual({ isDone: true, paid: offer.price, bought: 3n * ether + 7n });
    },
  );

  test.each(fees)("the pool of fee %i is used when it is the only one", async (fee) => {
    for (const kind of ["swapRouter", "swapRouter02"] as const) {
      const offer = await quote(network(kind, [], [fee]), { sell: tokens.b, buy: tokens.c });
      const done = await execute(offer, tokens.b, tokens.c);
      expect(done).toEqual({ isDone: true, paid: offer.price, bought: ether });
    }
  });

  test.each(kinds)(
    "%s: after the price moves, the new price applies up to maxPrice, and the swap reverts beyond",
    async (kind) => {
      const on = network(kind, [], kind === "v2" ? undefined : [3_000]);
      const request = { sell: tokens.c, buy: tokens.d, slippagePercentage: 2 };
      const mover = { ...request, amount: ether / 2n, slippagePercentage: 50 };
      const first = await quote(on, request);
      await execute(await quote(on, mover), tokens.c, tokens.d);
      const done = await execute(first, tokens.c, tokens.d);
      expect(done).toMatchObject({ isDone: true, bought: ether });
      expect(done.paid).toBeGreaterThan(first.price);
      expect(done.paid).toBeLessThanOrEqual(first.maxPrice);
      const second = await quote(on, request);
      await execute(await quote(on, { ...mover, amount: 20n * ether }), tokens.c, tokens.d);
      expect(await execute(second, tokens.c, tokens.d)).toEqual({ isDone: false, paid: 0n, bought: 0n });
    },
  );

  test.each(kinds)("%s: native coin is not spent beyond maxPrice", async (kind) => {
    const on = network(kind, [], kind === "v2" ? undefined : [500]);
    const request = { sell: nativeCoin, buy: tokens.d, slippagePercentage: 1 };
    const late = await quote(on, request);
    await execute(
      await quote(on, { ...request, amount: 30n * ether, slippagePercentage: 50 }),
      nativeCoin,
      tokens.d,
    );
    expect(await execute(late, nativeCoin, tokens.d)).toEqual({ isDone: false, paid: 0n, bought: 0n });
  });

  test.each(kinds)("%s: a quote cannot be executed after its deadline", async (kind) => {
    const late = new Swaps(new Chains(), { deadlineSeconds: 60 });
    const request = { sell: tokens.d, buy: tokens.c, amount: ether, slippagePercentage: 50 };
    const on = network(kind, []);
    const offer = await late.quote(on, { ...request, user: user.address, includeApprove: true });
    if (offer === undefined) throw new Error("no route");
    await fetch(sandbox().rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "evm_increaseTime", params: [90] }),
    });
    expect(await execute(offer, tokens.d, tokens.c)).toEqual({ isDone: false, paid: 0n, bought: 0n });
  });

  test("a price at 1 % and a quote at 1 % agree, and fractions round up", async () => {
    const on = network("v2", []);
    for (const [slippagePercentage, numerator] of [
      [1, 10_100n],
      [0.5, 10_050n],
      [0, 10_000n],
      [0.07, 10_007n],
    ] as const) {
      const request = { sell: tokens.a, buy: tokens.b, amount: 12_345_678_901n, slippagePercentage };
      const price = await swaps.price(on, request);
      const offer = await quote(on, request);
      expect(offer).toMatchObject({ price: price?.price, maxPrice: price?.maxPrice });
      expect(offer.maxPrice).toBe((offer.price * numerator + 9_999n) / 10_000n);
    }
  });

  test("no approval is returned if the allowance suffices, none is requested, or the native coin is sold", async () => {
    const on = network("v2", []);
    const request = { sell: tokens.b, buy: tokens.a, slippagePercentage: 0 };
    const offer = await quote(on, request);
    expect(offer.approval).toMatch(/^0x095ea7b3/);
    expect((await quote(on, { ...request, includeApprove: false })).approval).toBeUndefined();
    await user.send(tokens.b, offer.approval as Hex);
    expect(await user.allowance(tokens.b, offer.to)).toBe(offer.maxPrice);
    expect((await quote(on, request)).approval).toBeUndefined();
    expect((await quote(on, { ...request, slippagePercentage: 5 })).approval).toBeDefined();
    expect((await quote(on, { ...request, sell: nativeCoin })).approval).toBeUndefined();
  });
});

const depositAbi = [
  { type: "function", name: "deposit", stateMutability: "payable", inputs: [], outputs: [] },
];
