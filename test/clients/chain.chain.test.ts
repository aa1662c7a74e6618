/** Official clients with the methods that call a chain: correct results for every version. */
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nativeCoin } from "../../server/wallets/swaps/swap.ts";
import { Account } from "../server/wallets/swaps/account.ts";
import { type RunningHost, startHost } from "../support/host.ts";
import { noSandbox, useSandbox } from "../support/sandbox.ts";
import { type ClientClass, isInstalled, loadClient } from "./official.ts";

const signer = privateKeyToAccount(`0x${"5a".repeat(32)}`);
const typedData = {
  types: { Greeting: [{ name: "text", type: "string" }] },
  primaryType: "Greeting",
  domain: { name: "Test", chainId: 31_337 },
  message: { text: "hello" },
} as const;
const ether = 10n ** 18n;

describe.skipIf(noSandbox || !isInstalled)("official clients of API", () => {
  const sandbox = useSandbox();
  let host: RunningHost;

  beforeAll(async () => {
    if (noSandbox || !isInstalled) return;
    const { rpcUrl, exchanges, tokens } = sandbox();
    const details = {
      connectors: [tokens.usd, exchanges.wrappedCoin],
      exchanges: [
        { kind: "v2", router: exchanges.v2Router },
        { kind: "swapRouter02", router: exchanges.swapRouter02 },
      ],
    };
    host = await startHost({
      args: ["--networks", "31337", "--check-responses"],
      env: { RPC_URLS: `31337=${rpcUrl}`, NETWORK_DETAILS: JSON.stringify({ "31337": details }) },
    });
  });
  afterAll(async () => {
    await host?.[Symbol.asyncDispose]();
  });

  async function call<Answer>(version: string, method: string, request: object): Promise<Answer> {
    const Client = (await loadClient(`api-${version}`))["API"] as ClientClass;
    const client = new Client(host.url, (url, init) =>
      fetch(url, { ...init, headers: { ...(init.headers as object), "x-access-key": host.accessKey } }),
    );
    return (await client[method]?.(request)) as Answer;
  }

  test.each(["1.10.15", "2.3.8", "3.0.9"])("%s: isValidTypedDataSignature", async (version) => {
    const signature = await signer.signTypedData(typedData);
    const verdict = (walletAddress: string, given: string) =>
      call(version, "isValidTypedDataSignature", {
        chainId: "31337",
        walletAddress,
        typedData,
        signature: given,
      });
    expect(await verdict(signer.address, signature)).toEqual({ isValid: true });
    expect(await verdict(sandbox().safe, signature)).toEqual({ isValid: false });
    expect(await verdict(signer.address, "0x1234")).toEqual({ isValid: false });
  });

  test.each(["1.10.15", "2.3.8", "3.0.9"])("%s: isValidMessageSignature", async (version) => {
    const message = "Hi, please sign this message";
    const signature = await signer.signMessage({ message });
    const verdict = (walletAddress: string, given: string) =>
      call(version, "isValidMessageSignature", {
        chainId: "31337",
        walletAddress,
        message: given,
        signature,
      });
    expect(await verdict(signer.address, message)).toEqual({ isValid: true });
    expect(await verdict(signer.address, `${message}.`)).toEqual({ isValid: false });
    expect(await verdict(sandbox().safe, message)).toEqual({ isValid: false });
  });

  test.each(["2.2.14", "2.3.8"])("%s: getSwapPrice", async (version) => {
    const { tokens } = sandbox();
    const ask = { chainId: 31_337, buyCurrencyAddress: tokens.dai, sellCurrencyAddress: nativeCoin };
    const { swapPrice } = await call<{ swapPrice: Record<string, string> }>(version, "getSwapPrice", {
      ...ask,
      buyAmount: String(100n * ether),
      slippagePercentage: 1,
    });
    // 100 dollars at 2,000 per coin, plus the fees of two pools.
    expect(Number(swapPrice["price"]) / 1e18).toBeCloseTo(0.05, 3);
    const price = BigInt(swapPrice["price"] ?? 0);
    expect(swapPrice).toEqual({
      currencyAddress: nativeCoin,
      currencyBalance: "0",
      price: String(price),
      maxPrice: String((price * 101n + 99n) / 100n),
      transactionValue: swapPrice["maxPrice"],
    });
    const tooMuch = { ...ask, buyAmount: String(10n ** 30n) };
    expect(await call(version, "getSwapPrice", tooMuch)).toEqual({ swapPrice: null });
  });

  test.each(["2.0.26", "2.2.14", "2.3.8"])(
    "%s: getSwapQuote, and its transaction succeeds",
    async (version) => {
      const { tokens, accounts, rpcUrl } = sandbox();
      const user = new Account(rpcUrl, accounts[4] as `0x${string}`);
      const { swapQuote } = await call<{ swapQuote: Record<string, `0x${string}`> }>(
        version,
        "getSwapQuote",
        {
          userAddress: user.address,
          buyCurrencyAddress: tokens.gem,
          sellCurrencyAddress: tokens.dai,
          buyAmount: String(10n * ether),
          chainId: 31_337,
          includeApprove: true,
        },
      );
      const { to = "0x", transactionData = "0x", approveData = "0x", price, currencyBalance } = swapQuote;
      expect(swapQuote).toMatchObject({ currencyAddress: tokens.dai, transactionValue: "0" });
      expect(BigInt(currencyBalance ?? 0)).toBe(await user.tokens(tokens.dai));
      await user.send(tokens.dai, approveData);
      const before = { dai: await user.tokens(tokens.dai), gem: await user.tokens(tokens.gem) };
      expect(await user.send(to, transactionData)).toMatchObject({ isDone: true });
      expect((await user.tokens(tokens.gem)) - before.gem).toBe(10n * ether);
      expect(before.dai - (await user.tokens(tokens.dai))).toBe(BigInt(price ?? 0));
    },
  );

  test("a failed swap is the client's own class of error", async () => {
    const { tokens } = sandbox();
    const module = await loadClient("api-2.3.8");
    const ask = {
      chainId: 31_337,
      buyCurrencyAddress: tokens.dai,
      sellCurrencyAddress: tokens.usd,
      buyAmount: "1",
    };
    const failure = (more: object) => call("2.3.8", "getSwapPrice", { ...ask, ...more }).catch((err) => err);
    const invalid = module["InvalidArgumentError"] as new () => Error;
    expect(await failure({ buyAmount: "0" })).toBeInstanceOf(invalid);
    expect(await failure({ sellCurrencyAddress: tokens.dai })).toBeInstanceOf(invalid);
    expect(await failure({ chainId: 5 })).toBeInstanceOf(invalid);
    const quote = {
      ...ask,
      userAddress: signer.address,
      includeApprove: false,
      buyAmount: String(10n ** 30n),
    };
    const err = await call("2.3.8", "getSwapQuote", quote).catch((one) => one);
    expect(err).toBeInstanceOf(module["QueryFailedError"] as new () => Error);
  });
});

describe.skipIf(noSandbox || !isInstalled)("official clients of Indexer", () => {
  const sandbox = useSandbox();
  let host: RunningHost;

  beforeAll(async () => {
    if (noSandbox || !isInstalled) return;
    host = await startHost({
      args: ["--networks", "31337", "--check-responses"],
      env: {
        RPC_URLS: `31337=${sandbox().rpcUrl}`,
        NETWORK_DETAILS: JSON.stringify({ "31337": { follow: { pollMs: 50 } } }),
      },
    });
  });
  afterAll(async () => {
    await host?.[Symbol.asyncDispose]();
  });

  test.each(["2.2.14", "2.3.50", "3.0.13"])("%s: subscribeEvents", async (version) => {
    const Client = (await loadClient(`indexer-${version}`))["Indexer"] as ClientClass;
    const { tokens, accounts, rpcUrl } = sandbox();
    let isOpen = false;
    const client = new Client(`${host.url}/31337`, async (url, init) => {
      const headers = { ...(init.headers as object), "x-access-key": host.accessKey };
      const response = await fetch(url, { ...init, headers });
      isOpen = response.ok;
      return response;
    });
    const received: unknown[] = [];
    const closing = new AbortController();
    const options = {
      signal: closing.signal,
      onMessage: (message: unknown) => received.push(message),
      onError: () => {},
    };
    const filter = {
      contractAddresses: [tokens.usd],
      events: ["Transfer(address indexed from, address indexed to, uint256 value)"],
      accounts: [accounts[5]],
    };
    const subscribe = client["subscribeEvents"] as unknown as (request: object, options: object) => unknown;
    void subscribe({ filter }, options);
    await expect.poll(() => isOpen).toBe(true);
    const [from = "", to = ""] = accounts;
    const transfer = (address: string): string =>
      `0xa9059cbb${address.slice(2).padStart(64, "0")}${"5".padStart(64, "0")}`;
    for (const [id, receiver] of [to, accounts[5] ?? ""].entries())
      await fetch(rpcUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id,
          method: "eth_sendTransaction",
          params: [{ from, to: tokens.usd, data: transfer(receiver) }],
        }),
      });
    await expect.poll(() => received, { timeout: 60_000 }).toHaveLength(1);
    expect(received[0]).toMatchObject({
      log: {
        type: "BLOCK_ADDED",
        contractAddress: tokens.usd?.toLowerCase(),
        logDataType: "TOKEN_TRANSFER",
        txnLogIndex: 0,
        event: { names: ["from", "to", "value"] },
      },
    });
    closing.abort();
  });
});
