import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Address } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Network } from "../../../../server/chain/networks/network.ts";
import { readNetworks } from "../../../../server/chain/networks/settings.ts";
import { ChainFailure } from "../../../../server/chain/rpc/chain.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { nativeCoin } from "../../../../server/wallets/swaps/swap.ts";
import { Swaps } from "../../../../server/wallets/swaps/swaps.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";
import { Account } from "./account.ts";

const ether = 10n ** 18n;
type Answer = Readonly<Record<string, unknown>> | string | number;

/**
 * The test service responds like 0x's Swap API, with executable transactions. It quotes the pools of version 3, while the host
 * is configured with version 2 only.
 */
describe.skipIf(noSandbox)("an aggregator", () => {
  const sandbox = useSandbox();
  const swaps = new Swaps(new Chains(), { deadlineSeconds: 1_200 });
  let user: Account;
  let server: Server;
  let asked: { readonly url: URL; readonly key: unknown }[];
  /** Changes the service's response: a field, the status, or the body. */
  let change: (answer: object) => Answer;

  beforeAll(async () => {
    if (noSandbox) return;
    const { rpcUrl, accounts } = sandbox();
    user = new Account(rpcUrl, accounts[6] as Address);
    server = createServer(async (req, res) => {
      // The service responds with "no route" for what cannot be swapped.
      const answer = await answerTo(req).then(change, () => 404);
      if (typeof answer === "number") res.writeHead(answer).end("{}");
      else res.end(typeof answer === "string" ? answer : JSON.stringify(answer));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  });
  afterAll(() => server?.close());
  beforeEach(() => {
    asked = [];
    change = (answer) => answer as Answer & object;
  });

  async function answerTo(req: IncomingMessage): Promise<object> {
    const url = new URL(req.url ?? "", "http://aggregator");
    asked.push({ url, key: req.headers["0x-api-key"] });
    const { exchanges, rpcUrl } = sandbox();
    const network = localNetwork(rpcUrl, {
      exchanges: [{ kind: "swapRouter02", router: exchanges.swapRouter02 }],
    });
    const request = {
      sell: url.searchParams.get("sellToken") as Address,
      buy: url.searchParams.get("buyToken") as Address,
      amount: BigInt(url.searchParams.get("buyAmount") ?? 0),
      slippagePercentage: 100 * Number(url.searchParams.get("slippagePercentage")),
    };
    const taker = (url.searchParams.get("takerAddress") ?? user.address) as Address;
    const quote = await swaps.quote(network, { ...request, user: taker, includeApprove: false });
    const { to, data, price } = quote ?? { to: "", data: "", price: 0n };
    return {
      chainId: 31_337,
      buyAmount: String(request.amount),
      sellAmount: String(price),
      to,
      data,
      value: "0",
      allowanceTarget: to,
    };
  }

  function network(withAggregator = true, withExchange = true): Network {
    const { exchanges, rpcUrl } = sandbox();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return localNetwork(rpcUrl, {
      exchanges: withExchange ? [{ kind: "v2", router: exchanges.v2Router }] : [],
      ...(withAggregator ? { aggregator: { url, key: "secret" } } : {}),
    });
  }

  const request = () => {
    const { tokens } = sandbox();
    return { sell: tokens.usd, buy: tokens.dai, amount: 1_000n * ether, slippagePercentage: 1 };
  };

  test("that is cheaper wins, and its quote executes", async () => {
    const { exchanges, tokens } = sandbox();
    const alone = await swaps.price(network(false), request());
    const price = await swaps.price(network(), request());
    expect(price?.price).toBeLessThan(alone?.price ?? 0n);
    const quote = await swaps.quote(network(), { ...request(), user: user.address, includeApprove: true });
    expect(quote).toMatchObject({ price: price?.price, to: exchanges.swapRouter02, value: 0n });
    await user.send(tokens.usd, quote?.approval ?? "0x");
    const before = { usd: await user.tokens(tokens.usd), dai: await user.tokens(tokens.dai) };
    expect(await user.send(quote?.to ?? "0x", quote?.data ?? "0x")).toMatchObject({ isDone: true });
    expect((await user.tokens(tokens.dai)) - before.dai).toBe(1_000n * ether);
    expect(before.usd - (await user.tokens(tokens.usd))).toBe(quote?.price);
    expect(asked.map(({ url }) => url.pathname)).toEqual(["/swap/v1/price", "/swap/v1/quote"]);
    expect(asked.map(({ key }) => key)).toEqual(["secret", "secret"]);
    expect(asked[1]?.url.searchParams.get("takerAddress")).toBe(user.address);
    expect(asked[1]?.url.searchParams.get("slippagePercentage")).toBe("0.01");
  });

  test.each<[string, (answer: object) => Answer]>([
    ["is dearer", (answer) => ({ ...answer, sellAmount: "999999999999" })],
    ["buys another amount", (answer) => ({ ...answer, buyAmount: "1" })],
    ["wants another contract approved", (answer) => ({ ...answer, allowanceTarget: `0x${"12".repeat(20)}` })],
    ["wants coin as well", (answer) => ({ ...answer, value: "1" })],
    ["has no route", () => 404],
    ["is down", () => 500],
    ["answers no JSON", () => "<html>"],
    ["answers a megabyte", () => `{"a":"${"a".repeat(1_000_000)}"}`],
    ["answers no amount", () => ({})],
    ["answers no transaction", (answer) => ({ ...answer, data: "no" })],
  ])("that %s is not used", async (_, wrong) => {
    change = wrong;
    const { exchanges } = sandbox();
    const quote = await swaps.quote(network(), { ...request(), user: user.address, includeApprove: false });
    expect(quote?.to).toBe(exchanges.v2Router);
    expect(asked).toHaveLength(1);
  });

  test("is not used to sell the native coin, because nothing guarantees a refund", async () => {
    const { tokens } = sandbox();
    const dollars = { ...request(), sell: nativeCoin, buy: tokens.usd, amount: 1_000_000n };
    expect(await swaps.price(network(), dollars)).toBeDefined();
    expect(asked).toEqual([]);
  });

  test("suffices where no exchange is configured, and a currency that is not a token is rejected there too", async () => {
    const alone = network(true, false);
    const { exchanges, tokens } = sandbox();
    const whole = { ...request(), user: user.address, includeApprove: true };
    const quote = await swaps.quote(alone, whole);
    expect(quote).toMatchObject({ to: exchanges.swapRouter02, balance: await user.tokens(tokens.usd) });
    expect((await swaps.price(alone, request()))?.price).toBe(quote?.price);
    await expect(swaps.quote(alone, { ...whole, sell: user.address })).rejects.toThrow("is not a token");
    change = () => 404;
    expect(await swaps.price(alone, request())).toBeUndefined();
  });

  test("is reported as unavailable only if the exchanges have no liquidity either", async () => {
    change = () => 500;
    const tooMuch = { ...request(), amount: 10n ** 30n };
    await expect(swaps.price(network(), tooMuch)).rejects.toBeInstanceOf(ChainFailure);
    change = () => 404;
    expect(await swaps.price(network(), tooMuch)).toBeUndefined();
  });
});

test("an aggregator's settings are validated, and no message contains its key", () => {
  const read = (aggregator: unknown) =>
    readNetworks({ networks: undefined, rpcUrls: [], networkDetails: { "137": { aggregator } } }).errors;
  expect(read({ url: "https://a.example/" })).toEqual([]);
  const faults = read({ url: "ftp://key.example", key: 1, more: 1 });
  expect(faults).toHaveLength(3);
  expect(faults.join()).not.toContain("key.example");
});
