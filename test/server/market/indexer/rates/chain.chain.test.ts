import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../../server/base/storage/open-database.ts";
import type { Network } from "../../../../../server/chain/networks/network.ts";
import { Chains } from "../../../../../server/chain/rpc/chains.ts";
import { listRates } from "../../../../../server/host/admin/commands/rates.ts";
import { type RateEvents, RateReader } from "../../../../../server/market/indexer/rates/rate-reader.ts";
import {
  storeConfiguredCurrencies,
  storedRates,
} from "../../../../../server/market/records/currencies/currency.ts";
import { localNetwork } from "../../../../support/local-network.ts";
import { noSandbox, useSandbox } from "../../../../support/sandbox.ts";
import { migratedDatabase } from "../../../../support/server.ts";
import { testContract } from "../../../../support/test-contracts.ts";

const abi = parseAbi([
  "function getPair(address, address) view returns (address)",
  "function getPool(address, address, uint24) view returns (address)",
]);
const feedAbi = testContract("PlayFeed").abi;

describe.skipIf(noSandbox)("what currencies are worth", () => {
  const sandbox = useSandbox();
  const opened: AsyncDisposable[] = [];
  const told: string[] = [];
  let database: Database;
  let network: Network;
  let feed: `0x${string}`;

  beforeAll(async () => {
    if (noSandbox) return;
    const { rpcUrl, exchanges, tokens, batch } = sandbox();
    const server = await migratedDatabase();
    database = openDatabase(
      { connectionString: server.url },
      { connections: 4, statementTimeoutMs: 8_000, namedStatements: true },
    );
    opened.push(server, database);
    feed = batch.deploy(testContract("PlayFeed"), ["GEM / USD", 8]);
    await batch.mine();
    const { wrappedCoin } = exchanges;
    const pair = await placeOf("v2Factory", "getPair", [wrappedCoin, tokens.usd]);
    const pool = await placeOf("v3Factory", "getPool", [tokens.dai, tokens.usd, 500]);
    const against = { against: tokens.usd };
    network = localNetwork(rpcUrl, {
      coin: {
        symbol: "ETH",
        decimals: 18,
        usdFrom: { kind: "v2", pool: pair, token: wrappedCoin, ...against },
      },
      currencies: [
        { address: tokens.usd, symbol: "USD", decimals: 6, usdRate: 1 },
        { address: tokens.dai, symbol: "DAI", decimals: 18, usdFrom: { kind: "v3", pool, ...against } },
        { address: tokens.gem, symbol: "GEM", decimals: 18, usdFrom: { feed, maxAgeSeconds: 3_600 } },
      ],
    });
    await storeConfiguredCurrencies(database, [network]);
    // Imported rates do not count for a currency with a source.
    await database.query("update currency set usd_rate = 7 where symbol in ('GEM', 'ETH')");
  });
  afterAll(async () => {
    for (const each of opened.reverse()) await each[Symbol.asyncDispose]();
  });

  async function placeOf(
    factory: "v2Factory" | "v3Factory",
    functionName: "getPair" | "getPool",
    args: readonly unknown[],
  ): Promise<string> {
    const to = sandbox().exchanges[factory];
    const data = encodeFunctionData({ abi, functionName, args } as never);
    const answer = (await request("eth_call", { to, data }, "latest")) as `0x${string}`;
    return String(decodeFunctionResult({ abi, functionName, data: answer } as never)).toLowerCase();
  }

  async function request(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(sandbox().rpcUrl, { method: "POST", headers, body });
    return ((await answer.json()) as { readonly result?: unknown }).result;
  }

  async function setFeed(answer: bigint, updatedAt: number): Promise<void> {
    const { batch } = sandbox();
    batch.call({ to: feed, abi: feedAbi, functionName: "set", args: [answer, updatedAt] });
    await batch.mine();
  }

  /** Rates by symbol after one read of all sources, and the reasons for missing ones. */
  async function read(): Promise<{ readonly rates: object; readonly reasons: object }> {
    const before = await database.query<{ readonly now: Date }>("select clock_timestamp() as now");
    const events: RateEvents = {
      ratesFailed: (_, err) => told.push(String(err)),
      rateChanged: ({ currency, reason }) => told.push(`${currency} ${reason ?? "priced"}`),
    };
    const chains = new Chains();
    await using _reader = new RateReader({ database, chainOf: () => chains.of(network), events }, [network]);
    const isRead = async () =>
      (await database.query("select from currency_rate where read_at > $1", [before[0]?.now])).length;
    await expect.poll(isRead, { timeout: 120_000 }).toBe(3);
    const priced = await storedRates(database, [network]).pricedOn(31_337);
    const states = await listRates(database, [network]);
    const symbols = new Map(states.map(({ address, symbol }) => [address, symbol]));
    return {
      rates: Object.fromEntries(priced.map(({ address, usdRate }) => [symbols.get(address), usdRate])),
      reasons: Object.fromEntries(
        states.flatMap(({ symbol, reason }) => (reason === null ? [] : [[symbol, reason]])),
      ),
    };
  }

  test("is that of feeds and pools, and missing if they are stale, wrong or silent", async () => {
    const now = Math.floor(Date.now() / 1_000);
    await setFeed(50_000_000n, now - 60);
    expect(await read()).toEqual({
      rates: { ETH: "2000", USD: "1", GEM: "0.5" },
      reasons: { DAI: "it has not observed the last 1800 seconds" },
    });
    await request("evm_increaseTime", 3_600);
    await request("evm_mine");
    await setFeed(-1n, now);
    const later = await read();
    expect(later.reasons).toEqual({ GEM: "its price is -1" });
    expect(later.rates).toMatchObject({
      ETH: "2000",
      USD: "1",
      DAI: expect.stringMatching(/^(1|0[.]99|1[.]00)/),
    });
    await setFeed(60_000_000n, now - 4_000);
    expect((await read()).reasons).toEqual({
      GEM: expect.stringMatching(/^its price is 40\d\d seconds old/),
    });
    await setFeed(60_000_000n, now);
    expect((await read()).rates).toMatchObject({ GEM: "0.6" });
    // Simulates that no host has read for too long.
    await database.query("update currency_rate set good_until = now() - interval '1 second'");
    const rates = await storedRates(database, [network]).pricedOn(31_337);
    expect(rates.map(({ usdRate }) => usdRate)).toEqual(["1"]);
    expect(told.join("\n")).not.toMatch(/ChainFailure|error/i);
    expect(told.some((line) => line.endsWith("its price is -1"))).toBe(true);
  });

  test("is rejected by the configuration if no source can provide it", () => {
    const of = (currency: object) => () =>
      localNetwork("http://127.0.0.1:1", {
        currencies: [{ symbol: "X", decimals: 1, address: feed, ...currency }],
      });
    expect(of({ usdRate: 1, usdFrom: { feed } })).toThrow(/set usdRate or usdFrom, not both/);
    expect(of({ usdFrom: { feed: "0x1" } })).toThrow(/usdFrom[.]feed: expected an address/);
    expect(of({ usdFrom: { feed, maxAge: 1 } })).toThrow(/unknown key "maxAge"/);
    expect(of({ usdFrom: { pool: feed, against: feed } })).toThrow(/kind: expected "v2" or "v3"/);
    expect(of({ usdFrom: { pool: feed, kind: "v2", against: `0x${"12".repeat(20)}` } })).toThrow(
      /is not one of its currencies with a usdRate/,
    );
  });

  test("ends after ten minutes without a read, and earlier if its feed's response gets too old", async () => {
    const seconds = (): number => Math.floor(Date.now() / 1_000);
    const endOfRate = async (reportedAt: number): Promise<number | undefined> => {
      await setFeed(50_000_000n, reportedAt);
      await read();
      const [row] = await database.query<{ readonly ends: number }>(
        "select extract(epoch from good_until)::float8 as ends from currency_rate where source like 'feed %'",
      );
      return row?.ends;
    };
    const before = seconds();
    const ends = await endOfRate(before);
    expect(ends).toBeGreaterThanOrEqual(before + 600);
    expect(ends).toBeLessThanOrEqual(seconds() + 600);
    // The network allows an hour.
    const reportedAt = seconds() - 3_300;
    expect(await endOfRate(reportedAt)).toBe(reportedAt + 3_600);
  });
});
