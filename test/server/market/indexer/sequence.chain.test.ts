import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { readCheckpoint } from "../../../../server/chain/follower/checkpoint.ts";
import type { FollowerEvents } from "../../../../server/chain/follower/follower-state.ts";
import { openFollowers } from "../../../../server/chain/follower/open-followers.ts";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import type { Artifact } from "../../../../server/chain/sandbox/artifact.ts";
import { openMarkets } from "../../../../server/market/indexer/open-markets.ts";
import { storeConfiguredCurrencies } from "../../../../server/market/records/currencies/currency.ts";
import { lastChangeBlock } from "../../../../server/market/records/orders/order-sql.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { migratedDatabase } from "../../../support/server.ts";
import { testContract } from "../../../support/test-contracts.ts";
import { accounts, type Contract, type MarketWorld, noCurrency, startMarketWorld } from "./market-world.ts";

/** Long form: MARKET_STEPS=2000 MARKET_SEED=… */
const steps = Number(process.env["MARKET_STEPS"] ?? 30);
const seed = Number(process.env["MARKET_SEED"] ?? 20_261);

const require = createRequire(import.meta.url);
const artifactOf = (name: string): Artifact =>
  require(`../../../../server/chain/sandbox/contracts/${name}.json`) as Artifact;

const quiet: FollowerEvents = {
  followStarted: () => {},
  followEnded: () => {},
  headSeen: () => {},
  advanced: () => {},
  reorganized: () => {},
  rewound: () => {},
  skipped: (...what) => faults.push(what.map(String).join(" ")),
  nodeDemoted: () => {},
  // Retries if a block is reorganized during the query.
  failed: () => {},
  stopped: (...what) => faults.push(what.map(String).join(" ")),
};
const faults: string[] = [];
const fault = (_: number, err: unknown): void =>
  void faults.push(`${err} ${String((err as Error).cause).slice(0, 600)}`);

let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;
let world: MarketWorld;
let market: Contract;
let coin: Contract;
let tokens: readonly Contract[];

describe.skipIf(noSandbox)("orders of a Sequence marketplace", () => {
  beforeAll(async () => {
    server = await migratedDatabase();
    database = openDatabase(
      { connectionString: server.url },
      { connections: 12, statementTimeoutMs: 10_000, namedStatements: true },
    );
    world = await startMarketWorld();
    market = await world.deploy(artifactOf("SandboxMarket"));
    coin = await world.deploy(artifactOf("SandboxToken"), ["Play Dollar", "PLAY", 6]);
    tokens = [
      await world.deploy(testContract("TradedToken")),
      await world.deploy(testContract("TradedToken")),
    ];
    for (const account of accounts) {
      await coin.send(account, "mint", [account, 10n ** 12n]);
      await coin.send(account, "approve", [market.address, 2n ** 255n]);
      for (const token of tokens) {
        await token.send(account, "mint", [account, 1n, 1_000_000n]);
        await token.send(account, "setApprovalForAll", [market.address, true]);
      }
    }
    await world.chain.mine();
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await world?.[Symbol.asyncDispose]();
  });

  test(`match the contract's state after every step and reorganization (MARKET_SEED=${seed})`, async () => {
    const random = seededRandom(seed);
    await using _following = await follow();
    const snapshots: unknown[] = [];
    for (let step = 0; step < steps; step++) {
      if (snapshots.length > 2 && random.chance(6)) {
        // Reorganizes some of the last blocks.
        const back = random.below(Math.min(8, snapshots.length));
        const [snapshot] = snapshots.splice(snapshots.length - 1 - back);
        await world.chain.request("evm_revert", snapshot);
      }
      snapshots.push(await world.chain.request("evm_snapshot"));
      for (let count = random.below(5); count >= 0; count--) await act(random);
      await world.chain.mine();
      if (random.chance(2)) await untilEqual();
    }
    await untilEqual();
    expect(faults).toEqual([]);
    expect(await market.read("nextRequestId")).toBeGreaterThan(BigInt(steps) / 4n);
  }, 600_000);

  test("have the block of their last change, and the previous one if the change is reorganized", async () => {
    await using _following = await follow();
    const [maker, buyer] = accounts as [Hex, Hex];
    const requestId = await listToken(1n, 3n);
    const changed = (): Promise<number | undefined> => changedIn(requestId);
    const made = await world.chain.head();
    await until(changed, made);
    const beforeFill = await world.chain.request("evm_snapshot");
    await world.chain.mine();
    await market.send(buyer, "acceptRequest", [requestId, 2n, buyer, [], []], { value: 2n });
    await world.chain.mine();
    await until(changed, made + 2);
    const beforeEnd = await world.chain.request("evm_snapshot");
    await market.send(maker, "cancelRequest", [requestId]);
    await world.chain.mine();
    await until(changed, made + 3);
    await world.chain.request("evm_revert", beforeEnd);
    await market.send(maker, "invalidateRequests", []);
    await world.chain.mine(2);
    await until(async () => [await lastBlock(), await changed()], [made + 4, made + 3]);
    await world.chain.request("evm_revert", beforeFill);
    await world.chain.mine(5);
    await until(async () => [await lastBlock(), await changed()], [made + 5, made]);
    expect(faults).toEqual([]);
  });

  test("match the contract after a reorganization that is deeper than the window", async () => {
    await using _following = await follow({ follow: { start: 0, wsUrls: [], pollMs: 50, window: 2 } });
    const [maker, buyer] = accounts as [Hex, Hex];
    const [sold, cancelled, open] = [await listToken(1n), await listToken(1n), await listToken(1n, 3n)];
    await untilEqual();
    const before = await world.chain.request("evm_snapshot");
    await market.send(buyer, "acceptRequest", [sold, 1n, buyer, [], []], { value: 1n });
    await market.send(buyer, "acceptRequest", [open, 1n, buyer, [], []], { value: 1n });
    await market.send(maker, "cancelRequest", [cancelled]);
    await world.chain.mine();
    await listToken(5n);
    for (let block = 0; block < 6; block++) {
      await world.chain.mine();
      await untilEqual();
    }
    await world.chain.request("evm_revert", before);
    // A transaction makes the blocks differ.
    await market.send(maker, "cancelRequest", [sold]);
    await world.chain.mine(12);
    await untilEqual();
    expect(faults).toEqual([]);
  });

  test("are inactive while their market is not configured, and match the chain when it is configured again", async () => {
    const kept = await listToken(1n);
    const sold = await listToken(1n);
    const cancelled = await listToken(1n);
    const snapshot = await world.chain.request("evm_snapshot");
    const gone = await listToken(1n);
    const active = (): Promise<readonly bigint[]> => activeFrom(kept);
    const named = await follow();
    await until(active, [kept, sold, cancelled, gone]);
    await named[Symbol.asyncDispose]();

    const unnamed = await follow({ markets: [] });
    await until(active, []);
    await world.chain.request("evm_revert", snapshot);
    const [maker, buyer] = accounts as [Hex, Hex];
    // The replacement has the same request id, in a block of the same height.
    const later = await listToken(2n);
    await market.send(buyer, "acceptRequest", [sold, 1n, buyer, [], []], { value: 1n });
    await market.send(maker, "cancelRequest", [cancelled]);
    await world.chain.mine(3);
    await until(lastBlock, await world.chain.head());
    expect(await active()).toEqual([]);
    await unnamed[Symbol.asyncDispose]();

    await using _again = await follow();
    await until(active, [kept, later]);
    await untilEqual();
    expect(faults).toEqual([]);
  });

  test("wait until their currency's decimals and symbol have been read", async () => {
    const rows = await database.query(
      "select symbol, name, decimals, is_known from currency where address = $1",
      [coin.address],
    );
    expect(rows).toEqual([{ symbol: "PLAY", name: "Play Dollar", decimals: 6, is_known: true }]);
  });
});

/** A follower of the chain. By default the market is configured. */
async function follow(details: object = {}): Promise<AsyncDisposable> {
  const network = localNetwork(world.chain.rpcUrl, {
    follow: { start: 0, wsUrls: [world.chain.wsUrl], pollMs: 50 },
    markets: [{ kind: "sequence_marketplace_v2", address: market.address }],
    ...details,
  });
  await storeConfiguredCurrencies(database, [network]);
  const chains = new Chains();
  const markets = openMarkets({
    database,
    networks: [network],
    chainOf: () => chains.of(network),
    events: { currenciesFailed: fault, orderChecksFailed: fault, ratesFailed: fault, rateChanged: () => {} },
  });
  const { derivers } = markets;
  const followers = openFollowers({
    database,
    hasSessions: true,
    networks: [network],
    derivers,
    events: quiet,
  });
  return {
    async [Symbol.asyncDispose]() {
      await followers[Symbol.asyncDispose]();
      await markets[Symbol.asyncDispose]();
    },
  };
}

/** Lists a token of the first account in a separate block. Returns the request id. */
async function listToken(pricePerToken: bigint, quantity = 1n): Promise<bigint> {
  const requestId = (await market.read("nextRequestId")) as bigint;
  const about = { isListing: true, isERC1155: true, tokenContract: tokens[0]?.address, tokenId: 1n };
  const terms = { ...about, quantity, expiry: farAway, currency: noCurrency, pricePerToken };
  await market.send(accounts[0] as Hex, "createRequest", [terms]);
  await world.chain.mine();
  return requestId;
}

/** Orders with this request id or a higher one. */
async function activeFrom(lowest: bigint): Promise<readonly bigint[]> {
  const rows = await database.query<{ readonly id: string }>(
    `select order_id as id from market_order where status = 'active' and order_id::numeric >= $1
     order by order_id::numeric`,
    [String(lowest)],
  );
  return rows.map(({ id }) => BigInt(id));
}

async function changedIn(requestId: bigint): Promise<number | undefined> {
  const [row] = await database.query<{ readonly block: number }>(
    `select ${lastChangeBlock("o")}::float8 as block from market_order o where order_id = $1`,
    [String(requestId)],
  );
  return row?.block;
}

/** Orders whose block and time of the last change disagree. */
async function misdated(): Promise<readonly string[]> {
  const rows = await database.query<{ readonly id: string; readonly block: number; readonly at: number }>(
    `select order_id as id, ${lastChangeBlock("o")}::float8 as block, extract(epoch from order_updated_at)::float8 as at
     from market_order o`,
  );
  const found = await Promise.all(
    rows.map(async ({ id, block, at }) => {
      const number = `0x${block.toString(16)}`;
      const found = (await world.chain.request("eth_getBlockByNumber", number, false)) as {
        readonly timestamp: Hex;
      } | null;
      const timestamp = Number(found?.timestamp);
      return timestamp === at ? [] : [`${id}: block ${block} is of ${timestamp}, not ${at}`];
    }),
  );
  return found.flat();
}

async function lastBlock(): Promise<number | undefined> {
  return (await readCheckpoint(database, 31_337))?.number;
}

function until<Value>(is: () => Promise<Value>, shouldBe: Value): Promise<void> {
  return expect.poll(is, { timeout: 120_000, interval: 25 }).toEqual(shouldBe);
}

const farAway = 4_102_444_800n;

/** Runs a random action on a market; some fail, as in reality. */
async function act(random: Random): Promise<void> {
  const account = random.pick(accounts);
  const token = random.pick(tokens);
  const next = Number((await market.read("nextRequestId")) as bigint);
  const requestId = BigInt(random.below(next + 1));
  const what = random.below(10);
  if (what < 5) {
    const isListing = random.chance(2);
    const currency = isListing && random.chance(4) ? `0x${"0".repeat(40)}` : coin.address;
    const quantity = BigInt(1 + random.below(20));
    const price = BigInt(1 + random.below(1_000));
    const terms = [isListing, true, token.address, 1n, quantity, farAway, currency, price] as const;
    const names = ["isListing", "isERC1155", "tokenContract", "tokenId", "quantity", "expiry", "currency"];
    const params = Object.fromEntries([...names, "pricePerToken"].map((name, index) => [name, terms[index]]));
    await market.send(account, "createRequest", [params]);
  } else if (what < 8) {
    const request = (await market.read("getRequest", [requestId])) as OnChain;
    const quantity = BigInt(1 + random.below(Number(request.quantity) || 1));
    const isCoin = request.currency === `0x${"0".repeat(40)}`;
    const value = isCoin ? quantity * request.pricePerToken : 0n;
    await market.send(account, "acceptRequest", [requestId, quantity, account, [], []], { value });
  } else if (what < 9) await market.send(account, "cancelRequest", [requestId]);
  else if (random.chance(2)) await market.send(account, "invalidateRequests", []);
  else await market.send(account, "invalidateRequests", [token.address]);
}

interface OnChain {
  readonly creator: string;
  readonly quantity: bigint;
  readonly currency: string;
  readonly pricePerToken: bigint;
}

/** The state in the contract, which deletes filled and cancelled requests. */
async function expected(): Promise<readonly string[]> {
  const next = (await market.read("nextRequestId")) as bigint;
  const all = Array.from({ length: Number(next) }, async (_, index) => {
    const [request, isOpen] = (await Promise.all([
      market.read("getRequest", [BigInt(index)]),
      market.read("isOpen", [BigInt(index)]),
    ])) as [OnChain, boolean];
    if (!isOpen) return `${index} over`;
    const { creator, quantity, currency, pricePerToken } = request;
    return `${index} ${creator} ${quantity} ${currency} ${pricePerToken}`.toLowerCase();
  });
  return Promise.all(all);
}

async function stored(): Promise<readonly string[]> {
  const rows = await database.query<{ readonly line: string }>(
    `select order_id || case when status in ('filled', 'cancelled') then ' over'
       else concat(' ', created_by, ' ', quantity_remaining, ' ', currency.address, ' ', price_amount) end
       || case when status = 'decimals_missing' then ' waits' else '' end as line
     from market_order join currency on currency.id = currency_id order by order_id::numeric`,
  );
  return rows.map(({ line }) => line);
}

async function untilEqual(): Promise<void> {
  const end = performance.now() + 120_000;
  for (;;) {
    const head = await world.chain.head();
    const place = await readCheckpoint(database, 31_337);
    const [is, shouldBe, wrong] = await Promise.all([stored(), expected(), misdated()]);
    if (place?.number === head && is.join("\n") === shouldBe.join("\n") && wrong.length === 0) return;
    if (performance.now() > end) expect([...is, ...wrong]).toEqual(shouldBe);
    await new Promise((done) => setTimeout(done, 25));
  }
}
