import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Abi, type Address, type Hex, keccak256 } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { NotServed } from "../../../../server/base/request-rejection.ts";
import { ChainFailure } from "../../../../server/chain/rpc/chain.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import token from "../../../../server/chain/sandbox/contracts/SandboxToken.json" with { type: "json" };
import { addPair, addPool, fullRange, sortedByAddress } from "../../../../server/chain/sandbox/exchanges.ts";
import { nativeCoin } from "../../../../server/wallets/swaps/swap.ts";
import { Swaps } from "../../../../server/wallets/swaps/swaps.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";
import { deployContract, testContract } from "../../../support/test-contracts.ts";
import { listenTrap } from "../../../support/trap.ts";
import { Account } from "./account.ts";

const ether = 10n ** 18n;

describe.skipIf(noSandbox)("what cannot be swapped", () => {
  const sandbox = useSandbox();
  const swaps = new Swaps(new Chains(), { deadlineSeconds: 1_200 });
  let user: Account;
  let good: Address;

  beforeAll(() => {
    if (noSandbox) return;
    const { rpcUrl, accounts, tokens } = sandbox();
    user = new Account(rpcUrl, accounts[3] as Address);
    good = tokens.dai;
  });

  const details = (more: object = {}): object => {
    const { exchanges } = sandbox();
    return {
      exchanges: [
        { kind: "v2", router: exchanges.v2Router },
        { kind: "swapRouter", router: exchanges.swapRouter },
      ],
      ...more,
    };
  };
  const quote = (sell: Address, buy: Address, amount = 1_000n, on: object = details()) => {
    const network = localNetwork(sandbox().rpcUrl, on);
    const request = { sell, buy, amount, slippagePercentage: 5, user: user.address, includeApprove: true };
    return swaps.quote(network, request);
  };

  /** Deploys a token of `test/contracts`, gives some to the user, and creates pools of both versions with the good token. */
  async function makeToken(name: string, versions: readonly ("v2" | "v3")[]): Promise<Address> {
    const { batch, exchanges } = sandbox();
    const artifact = testContract(name);
    const to = batch.deploy(artifact);
    const call = { to, abi: artifact.abi, functionName: "mint" };
    for (const owner of [batch.account, user.address])
      batch.call({ ...call, args: [owner, 10n ** 12n * ether] });
    batch.call({
      to: good,
      abi: token.abi as Abi,
      functionName: "mint",
      args: [batch.account, 100n * ether],
    });
    const [a, b] = sortedByAddress({ token: to, amount: ether }, { token: good, amount: ether });
    if (versions.includes("v2")) addPair(batch, exchanges, a, b);
    if (versions.includes("v3"))
      addPool(batch, exchanges, { a, b, fee: 3_000, ranges: [fullRange(3_000, ether, ether)] });
    await batch.mine();
    return to;
  }

  test.each([["v2"], ["v3"]] as const)(
    "a token that charges a fee, on %s, on either side",
    async (version) => {
      // Uniswap's position manager does not support tokens with fees, so the fee starts after the pool is created.
      const fee = await makeToken(version === "v2" ? "FeeToken" : "LateFeeToken", [version]);
      if (version === "v3") await call(fee, "LateFeeToken", "start");
      await expect(quote(fee, good)).rejects.toThrow(`/sellCurrencyAddress: ${fee} charges a fee`);
      await expect(quote(good, fee)).rejects.toThrow(`buyCurrencyAddress: ${fee} charges a fee`);
    },
  );

  const call = async (to: Address, name: string, functionName: string): Promise<void> => {
    const { batch } = sandbox();
    batch.call({ to, abi: testContract(name).abi, functionName });
    await batch.mine();
  };

  test("a paused token; before its pause it is swapped although it has 77 decimals", async () => {
    const paused = await makeToken("PausedToken", ["v2"]);
    const offer = await quote(good, paused);
    expect(offer?.price).toBeGreaterThan(1_000n);
    await call(paused, "PausedToken", "pause");
    await expect(quote(good, paused)).rejects.toThrow(`${paused} cannot be transferred`);
    await expect(quote(paused, good)).rejects.toThrow(`${paused} cannot be transferred`);
  });

  test("a token that never returns takes bounded time and is not swapped; one with 0 decimals is", async () => {
    const tiring = await makeToken("TiringToken", ["v2", "v3"]);
    expect((await quote(good, tiring))?.price).toBeGreaterThan(1_000n);
    await call(tiring, "TiringToken", "tire");
    await expect(quote(good, tiring)).rejects.toThrow(/cannot be transferred/);
    await expect(quote(tiring, good)).rejects.toThrow(/cannot be transferred/);
  });

  test("an account without code, and contracts that are hostile or not tokens", async () => {
    const trap = await listenTrap();
    const { batch } = sandbox();
    const lookup = await deployContract(batch, "OffchainLookup", [`${trap.url}/{sender}/{data}`]);
    const endless = await deployContract(batch, "Endless");
    const flood = await deployContract(batch, "Megabytes");
    for (const address of [user.address, lookup, endless, flood]) {
      await expect(quote(address, good)).rejects.toThrow(`/sellCurrencyAddress: ${address} is not a token`);
      await expect(quote(good, address)).rejects.toThrow(`buyCurrencyAddress: ${address} is not a token`);
    }
    expect(trap.connections()).toBe(0);
    await trap.close();
  });

  test("more than the liquidity, and currencies without a pool, have no route", async () => {
    const { exchanges } = sandbox();
    expect(await quote(good, exchanges.wrappedCoin, 10n ** 30n)).toBeUndefined();
    expect(await quote(good, exchanges.wrappedCoin, (1n << 256n) - 1n)).toBeUndefined();
  });

  test("amount 0, an amount that is too large, a currency for itself, and a reserved address", async () => {
    await expect(quote(good, nativeCoin, 0n)).rejects.toThrow(/^\/buyAmount/);
    await expect(quote(good, nativeCoin, 1n << 256n)).rejects.toThrow(/^\/buyAmount/);
    await expect(quote(good, good)).rejects.toThrow(/^\/sellCurrencyAddress/);
    const request = { sell: good, buy: nativeCoin, amount: 1n, slippagePercentage: 5, includeApprove: false };
    const network = localNetwork(sandbox().rpcUrl, details());
    for (const user of [`0x${"0".repeat(40)}`, `0x${"2".padStart(40, "0")}`] as const)
      await expect(swaps.quote(network, { ...request, user })).rejects.toThrow(/^\/userAddress/);
  });

  test("a network without exchanges, without a node, and with unexpected router code", async () => {
    await expect(quote(good, nativeCoin, 1n, {})).rejects.toBeInstanceOf(NotServed);
    const request = { sell: good, buy: nativeCoin, amount: 1n, slippagePercentage: 5 };
    await expect(swaps.price(localNetwork([], details()), request)).rejects.toBeInstanceOf(ChainFailure);
    const { exchanges, tokens, rpcUrl } = sandbox();
    const at = (router: Address, codeHash?: string) =>
      quote(tokens.usd, tokens.dai, 10n ** 18n, {
        exchanges: [{ kind: "v2", router, ...(codeHash && { codeHash }) }],
      });
    await expect(at(user.address)).rejects.toThrow(/does not have the expected code/);
    await expect(at(exchanges.v2Router, `0x${"12".repeat(32)}`)).rejects.toThrow(
      /does not have the expected code/,
    );
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "eth_getCode",
        params: [exchanges.v2Router, "latest"],
      }),
    });
    const { result } = (await response.json()) as { result: Hex };
    expect(await at(exchanges.v2Router, keccak256(result))).toBeDefined();
  });

  test("a router with unexpected code is skipped and reported once, while another one is used", async () => {
    const { exchanges, tokens, rpcUrl } = sandbox();
    const codeHash = `0x${"12".repeat(32)}`;
    const network = localNetwork(rpcUrl, {
      exchanges: [
        { kind: "v2", router: exchanges.v2Router, codeHash },
        { kind: "swapRouter", router: user.address },
        { kind: "swapRouter02", router: exchanges.swapRouter02 },
      ],
    });
    const told: string[] = [];
    const wary = new Swaps(new Chains(), {
      deadlineSeconds: 1_200,
      onUnexpectedRouter: ({ name }, { router }) => told.push(`${name} ${router}`),
    });
    const request = { sell: tokens.usd, buy: tokens.dai, amount: ether, slippagePercentage: 5 };
    for (const includeApprove of [true, false]) {
      const offer = await wary.quote(network, { ...request, user: user.address, includeApprove });
      expect(offer?.to).toBe(exchanges.swapRouter02);
    }
    expect(await wary.price(network, request)).toBeDefined();
    expect(told).toEqual([`${network.name} ${exchanges.v2Router}`, `${network.name} ${user.address}`]);
  });

  test("a node that lies about block numbers changes no price", async () => {
    const { rpcUrl, tokens } = sandbox();
    const liar = createServer(async (req, res) => {
      let body = "";
      for await (const chunk of req) body += chunk;
      const headers = { "content-type": "application/json" };
      const calls = [JSON.parse(body)].flat() as { id: number; method: string }[];
      const answers = await Promise.all(
        calls.map(async (one) => {
          if (one.method === "eth_blockNumber")
            return { jsonrpc: "2.0", id: one.id, result: "0x7fffffffffff" };
          const answer = await fetch(rpcUrl, { method: "POST", headers, body: JSON.stringify(one) });
          return (await answer.json()) as object;
        }),
      );
      res.writeHead(200, headers).end(JSON.stringify(answers));
    });
    await new Promise<void>((done) => liar.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
    const request = { sell: tokens.usd, buy: tokens.dai, amount: ether, slippagePercentage: 5 };
    const told = await swaps.price(localNetwork(url, details()), request);
    expect(told).toEqual(await swaps.price(localNetwork(rpcUrl, details()), request));
    expect(told?.price).toBeGreaterThan(0n);
    liar.close();
    liar.closeAllConnections();
  });

  test("a token that rejects changing an allowance leads to advice, and is then swapped twice", async () => {
    const stubborn = await makeToken("StubbornToken", ["v2"]);
    const swap = async (): Promise<void> => {
      const offer = await quote(stubborn, good);
      if (offer === undefined) throw new Error("no route");
      if (offer.approval !== undefined) await user.send(stubborn, offer.approval);
      const before = await user.tokens(stubborn);
      expect(await user.send(offer.to, offer.data)).toMatchObject({ isDone: true });
      expect(before - (await user.tokens(stubborn))).toBe(offer.price);
    };
    await swap();
    // The unused slippage is still approved.
    await expect(quote(stubborn, good)).rejects.toThrow("send approve(to, 0) first");
    const { exchanges } = sandbox();
    const approveZero =
      `0x095ea7b3${exchanges.v2Router.slice(2).padStart(64, "0")}${"0".repeat(64)}` as const;
    await user.send(stubborn, approveZero);
    await swap();
  });
});
