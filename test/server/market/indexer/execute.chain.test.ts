/** Signed orders that callers submit, by the official client too: listed at once, and bought on the chain. */
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { InvalidArgumentError } from "../../../../generated/errors.ts";
import { readCheckpoint } from "../../../../server/chain/follower/checkpoint.ts";
import { type ClientClass, isInstalled, loadClient } from "../../../clients/official.ts";
import { databaseOf } from "../../../support/database.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { testContract } from "../../../support/test-contracts.ts";
import { accounts, type Contract } from "./market-world.ts";
import { type Components, item, itemTypes, type Signed, textOf } from "./seaport-world.ts";
import { openTrading, type Trading } from "./trading.ts";

const [maker = "0x", taker = "0x"] = accounts;

describe.skipIf(noSandbox)("submitted orders", () => {
  let trading: Trading;
  let nft: Contract;

  beforeAll(async () => {
    trading = await openTrading();
    const { world, seaport, coin } = trading;
    nft = await world.deploy(testContract("TradedCollectible"));
    for (const id of [1n, 2n, 3n]) await nft.send(maker, "mint", [maker, id]);
    await nft.send(maker, "setApprovalForAll", [seaport.contract.address, true]);
    await coin.send(taker, "approve", [seaport.contract.address, 10n ** 30n]);
    await world.chain.mine();
    await untilFollowed();
  });
  afterAll(async () => {
    await trading?.[Symbol.asyncDispose]();
  });

  async function untilFollowed(): Promise<void> {
    await using database = databaseOf(trading.data);
    const head = await trading.world.chain.head();
    const reached = async () => expect((await readCheckpoint(database, 31_337))?.number).toBe(head);
    await vi.waitFor(reached, { timeout: 120_000, interval: 50 });
  }

  async function listing(tokenId: bigint, terms: Partial<Components> = {}): Promise<Signed> {
    const { seaport, coin } = trading;
    return seaport.sign(
      await seaport.components({
        offerer: maker,
        offer: [item(itemTypes.erc721, nft.address, { id: tokenId })],
        consideration: [{ ...item(itemTypes.erc20, coin.address, { amount: 5_000_000n }), recipient: maker }],
        ...terms,
      }),
    );
  }

  /** As an application sends it, in JSON. */
  function paramsOf(signed: Signed, rest: object = {}) {
    const { parameters } = JSON.parse(textOf(signed)) as { parameters: Record<string, unknown> };
    return { chainId: "31337", signature: signed.signature, body: { parameters }, ...rest };
  }

  async function execute(signed: Signed, rest: object = {}): Promise<string> {
    return (await trading.client.execute({ params: paramsOf(signed, rest) })).orderId;
  }

  async function orderOf(orderId: string) {
    const { orders } = await trading.client.getOrders({
      input: [{ contractAddress: nft.address, orderId }],
    });
    expect(orders.length).toBe(1);
    return orders[0];
  }

  test("are listed once, even if they are sent several times, and filled when they are bought", async () => {
    const { client, seaport, world } = trading;
    const signed = await listing(1n);
    const [orderId = "", ...others] = await Promise.all(
      [{ executeType: "createListing" }, { executeType: "order" }, {}].map((rest) => execute(signed, rest)),
    );
    expect(others).toEqual([orderId, orderId]);
    expect(orderId).toBe(await seaport.hashOf(signed.parameters));
    const request = { contractAddress: nft.address, tokenId: "1" };
    await expect
      .poll(async () => (await client.listListingsForCollectible(request)).listings, { timeout: 60_000 })
      .toMatchObject([{ orderId, status: "active", side: "listing", createdBy: maker, priceUSD: 5 }]);
    await seaport.fill(taker, signed);
    await world.chain.mine();
    await untilFollowed();
    expect((await nft.read("ownerOf", [1n])) as Hex).toMatch(new RegExp(taker, "i"));
    expect(await orderOf(orderId)).toMatchObject({ status: "filled", quantityRemaining: "0" });
    await expect(execute(signed)).rejects.toMatchObject({ cause: "/params/body: it is filled" });
  });

  test("are offers too, also in an unknown currency and for a token that the host does not know", async () => {
    const { seaport, coin, world } = trading;
    const unknown = await world.deploy(testContract("TradedCollectible"));
    const gold = await world.deploy(testContract("TradedToken"));
    await untilFollowed();
    const offer = async (currency: Hex) =>
      seaport.sign(
        await seaport.components({
          offerer: taker,
          offer: [item(itemTypes.erc20, currency, { amount: 1_000n })],
          consideration: [{ ...item(itemTypes.erc721, nft.address, { id: 99n }), recipient: taker }],
        }),
      );
    const known = await execute(await offer(coin.address), { executeType: "createItemOffer" });
    await expect
      .poll(() => orderOf(known), { timeout: 60_000 })
      .toMatchObject({ status: "active", side: "offer", tokenId: "99" });
    // Neither contract has decimals, so neither is a currency.
    for (const { address } of [unknown, gold])
      expect(await orderOf(await execute(await offer(address)))).toMatchObject({
        status: "decimals_missing",
      });
  });

  test.skipIf(!isInstalled)("are accepted from the newest official client", async () => {
    const Client = (await loadClient("marketplace-2.3.39"))["Marketplace"] as ClientClass;
    const { host } = trading;
    const client = new Client(host.url, (url, init) =>
      fetch(url.replace("/rpc/", "/31337/rpc/"), {
        ...init,
        headers: { ...(init.headers as object), "x-access-key": host.accessKey },
      }),
    );
    const signed = await listing(2n);
    const rest = { method: "POST", endpoint: "https://api.example/orders", executeType: "createListing" };
    expect(await client["execute"]?.({ params: paramsOf(signed, rest) })).toEqual({
      orderId: await trading.seaport.hashOf(signed.parameters),
    });
  });

  test("are rejected with their place and reason", async () => {
    const good = await listing(3n);
    const { parameters } = good;
    const cases: readonly (readonly [string, Signed, object?])[] = [
      [
        `/params/body: its signature is not that of its maker ${maker}`,
        { ...good, signature: `0x${"12".repeat(65)}` },
      ],
      ["/params/body: it has expired", await listing(3n, { endTime: 1_000n })],
      [
        "/params/executeType: createItemOffer is not for this order, which is a listing",
        good,
        { executeType: "createItemOffer" },
      ],
      ["/params/executeType: offers for certain properties", good, { executeType: "createTraitOffer" }],
      [
        "/params/body/parameters/salt: expected a number",
        { ...good, parameters: { ...parameters, salt: -1n } },
      ],
      ['/params/chainId: this host does not serve "polygon"', good, { chainId: "polygon" }],
    ];
    for (const [cause, signed, rest] of cases) {
      const failure = await execute(signed, rest).then(
        () => undefined,
        (err: unknown) => err,
      );
      expect(failure, cause).toBeInstanceOf(InvalidArgumentError);
      expect((failure as InvalidArgumentError).cause, cause).toContain(cause);
    }
  });

  test("signed for another chain are rejected", async () => {
    const { parameters } = await listing(3n);
    const { signature } = await trading.seaport.sign(parameters, { chainId: 1 });
    await expect(execute({ parameters, signature })).rejects.toMatchObject({
      cause: `/params/body: its signature is not that of its maker ${maker}`,
    });
  });
});
