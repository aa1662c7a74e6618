import { type Hex, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCheckpoint } from "../../../../server/chain/follower/checkpoint.ts";
import { lastChangeBlock } from "../../../../server/market/records/orders/order-sql.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { accounts } from "./market-world.ts";
import { listingOf, openSeaportFixture, type SeaportFixture } from "./seaport-fixture.ts";
import { type Components, item, itemTypes, type Signed } from "./seaport-world.ts";

/** Long form: SEAPORT_STEPS=2000 SEAPORT_SEED=… */
const steps = Number(process.env["SEAPORT_STEPS"] ?? 40);
const seed = Number(process.env["SEAPORT_SEED"] ?? 20_261);

const [maker = zeroAddress, taker = zeroAddress, feeRecipient = zeroAddress] = accounts;
let desk: SeaportFixture;

describe.skipIf(noSandbox)("orders of Seaport", () => {
  beforeAll(async () => {
    desk = await openSeaportFixture();
  });
  afterAll(() => desk?.[Symbol.asyncDispose]());

  test(`match Seaport's state after every step and reorganization (SEAPORT_SEED=${seed})`, async () => {
    const { world, faults } = desk;
    await using _following = await desk.follow();
    await desk.untilFollowed();
    const random = seededRandom(seed);
    const book = new Map<Hex, Signed>();
    const snapshots: unknown[] = [];
    for (let step = 0; step < steps; step++) {
      if (snapshots.length > 2 && random.chance(10)) {
        const back = random.below(Math.min(8, snapshots.length));
        const [snapshot] = snapshots.splice(snapshots.length - 1 - back);
        await world.chain.request("evm_revert", snapshot);
        // Makes the new blocks differ from the removed ones.
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

  test("are inactive while Seaport is not configured, and match the chain when it is configured again", async () => {
    const { seaport, world, nft } = desk;
    const named = await desk.follow();
    // The others may have been sold.
    const [keptId, soldId, conduitId] = [101n, 102n, 103n];
    for (const id of [keptId, soldId, conduitId]) await nft.send(maker, "mint", [maker, id]);
    await world.chain.mine();
    await desk.untilFollowed();
    const [kept, sold] = [
      await desk.sign(listingOf(desk, maker, keptId)),
      await desk.sign(listingOf(desk, maker, soldId)),
    ];
    const conduit = await desk.sign({
      ...listingOf(desk, maker, conduitId),
      conduitKey: seaport.conduitKey,
    });
    const hashes: string[] = [];
    for (const signed of [kept, conduit, sold]) hashes.push((await desk.submit(signed)).orderHash);
    const active = (): Promise<readonly string[]> => activeOf(hashes);
    await expect.poll(active, { timeout: 120_000 }).toEqual(hashes);
    await named[Symbol.asyncDispose]();

    const unnamed = await desk.follow({ markets: [] });
    await expect.poll(active, { timeout: 120_000 }).toEqual([]);
    await seaport.fill(taker, sold);
    await world.chain.mine(3);
    await desk.untilFollowed();
    expect(await active()).toEqual([]);
    await unnamed[Symbol.asyncDispose]();

    await using _again = await desk.follow();
    await expect.poll(active, { timeout: 120_000 }).toEqual(hashes.slice(0, 2));
    expect(desk.faults).toEqual([]);
  });

  test("have the block of their last change, and that of their check if the change is reorganized", async () => {
    const { seaport, world, nft, faults } = desk;
    await using _following = await desk.follow();
    await nft.send(maker, "mint", [maker, 104n]);
    await world.chain.mine();
    await desk.untilFollowed();
    const signed = await desk.sign(listingOf(desk, maker, 104n));
    const { orderHash } = await desk.submit(signed);
    const checked = await world.chain.head();
    expect(await changedIn(orderHash)).toBe(checked);
    const changes: readonly (() => Promise<unknown>)[] = [
      () => seaport.fill(taker, signed),
      () => seaport.contract.send(maker, "cancel", [[signed.parameters]]),
      () => seaport.contract.send(maker, "incrementCounter", []),
    ];
    for (const [index, change] of changes.entries()) {
      const head = await world.chain.head();
      const snapshot = await world.chain.request("evm_snapshot");
      await world.chain.mine(index + 1);
      await change();
      await world.chain.mine();
      await expect.poll(() => changedIn(orderHash), { timeout: 120_000 }).toBe(head + index + 2);
      await world.chain.request("evm_revert", snapshot);
      await world.chain.mine(index + 3);
      await desk.untilFollowed();
      await expect.poll(() => changedIn(orderHash), { timeout: 120_000 }).toBe(checked);
    }
    expect(faults).toEqual([]);
  });
});

async function changedIn(orderHash: string): Promise<number | undefined> {
  const [row] = await desk.database.query<{ readonly block: number }>(
    `select ${lastChangeBlock("o")}::float8 as block from market_order o where order_id = $1`,
    [orderHash],
  );
  return row?.block;
}

/** The stored ones among these orders, in the given order. */
async function activeOf(hashes: readonly string[]): Promise<readonly string[]> {
  const rows = await desk.database.query<{ readonly hash: string }>(
    "select order_id as hash from market_order where status = 'active' and order_id = any($1)",
    [hashes],
  );
  return hashes.filter((hash) => rows.some((row) => row.hash === hash));
}

/** Runs a random action on Seaport; some fail, as in reality. */
async function act(random: Random, book: Map<Hex, Signed>): Promise<void> {
  const { seaport } = desk;
  const what = random.below(12);
  if (what < 5 || book.size === 0) {
    const signed = await seaport.sign(await randomOrder(random));
    const hash = await seaport.hashOf(signed.parameters);
    // Some are validated on the chain before they are submitted, and some are never submitted.
    const isTold = random.chance(30);
    if (isTold) await validate(random.pick(accounts), signed);
    if (!isTold || random.chance(50)) await desk.submit(signed).catch(expectVoid);
    if (isTold || (await desk.isStored(hash))) book.set(hash, signed);
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

/** The counter may have changed, or changed back, between signing and checking. */
function expectVoid(err: unknown): void {
  if (!/it is void|its signature is not/.test(String(err))) throw err;
}

async function validate(from: Hex, { parameters, signature }: Signed): Promise<void> {
  const whole = { ...parameters, totalOriginalConsiderationItems: parameters.consideration.length };
  await desk.seaport.contract.send(from, "validate", [[{ parameters: whole, signature }]]);
}

async function randomOrder(random: Random): Promise<Components> {
  const { seaport, coin, nft, multi } = desk;
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
        ...(random.chance(50) ? [{ ...fee, recipient: feeRecipient }] : []),
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
      ...(random.chance(50)
        ? [{ ...item(itemTypes.erc20, coin.address, fees), recipient: feeRecipient }]
        : []),
    ],
  });
}

/** The state in Seaport. A merely validated order exists as long as a block says so. */
async function expected(book: ReadonlyMap<Hex, Signed>): Promise<readonly string[]> {
  const { world, seaport, database } = desk;
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
  const rows = await desk.database.query<{ readonly hash: Hex; readonly line: string }>(
    `select order_id as hash, order_id || case when status in ('active', 'inactive') then ' open ' || quantity_remaining
       when status = 'filled' then ' filled' else ' ' || status || ' ' || quantity_remaining end as line from market_order`,
  );
  return rows
    .filter(({ hash }) => book.has(hash))
    .map(({ line }) => line)
    .sort();
}

async function untilEqual(book: ReadonlyMap<Hex, Signed>): Promise<void> {
  const { world, database } = desk;
  const end = performance.now() + 120_000;
  for (;;) {
    const head = await world.chain.head();
    const place = await readCheckpoint(database, 31_337);
    const [is, shouldBe] = await Promise.all([stored(book), expected(book)]);
    if (place?.number === head && is.join("\n") === shouldBe.join("\n")) return;
    if (performance.now() > end) expect(is).toEqual(shouldBe);
    await new Promise((done) => setTimeout(done, 25));
  }
}
