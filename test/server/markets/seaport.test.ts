import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { type Hex, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Chain } from "../../../server/chains/chain.ts";
import { Chains } from "../../../server/chains/chains.ts";
import type { FollowerEvents } from "../../../server/follower/follower-events.ts";
import { type Followers, openFollowers } from "../../../server/follower/followers.ts";
import { readPlace } from "../../../server/follower/place.ts";
import { type OpenMarkets, openMarkets } from "../../../server/markets/open.ts";
import { readSigned } from "../../../server/markets/seaport/read-signed.ts";
import { type Submission, type SubmitPorts, submitOrder } from "../../../server/markets/seaport/submit.ts";
import { seaportOf } from "../../../server/networks/markets.ts";
import type { Network } from "../../../server/networks/network.ts";
import { noteCurrencies } from "../../../server/records/currencies/note-currencies.ts";
import type { Artifact } from "../../../server/sandbox/artifact.ts";
import { type Database, openDatabase } from "../../../server/storage/database.ts";
import { migrate } from "../../../server/storage/migrate.ts";
import type { Data } from "../../support/host.ts";
import { localNetwork } from "../../support/local-network.ts";
import { operateOn } from "../../support/operator.ts";
import { freshSeed, type Random, seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";
import { emptyDatabase } from "../../support/server.ts";
import { testContract } from "../../support/test-contracts.ts";
import { accounts, type Contract, type MarketWorld, startMarketWorld } from "./market-world.ts";
import {
  type Components,
  deploySeaport,
  item,
  itemTypes,
  type Seaport,
  type Signed,
  textOf,
} from "./seaport-world.ts";

/** SEAPORT_STEPS=2000 SEAPORT_SEED=… is the long form. */
const steps = Number(process.env["SEAPORT_STEPS"] ?? 40);
const seed = Number(process.env["SEAPORT_SEED"] ?? freshSeed());

const require = createRequire(import.meta.url);
const faults: string[] = [];
const quiet: FollowerEvents = {
  leads: () => {},
  lost: () => {},
  moved: () => {},
  reorganised: () => {},
  rewound: () => {},
  parked: (...what) => faults.push(JSON.stringify(what)),
  setAside: () => {},
  // A block that leaves while it is asked for is asked again.
  failed: () => {},
  stopped: (...what) => faults.push(what.map(String).join(" ")),
};

const [maker = zeroAddress, taker = zeroAddress, house = zeroAddress] = accounts;
const opened: AsyncDisposable[] = [];
let database: Database;
let databaseUrl = "";
let world: MarketWorld;
let seaport: Seaport;
let coin: Contract;
let nft: Contract;
let multi: Contract;
let wallet: Contract;
let network: Network;
let chain: Chain;

describe.skipIf(noSandbox)("orders of Seaport", () => {
  beforeAll(async () => {
    const server = kept(await emptyDatabase());
    databaseUrl = server.url;
    database = kept(
      openDatabase(
        { connectionString: server.url },
        { connections: 12, statementTimeoutMs: 10_000, named: true },
      ),
    );
    await migrate(database);
    world = kept(await startMarketWorld());
    seaport = await deploySeaport(world);
    coin = await world.deploy(require("../../../server/sandbox/contracts/SandboxToken.json") as Artifact, [
      "Play Dollar",
      "PLAY",
      6,
    ]);
    nft = await world.deploy(testContract("TradedCollectible"));
    multi = await world.deploy(testContract("TradedToken"));
    wallet = await world.deploy(testContract("YesWallet"));
    for (const [index, account] of accounts.entries()) {
      await coin.send(account, "mint", [account, 10n ** 12n]);
      await multi.send(account, "mint", [account, 1n, 1_000_000n]);
      for (let id = 1; id <= 4; id++) await nft.send(account, "mint", [account, BigInt(10 * index + id)]);
      for (const operator of [seaport.contract.address, seaport.conduit]) {
        await coin.send(account, "approve", [operator, 2n ** 255n]);
        for (const token of [nft, multi]) await token.send(account, "setApprovalForAll", [operator, true]);
      }
    }
    await world.chain.mine();
    network = localNetwork(world.chain.rpcUrl, {
      follow: { start: 0, wsUrls: [world.chain.wsUrl], pollMs: 50 },
      markets: [{ kind: "seaport", address: seaport.contract.address, zones: [`0x${"20".repeat(20)}`] }],
    });
    await noteCurrencies(database, [network]);
    chain = await new Chains().of(network);
    const markets: OpenMarkets = kept(
      openMarkets({
        database,
        networks: [network],
        chainOf: async () => chain,
        events: {
          currenciesUnread: (_, err) => faults.push(String(err)),
          ordersUnchecked: (_, err) => faults.push(String(err)),
          ratesUnread: (_, err) => faults.push(String(err)),
          rateJudged: () => {},
        },
      }),
    );
    const followers: Followers = openFollowers({
      database,
      hasSessions: true,
      networks: [network],
      derivers: markets.derivers,
      events: quiet,
    });
    kept(followers);
    await untilFollowed();
  }, 120_000);
  afterAll(async () => {
    for (const each of opened.reverse()) await each[Symbol.asyncDispose]();
  });

  test("are taken in when the chain confirms them, in terms of a market", async () => {
    const fee = { ...item(itemTypes.erc20, coin.address, { amount: 25n }), recipient: house };
    const price = { ...item(itemTypes.erc20, coin.address, { amount: 976n }), recipient: maker };
    const listing = await sign({
      offerer: maker,
      offer: [item(itemTypes.erc1155, multi.address, { id: 1n, amount: 10n })],
      consideration: [price, fee],
      startTime: 1_000n,
      endTime: 4_000_000_000n,
    });
    const { orderHash } = await submit(listing);
    expect(await rowOf(orderHash)).toEqual({
      order_id: await seaport.hashOf(listing.parameters),
      marketplace: "opensea",
      source: "opensea",
      side: "listing",
      created_by: maker,
      // 1,001 for ten: nobody gets one for 100.
      price_amount: "101",
      quantity_initial: "10",
      quantity_remaining: "10",
      fee_bps: 249,
      fee_breakdown: [{ kind: "marketplace", recipientAddress: house, bps: 249 }],
      collection: multi.address,
      token_id: "1",
      currency: coin.address,
      valid_from: "1000",
      valid_until: "4000000000",
    });
    const forAny = await sign({
      offerer: taker,
      offer: [item(itemTypes.erc20, coin.address, { amount: 1_000n })],
      consideration: [
        { ...item(itemTypes.anyErc721, nft.address, { amount: 3n }), recipient: taker },
        { ...fee, recipient: house },
      ],
      conduitKey: seaport.conduitKey,
    });
    expect(await rowOf((await submit(forAny)).orderHash)).toMatchObject({
      side: "offer",
      token_id: null,
      price_amount: "333",
      quantity_initial: "3",
      fee_bps: 250,
    });
  });

  test("have the tokens that they name read, where these are of a followed collection", async () => {
    await database.query(
      `insert into followed_collection (collection_id, known_through, followed_by)
       select id, 0, 'order' from collection where address = $1`,
      [nft.address],
    );
    await submit(await sign(await offerOf(taker, 77n)));
    const queued = await database.query(
      `select token_id::text from token_read join collectible on collectible.id = collectible_id
       where due_at <= now() and is_named`,
    );
    expect(queued).toEqual([{ token_id: "77" }]);
  });

  test("are refused with the reason where the chain or a market has no room for them", async () => {
    const good = await listingOf(maker, 1n);
    const [offer] = good.offer;
    const [price] = good.consideration;
    if (offer === undefined || price === undefined) throw new Error("a listing has both");
    const over = await sign(good);
    await seaport.contract.send(maker, "cancel", [[over.parameters]]);
    const old = await sign({ ...(await listingOf(house, 21n)) });
    await seaport.contract.send(house, "incrementCounter", []);
    const sold = await sign(await listingOf(accounts[3] ?? maker, 31n));
    await seaport.fill(taker, sold);
    await world.chain.mine();
    await untilFollowed();
    const twisted = await sign(good);
    const cases: readonly (readonly [RegExp, Signed])[] = [
      [/it is cancelled/, over],
      [/it is void: it was signed with the counter 0/, old],
      [/it is filled/, sold],
      [/not signed by its maker/, { ...twisted, signature: `0x${"12".repeat(65)}` }],
      [/not signed by its maker/, { ...twisted, parameters: { ...twisted.parameters, salt: 99n } }],
      [/its time is up/, await sign({ ...good, endTime: 1_000n })],
      [/ends before it starts/, await sign({ ...good, startTime: 4_200_000_000n })],
      [/its zone 0x1111/, await sign({ ...good, orderType: 2, zone: `0x${"11".repeat(20)}` })],
      [/type CONTRACT/, await sign({ ...good, orderType: 4 })],
      [/offers 2 items/, await sign({ ...good, offer: [offer, offer] })],
      [/amounts change with time/, await sign({ ...good, offer: [{ ...offer, endAmount: 2n }] })],
      [/some tokens of a collection \(criteria\)/, await sign(await offerOf(maker, 7n, { isRoot: true }))],
      [/tokens of the buyer's choice/, await sign({ ...good, offer: [{ ...offer, itemType: 4 }] })],
      [
        /for 2 tokens of collections/,
        await sign({ ...good, consideration: [price, { ...offer, recipient: maker }] }),
      ],
      [
        /not all of one currency/,
        await sign({ ...good, consideration: [price, { ...price, itemType: 1, token: coin.address }] }),
      ],
      [/asks for nothing/, await sign({ ...good, consideration: [] })],
      [
        /one token of each number/,
        await sign({ ...good, offer: [{ ...offer, startAmount: 2n, endAmount: 2n }] }),
      ],
      [/its conduit 0x3+ is not there/, await sign({ ...good, conduitKey: `0x${"3".repeat(64)}` })],
    ];
    for (const [reason, signed] of cases)
      await expect(submit(signed), String(reason)).rejects.toThrow(reason);
    for (const [text, reason] of [
      ["{", /not JSON/],
      ["[]", /expected an object/],
      ['{"parameters":{}}', /\/parameters\/consideration: expected a list/],
      [textOf(twisted).replace(/"salt":"[0-9]+"/, '"salt":-1'), /\/parameters\/salt: expected a number/],
    ] as const)
      expect(() => readSigned(text)).toThrow(reason);
    expect((await submit(twisted)).orderHash).toBe(await seaport.hashOf(twisted.parameters));
    expect(
      (await submit(await sign({ ...good, orderType: 2, zone: `0x${"20".repeat(20)}` }))).orderHash,
    ).toMatch(/^0x/);
  });

  test("may be signed by a contract, if its code says so", async () => {
    const listing = { ...(await listingOf(maker, 1n)), offerer: wallet.address };
    const parameters = await seaport.components(listing);
    await expect(submit({ parameters, signature: "0x1234" })).resolves.toMatchObject({
      terms: { maker: wallet.address },
    });
  });

  test("come by the operator's command, which tells what it refuses", async () => {
    const lines = [textOf(await sign(await listingOf(maker, 2n))), '{"parameters":1}', "nonsense"];
    const env = {
      DATABASE_URL: databaseUrl,
      SIGNING_KEY: "0".repeat(64),
      NETWORKS: "31337",
      NETWORK_DETAILS: JSON.stringify({
        31337: { rpcUrls: network.rpcUrls, follow: true, markets: network.markets },
      }),
    };
    const data = { folder: tmpdir(), env } as unknown as Data;
    const { code, out, err } = await operateOn(data, lines.join("\n"), "orders", "submit", "31337", "-");
    expect(err).toContain("standard input:2: /parameters: expected an object");
    expect(err).toContain("standard input:3: not JSON");
    expect(out.split(/\s+/).join(" ")).toContain("orders 3 kept 1 refused 2");
    expect(code).toBe(1);
    for (const [args, reason] of [
      [["nowhere"], /there is no network "nowhere"/],
      [["31337", "/nowhere/at-all"], /no such file/i],
    ] as const)
      expect((await operateOn(data, "", "orders", "submit", ...args)).err).toMatch(reason);
  });

  test(`are what Seaport says of them after every step, also where blocks leave (SEAPORT_SEED=${seed})`, async () => {
    const random = seededRandom(seed);
    const book = new Map<Hex, Signed>();
    const snapshots: unknown[] = [];
    for (let step = 0; step < steps; step++) {
      if (snapshots.length > 2 && random.chance(10)) {
        const back = random.below(Math.min(8, snapshots.length));
        const [snapshot] = snapshots.splice(snapshots.length - 1 - back);
        await world.chain.request("evm_revert", snapshot);
        // So that the new blocks are others than those that left.
        await world.chain.request("evm_increaseTime", 7);
        await world.chain.mine();
      }
      snapshots.push(await world.chain.request("evm_snapshot"));
      for (let count = random.below(4); count >= 0; count--) await act(random, book);
      await world.chain.mine();
      if (random.chance(40)) await untilEqual(book);
    }
    await untilEqual(book);
    expect(faults).toEqual([]);
    expect(book.size).toBeGreaterThan(steps / 4);
  }, 900_000);
});

function kept<Opened extends AsyncDisposable>(one: Opened): Opened {
  opened.push(one);
  return one;
}

async function sign(
  terms: Pick<Components, "offerer" | "offer" | "consideration"> & Partial<Components>,
): Promise<Signed> {
  return seaport.sign(await seaport.components(terms));
}

async function submit(signed: Signed): Promise<Submission> {
  const market = seaportOf(network.markets);
  if (market === undefined) throw new Error("the network has a Seaport");
  const ports: SubmitPorts = { database, chain, chainId: 31_337, market };
  return submitOrder(ports, readSigned(textOf(signed)));
}

async function listingOf(
  offerer: Hex,
  id: bigint,
): Promise<Pick<Components, "offerer" | "offer" | "consideration">> {
  return {
    offerer,
    offer: [item(itemTypes.erc721, nft.address, { id })],
    consideration: [{ ...item(itemTypes.native, zeroAddress, { amount: 1_000n }), recipient: offerer }],
  };
}

async function offerOf(
  offerer: Hex,
  id: bigint,
  { isRoot = false }: { readonly isRoot?: boolean } = {},
): Promise<Pick<Components, "offerer" | "offer" | "consideration">> {
  const itemType = isRoot ? itemTypes.anyErc721 : itemTypes.erc721;
  return {
    offerer,
    offer: [item(itemTypes.erc20, coin.address, { amount: 500n })],
    consideration: [{ ...item(itemType, nft.address, { id }), recipient: offerer }],
  };
}

async function rowOf(orderHash: string): Promise<object | undefined> {
  const [row] = await database.query(
    `select order_id, marketplace, source, side, created_by, price_amount::text, quantity_initial::text, quantity_remaining::text,
       fee_bps, fee_breakdown, collection.address as collection, token_id::text, currency.address as currency,
       extract(epoch from valid_from)::bigint::text as valid_from, extract(epoch from valid_until)::bigint::text as valid_until
     from market_order join collection on collection.id = market_order.collection_id
     left join collectible on collectible.id = collectible_id join currency on currency.id = currency_id where order_id = $1`,
    [orderHash],
  );
  return row;
}

/** One of the things that people do with Seaport; some fail, as they do. */
async function act(random: Random, book: Map<Hex, Signed>): Promise<void> {
  const what = random.below(12);
  if (what < 5 || book.size === 0) {
    const signed = await seaport.sign(await randomOrder(random));
    const hash = await seaport.hashOf(signed.parameters);
    // Some are known to the chain before anybody submits them, and some are never submitted.
    const isTold = random.chance(30);
    if (isTold) await validate(random.pick(accounts), signed);
    if (!isTold || random.chance(50)) await submit(signed).catch(expectVoid);
    if (isTold || (await isStored(hash))) book.set(hash, signed);
    return;
  }
  const signed = random.pick([...book.values()]);
  const { offerer } = signed.parameters;
  if (what < 9) {
    const denominator = BigInt(random.pick([1, 2, 5, 10]));
    const numerator = 1n + BigInt(random.below(Number(denominator)));
    const tokenId = BigInt(10 * random.below(4) + 1 + random.below(4));
    const conduitKey = random.chance(30) ? { conduitKey: seaport.conduitKey } : {};
    await seaport.fill(random.pick(accounts), signed, { numerator, denominator, tokenId, ...conduitKey });
  } else if (what < 10) await seaport.contract.send(offerer, "cancel", [[signed.parameters]]);
  else if (what < 11) await validate(random.pick(accounts), signed);
  else if (random.chance(40)) await seaport.contract.send(offerer, "incrementCounter", []);
}

/** Between its signing and its check a block with another counter may have left or come. */
function expectVoid(err: unknown): void {
  if (!/it is void|not signed/.test(String(err))) throw err;
}

async function isStored(orderHash: Hex): Promise<boolean> {
  return (await rowOf(orderHash)) !== undefined;
}

async function validate(from: Hex, { parameters, signature }: Signed): Promise<void> {
  const whole = { ...parameters, totalOriginalConsiderationItems: parameters.consideration.length };
  await seaport.contract.send(from, "validate", [[{ parameters: whole, signature }]]);
}

async function randomOrder(random: Random): Promise<Components> {
  const index = random.below(accounts.length);
  const offerer = accounts[index] ?? maker;
  const isSingle = random.chance(40);
  const amount = isSingle ? 1n : 10n;
  const ownId = BigInt(10 * index + 1 + random.below(4));
  const orderType = random.chance(30) ? 0 : 1;
  const conduit = random.chance(30) ? { conduitKey: seaport.conduitKey } : {};
  const price = { amount: amount * BigInt(10 * (1 + random.below(50))) };
  const fees = { amount: amount * 10n };
  const terms = { offerer, orderType, ...conduit };
  if (random.chance(50)) {
    const money = random.chance(30) ? item(itemTypes.native, zeroAddress, price) : undefined;
    const paid = money ?? item(itemTypes.erc20, coin.address, price);
    const fee = { ...paid, startAmount: fees.amount, endAmount: fees.amount };
    return seaport.components({
      ...terms,
      offer: [
        isSingle
          ? item(itemTypes.erc721, nft.address, { id: ownId })
          : item(itemTypes.erc1155, multi.address, { id: 1n, amount }),
      ],
      consideration: [
        { ...paid, recipient: offerer },
        ...(random.chance(50) ? [{ ...fee, recipient: house }] : []),
      ],
    });
  }
  const isAny = random.chance(40);
  const id = isAny ? 0n : BigInt(10 * random.below(4) + 1 + random.below(4));
  const wanted = isSingle
    ? item(isAny ? itemTypes.anyErc721 : itemTypes.erc721, nft.address, { id })
    : item(isAny ? itemTypes.anyErc1155 : itemTypes.erc1155, multi.address, { id: isAny ? 0n : 1n, amount });
  return seaport.components({
    ...terms,
    offer: [item(itemTypes.erc20, coin.address, price)],
    consideration: [
      { ...wanted, recipient: offerer },
      ...(random.chance(50) ? [{ ...item(itemTypes.erc20, coin.address, fees), recipient: house }] : []),
    ],
  });
}

/** As Seaport has them. What was only validated is there as long as a block says so. */
async function expected(book: ReadonlyMap<Hex, Signed>): Promise<readonly string[]> {
  const logs = (await world.chain.request("eth_getLogs", {
    fromBlock: "0x0",
    address: seaport.contract.address,
    topics: ["0xf280791efe782edcf06ce15c8f4dff17601db3b88eb3805a0db7d77faf757f04"],
  })) as readonly { readonly data: Hex }[];
  const validated = new Set(logs.map(({ data }) => data.slice(0, 66)));
  const submitted = await database.query<{ readonly hash: string }>(
    "select '0x' || encode(order_hash, 'hex') as hash from seaport_order where signed is not null",
  );
  const known = new Set([...validated, ...submitted.map(({ hash }) => hash)]);
  const lines = [...book]
    .filter(([hash]) => known.has(hash))
    .map(async ([hash, { parameters }]) => {
      const [[, isCancelled, filled, size], counter] = (await Promise.all([
        seaport.contract.read("getOrderStatus", [hash]),
        seaport.contract.read("getCounter", [parameters.offerer]),
      ])) as [readonly [boolean, boolean, bigint, bigint], bigint];
      const nftItem = [...parameters.offer, ...parameters.consideration].find(({ itemType }) => itemType > 1);
      const quantity = nftItem?.startAmount ?? 0n;
      const left = quantity - (size === 0n ? 0n : (quantity * filled) / size);
      if (left === 0n) return `${hash} filled`;
      if (isCancelled || counter !== parameters.counter) return `${hash} cancelled ${left}`;
      return `${hash} open ${left}`;
    });
  return (await Promise.all(lines)).sort();
}

async function stored(book: ReadonlyMap<Hex, Signed>): Promise<readonly string[]> {
  const rows = await database.query<{ readonly hash: Hex; readonly line: string }>(
    `select order_id as hash, order_id || case when status in ('active', 'inactive') then ' open ' || quantity_remaining
       when status = 'filled' then ' filled' else ' ' || status || ' ' || quantity_remaining end as line from market_order`,
  );
  return rows
    .filter(({ hash }) => book.has(hash))
    .map(({ line }) => line)
    .sort();
}

async function untilFollowed(): Promise<void> {
  const head = await world.chain.head();
  const end = performance.now() + 30_000;
  while ((await readPlace(database, 31_337))?.number !== head) {
    if (performance.now() > end) throw new Error(`block ${head} was not read in time`);
    await new Promise((done) => setTimeout(done, 25));
  }
}

async function untilEqual(book: ReadonlyMap<Hex, Signed>): Promise<void> {
  const end = performance.now() + 30_000;
  for (;;) {
    const head = await world.chain.head();
    const place = await readPlace(database, 31_337);
    const [is, shouldBe] = await Promise.all([stored(book), expected(book)]);
    if (place?.number === head && is.join("\n") === shouldBe.join("\n")) return;
    if (performance.now() > end) expect(is).toEqual(shouldBe);
    await new Promise((done) => setTimeout(done, 25));
  }
}
