/** Trades on the local chain's market like its users: reads orders from the platform, and sends transactions. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, createPublicClient, http, isAddressEqual, zeroAddress } from "viem";
import type { Platform } from "../../../client/index.ts";
import type { Order } from "../../../generated/types.ts";
import { uint256Max } from "../../base/uint256.ts";
import { type SandboxChain, sandboxArtifacts } from "../../chain/sandbox/chain.ts";
import { createRequest, demoTokens, market, type Terms, transact } from "./trades.ts";

/** The accounts that trade in the sample data. They have approved the market. */
const names = ["Ada", "Bao", "Cleo", "Dan", "Eve"] as const;

/** A trade fails if someone else takes its order first, or if the follower has not read the last trade yet. */
const attempts = 4;
const retryAfterMs = 500;

interface TraderOptions {
  /** At least 0, below 1. */
  readonly random?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

interface Book {
  /** The best of each token, cheapest first. */
  readonly listings: readonly TokenOrder[];
  readonly offers: readonly TokenOrder[];
}

/** An order for one token on the chain's own market. */
interface TokenOrder extends Order {
  readonly tokenId: string;
}

interface Account {
  readonly name: string;
  readonly address: Address;
}

export class Trader {
  readonly #platform: Platform;
  readonly #chain: SandboxChain;
  readonly #random: () => number;
  readonly #wait: (ms: number) => Promise<unknown>;
  readonly #accounts: readonly Account[];

  constructor(platform: Platform, chain: SandboxChain, options: TraderOptions = {}) {
    const { random = Math.random, wait = sleep } = options;
    this.#platform = platform;
    this.#chain = chain;
    this.#random = random;
    this.#wait = wait;
    this.#accounts = names.map((name, index) => ({
      name,
      address: chain.accounts[index + 1] ?? zeroAddress,
    }));
  }

  /** Lists, buys, offers, sells or withdraws. Returns what happened: `Bao bought token 5 for 38 DAI.` */
  async trade(): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#trade(await this.#readBook());
      } catch (err) {
        if (attempt === attempts) throw err;
        await this.#wait(retryAfterMs);
      }
    }
  }

  async #readBook(): Promise<Book> {
    const { marketplace } = this.#platform.on(this.#chain.chainId);
    const contractAddress = this.#chain.collection;
    const [listed, offered] = await Promise.all([
      marketplace.listCollectibles({ contractAddress, side: "listing" }),
      marketplace.listCollectibles({ contractAddress, side: "offer" }),
    ]);
    return {
      listings: listed.collectibles.flatMap(({ listing }) => ownOrders(listing)),
      offers: offered.collectibles.flatMap(({ offer }) => ownOrders(offer)),
    };
  }

  #trade(book: Book): Promise<string> {
    const makers = { list: this.#list, buy: this.#buy, offer: this.#offer, sell: this.#sell };
    const kind = this.#pick(tradeKinds(book.listings.length, book.offers.length));
    return makers[kind].call(this, book);
  }

  /** Lists a token that has no listing. */
  async #list({ listings }: Book): Promise<string> {
    const listed = new Set(listings.map(({ tokenId }) => tokenId));
    const token = this.#pick(demoTokens.filter(({ id }) => !listed.has(String(id))));
    const owner = this.#accountAt(await this.#ownerOf(token.id));
    if (owner === undefined) return this.#offer();
    const price = this.#priceBetween(30, 90);
    await this.#createRequest(owner, { tokenId: Number(token.id), isListing: true, ...price });
    return `${owner.name} listed token ${token.id} for ${price.text}.`;
  }

  /** Buys one of the three cheapest listings. */
  async #buy({ listings }: Book): Promise<string> {
    const order = this.#pick(listings.slice(0, 3));
    const buyer = this.#anyBut(order.createdBy);
    const currency = order.priceCurrencyAddress as Address;
    const isCoin = isAddressEqual(currency, zeroAddress);
    if (!isCoin)
      await transact(this.#chain, buyer.address, (batch) =>
        batch.call({
          to: currency,
          abi: sandboxArtifacts.token.abi,
          functionName: "approve",
          args: [this.#chain.market, uint256Max],
        }),
      );
    await this.#accept(buyer, order, isCoin ? BigInt(order.priceAmount) : 0n);
    return `${buyer.name} bought token ${order.tokenId} for ${this.#priceOf(order)}.`;
  }

  async #offer(): Promise<string> {
    const { id } = this.#pick(demoTokens);
    const maker = this.#anyBut(await this.#ownerOf(id));
    const price = this.#priceBetween(20, 45);
    await this.#createRequest(maker, { tokenId: Number(id), isListing: false, ...price });
    return `${maker.name} offered ${price.text} for token ${id}.`;
  }

  /** Accepts an offer, or withdraws it if its maker owns the token by now. */
  async #sell({ offers }: Book): Promise<string> {
    const order = this.#pick(offers);
    const owner = this.#accountAt(await this.#ownerOf(BigInt(order.tokenId)));
    const maker = this.#accountAt(order.createdBy);
    const subject = `token ${order.tokenId} for ${this.#priceOf(order)}`;
    if (owner === undefined || maker === undefined) return this.#offer();
    if (owner === maker) {
      await transact(this.#chain, maker.address, (batch) =>
        batch.call({ ...market(this.#chain), functionName: "cancelRequest", args: [BigInt(order.orderId)] }),
      );
      return `${maker.name} withdrew an offer to buy ${subject}.`;
    }
    await this.#accept(owner, order, 0n);
    return `${owner.name} sold ${subject} to ${maker.name}.`;
  }

  async #createRequest({ address }: Account, terms: Terms): Promise<void> {
    await transact(this.#chain, address, (batch) => createRequest(this.#chain, batch, terms));
  }

  async #accept({ address }: Account, { orderId }: Order, value: bigint): Promise<void> {
    await transact(this.#chain, address, (batch) =>
      batch.call({
        ...market(this.#chain),
        functionName: "acceptRequest",
        args: [BigInt(orderId), 1n, address, [], []],
        value,
      }),
    );
  }

  async #ownerOf(tokenId: bigint): Promise<string> {
    const client = createPublicClient({ transport: http(this.#chain.rpcUrl) });
    const { abi } = sandboxArtifacts.collectible;
    const address = this.#chain.collection;
    return (await client.readContract({ address, abi, functionName: "ownerOf", args: [tokenId] })) as Address;
  }

  #accountAt(address: string): Account | undefined {
    return this.#accounts.find((account) => isAddressEqual(account.address, address as Address));
  }

  #anyBut(address: string): Account {
    return this.#pick(this.#accounts.filter((account) => account !== this.#accountAt(address)));
  }

  #priceBetween(from: number, to: number): Pick<Terms, "currency" | "price"> & { readonly text: string } {
    const amount = from + Math.floor(this.#random() * (to - from + 1));
    const { usd, dai } = this.#chain.tokens;
    return this.#random() < 0.7
      ? { currency: usd, price: BigInt(amount) * 10n ** 6n, text: `${amount} USD` }
      : { currency: dai, price: BigInt(amount) * 10n ** 18n, text: `${amount} DAI` };
  }

  #priceOf({ priceAmountFormatted, priceCurrencyAddress }: Order): string {
    const symbol = Object.entries(this.#chain.tokens).find(([, address]) =>
      isAddressEqual(address, priceCurrencyAddress as Address),
    )?.[0];
    return `${priceAmountFormatted} ${symbol?.toUpperCase() ?? "ETH"}`;
  }

  #pick<Value>(values: readonly Value[]): Value {
    const value = values[Math.floor(this.#random() * values.length)];
    if (value === undefined) throw new Error("there is nothing to choose from");
    return value;
  }
}

/** Leaves out orders of other markets, which operators import, and offers for a whole collection. */
function ownOrders(order: Order | undefined): readonly TokenOrder[] {
  if (order?.tokenId === undefined || order.marketplace !== "sequence_marketplace_v2") return [];
  return [{ ...order, tokenId: order.tokenId }];
}

export type TradeKind = "list" | "buy" | "offer" | "sell";

/** Below this number of listings the next trade is a listing, so that there is always something to buy. */
const listingsMin = 3;

/** Above these numbers the next trade takes an order. Twelve tokens allow no more than twelve listings. */
const listingsMax = 8;
const offersMax = 6;

/** Returns the kinds from which the next trade is drawn. A kind that is listed twice is twice as likely. */
export function tradeKinds(listings: number, offers: number): readonly TradeKind[] {
  if (listings < listingsMin) return ["list"];
  if (listings > listingsMax) return ["buy"];
  if (offers > offersMax) return ["sell"];
  return ["list", "buy", "buy", "offer", ...(offers > 0 ? (["sell"] as const) : [])];
}
