import { tmpdir } from "node:os";
import { type Hex, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseSignedOrder } from "../../../../server/market/indexer/seaport/parse-signed-order.ts";
import type { Data } from "../../../support/host.ts";
import { operateOn } from "../../../support/operator.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { testContract } from "../../../support/test-contracts.ts";
import { accounts } from "./market-world.ts";
import { listingOf, openSeaportFixture, type SeaportFixture, type Terms } from "./seaport-fixture.ts";
import { item, itemTypes, type Signed, textOf } from "./seaport-world.ts";

const [maker = zeroAddress, taker = zeroAddress, feeRecipient = zeroAddress] = accounts;
let desk: SeaportFixture;
let following: AsyncDisposable;

describe.skipIf(noSandbox)("signed orders of Seaport", () => {
  beforeAll(async () => {
    desk = await openSeaportFixture();
    following = await desk.follow();
    await desk.untilFollowed();
  });
  afterAll(async () => {
    await following?.[Symbol.asyncDispose]();
    await desk?.[Symbol.asyncDispose]();
  });

  test("are stored as listings and offers once the chain confirms them", async () => {
    const { seaport, coin, nft, multi } = desk;
    const fee = { ...item(itemTypes.erc20, coin.address, { amount: 25n }), recipient: feeRecipient };
    const price = { ...item(itemTypes.erc20, coin.address, { amount: 976n }), recipient: maker };
    const listing = await desk.sign({
      offerer: maker,
      offer: [item(itemTypes.erc1155, multi.address, { id: 1n, amount: 10n })],
      consideration: [price, fee],
      startTime: 1_000n,
      endTime: 4_000_000_000n,
    });
    const { orderHash } = await desk.submit(listing);
    expect(await rowOf(orderHash)).toEqual({
      order_id: await seaport.hashOf(listing.parameters),
      marketplace: "opensea",
      source: "opensea",
      side: "listing",
      created_by: maker,
      // 1,001 for ten: none can be bought for 100.
      price_amount: "101",
      quantity_initial: "10",
      quantity_remaining: "10",
      fee_bps: 249,
      fee_breakdown: [{ kind: "marketplace", recipientAddress: feeRecipient, bps: 249 }],
      collection: multi.address,
      token_id: "1",
      currency: coin.address,
      valid_from: "1000",
      valid_until: "4000000000",
    });
    const forAny = await desk.sign({
      offerer: taker,
      offer: [item(itemTypes.erc20, coin.address, { amount: 1_000n })],
      consideration: [
        { ...item(itemTypes.anyErc721, nft.address, { amount: 3n }), recipient: taker },
        { ...fee, recipient: feeRecipient },
      ],
      conduitKey: seaport.conduitKey,
    });
    expect(await rowOf((await desk.submit(forAny)).orderHash)).toMatchObject({
      side: "offer",
      token_id: null,
      price_amount: "333",
      quantity_initial: "3",
      fee_bps: 250,
    });
  });

  test("queue their tokens for reading, if the collection is followed", async () => {
    const { database, nft } = desk;
    await database.query(
      `insert into followed_collection (collection_id, known_through, followed_by)
       select id, 0, 'order' from collection where address = $1`,
      [nft.address],
    );
    await desk.submit(await desk.sign(offerOf(taker, 77n)));
    const queued = await database.query(
      `select token_id::text from token_read join collectible on collectible.id = collectible_id
       where due_at <= now() and is_named`,
    );
    expect(queued).toEqual([{ token_id: "77" }]);
  });

  test("are rejected with a reason if the chain or the market does not accept them", async () => {
    const { seaport, world, coin } = desk;
    const good = listingOf(desk, maker, 1n);
    const [offer] = good.offer;
    const [price] = good.consideration;
    if (offer === undefined || price === undefined) throw new Error("a listing has both");
    const over = await desk.sign(good);
    await seaport.contract.send(maker, "cancel", [[over.parameters]]);
    const old = await desk.sign(listingOf(desk, feeRecipient, 21n));
    await seaport.contract.send(feeRecipient, "incrementCounter", []);
    const sold = await desk.sign(listingOf(desk, accounts[3] ?? maker, 31n));
    await seaport.fill(taker, sold);
    await world.chain.mine();
    await desk.untilFollowed();
    const twisted = await desk.sign(good);
    const cases: readonly (readonly [RegExp, Signed])[] = [
      [/it is cancelled/, over],
      [/it is void: it was signed with counter 0/, old],
      [/it is filled/, sold],
      [/signature is not that of its maker/, { ...twisted, signature: `0x${"12".repeat(65)}` }],
      [
        /signature is not that of its maker/,
        { ...twisted, parameters: { ...twisted.parameters, salt: 99n } },
      ],
      [/it has expired/, await desk.sign({ ...good, endTime: 1_000n })],
      [/ends before it starts/, await desk.sign({ ...good, startTime: 4_200_000_000n })],
      [/its zone 0x1111/, await desk.sign({ ...good, orderType: 2, zone: `0x${"11".repeat(20)}` })],
      [/type CONTRACT/, await desk.sign({ ...good, orderType: 4 })],
      [/offers 2 items/, await desk.sign({ ...good, offer: [offer, offer] })],
      [/amounts change with time/, await desk.sign({ ...good, offer: [{ ...offer, endAmount: 2n }] })],
      [/certain tokens of a collection \(criteria\)/, await desk.sign(offerOf(maker, 7n, { isRoot: true }))],
      [/a token of the buyer's choice/, await desk.sign({ ...good, offer: [{ ...offer, itemType: 4 }] })],
      [
        /for 2 NFT items/,
        await desk.sign({ ...good, consideration: [price, { ...offer, recipient: maker }] }),
      ],
      [
        /not all in one currency/,
        await desk.sign({ ...good, consideration: [price, { ...price, itemType: 1, token: coin.address }] }),
      ],
      [/consideration is empty/, await desk.sign({ ...good, consideration: [] })],
      [/more than 1/, await desk.sign({ ...good, offer: [{ ...offer, startAmount: 2n, endAmount: 2n }] })],
      [/its conduit 0x3+ does not exist/, await desk.sign({ ...good, conduitKey: `0x${"3".repeat(64)}` })],
    ];
    for (const [reason, signed] of cases)
      await expect(desk.submit(signed), String(reason)).rejects.toThrow(reason);
    for (const [text, reason] of [
      ["{", /not JSON/],
      ["[]", /expected an object/],
      ['{"parameters":{}}', /\/parameters\/consideration: expected a list/],
      [textOf(twisted).replace(/"salt":"[0-9]+"/, '"salt":-1'), /\/parameters\/salt: expected a number/],
    ] as const)
      expect(() => parseSignedOrder(text)).toThrow(reason);
    expect((await desk.submit(twisted)).orderHash).toBe(await seaport.hashOf(twisted.parameters));
    expect(
      (await desk.submit(await desk.sign({ ...good, orderType: 2, zone: `0x${"20".repeat(20)}` }))).orderHash,
    ).toMatch(/^0x/);
  });

  test("may be signed by a contract whose code accepts the signature", async () => {
    const wallet = await desk.world.deploy(testContract("YesWallet"));
    await desk.untilFollowed();
    const listing = { ...listingOf(desk, maker, 1n), offerer: wallet.address };
    const parameters = await desk.seaport.components(listing);
    await expect(desk.submit({ parameters, signature: "0x1234" })).resolves.toMatchObject({
      terms: { maker: wallet.address },
    });
  });

  test("are submitted by an admin command, which lists the rejected ones", async () => {
    const { databaseUrl, network } = desk;
    const lines = [textOf(await desk.sign(listingOf(desk, maker, 2n))), '{"parameters":1}', "nonsense"];
    const env = {
      DATABASE_URL: databaseUrl,
      SIGNING_KEY: "0".repeat(64),
      NETWORKS: "31337",
      NETWORK_DETAILS: JSON.stringify({
        31337: { rpcUrls: network.nodes, follow: true, markets: network.markets },
      }),
    };
    const data = { folder: tmpdir(), env } as unknown as Data;
    const { code, out, err } = await operateOn(data, lines.join("\n"), "orders", "submit", "31337", "-");
    expect(err).toContain("standard input:2: /parameters: expected an object");
    expect(err).toContain("standard input:3: not JSON");
    expect(out.split(/\s+/).join(" ")).toContain("orders 3 kept 1 refused 2");
    expect(code).toBe(1);
    for (const [args, reason] of [
      [["nowhere"], /unknown network "nowhere"/],
      [["31337", "/nowhere/at-all"], /it does not exist/],
    ] as const)
      expect((await operateOn(data, "", "orders", "submit", ...args)).err).toMatch(reason);
  });
});

function offerOf(offerer: Hex, id: bigint, { isRoot = false }: { readonly isRoot?: boolean } = {}): Terms {
  const { coin, nft } = desk;
  const itemType = isRoot ? itemTypes.anyErc721 : itemTypes.erc721;
  return {
    offerer,
    offer: [item(itemTypes.erc20, coin.address, { amount: 500n })],
    consideration: [{ ...item(itemType, nft.address, { id }), recipient: offerer }],
  };
}

async function rowOf(orderHash: string): Promise<object | undefined> {
  const [row] = await desk.database.query(
    `select order_id, marketplace, source, side, created_by, price_amount::text, quantity_initial::text, quantity_remaining::text,
       fee_bps, fee_breakdown, collection.address as collection, token_id::text, currency.address as currency,
       extract(epoch from valid_from)::bigint::text as valid_from, extract(epoch from valid_until)::bigint::text as valid_until
     from market_order join collection on collection.id = market_order.collection_id
     left join collectible on collectible.id = collectible_id join currency on currency.id = currency_id where order_id = $1`,
    [orderHash],
  );
  return row;
}
