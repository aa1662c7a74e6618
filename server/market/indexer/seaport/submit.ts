/** Takes signed orders in, each after the chain has said of it what only the chain can say. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Transaction } from "../../../base/storage/database.ts";
import { readPlace } from "../../../chain/follower/place.ts";
import type { SeaportMarket } from "../../../chain/networks/markets.ts";
import { type Chain, ChainFailure } from "../../../chain/rpc/chain.ts";
import { takeTurn } from "../availability/turn.ts";
import { watchOrders } from "../availability/watch.ts";
import { askUnknownCurrencies } from "../currencies/ask-unknown.ts";
import { type Conduits, spenderOf } from "./conduits.ts";
import type { SignedOrder } from "./order.ts";
import { addOrders, type NewOrder, updateOrders } from "./orders.ts";
import { OrderRefusal, type Terms, termsOf } from "./terms.ts";
import type { Asking } from "./viem/ask-seaport.ts";

export interface SubmitPorts {
  readonly database: Database;
  readonly chain: Chain;
  readonly chainId: number;
  readonly market: SeaportMarket;
  readonly signal?: AbortSignal | undefined;
}

export interface Submission {
  readonly orderHash: string;
  readonly terms: Terms;
}

/** Nobody follows the chain here, or it cannot be asked about its last block: no order can be taken in. */
export class SubmitFailure extends Error {
  override readonly name = "SubmitFailure";
}

/** Waits before it is tried again, in milliseconds: the block that was asked about may have left the chain, which the follower sees in a moment. */
const waitsMs = [50, 100, 200, 400, 800, 1_600];

/** How long the currency of an order may take to say what it is, in milliseconds. */
const askMaxMs = 5_000;

/**
 * Checks an order as of the block up to which the chain is followed, and keeps it: what happens from that block on is told by the
 * follower. Throws OrderRefusal, SubmitFailure and ChainFailure.
 */
export async function submitOrder(ports: SubmitPorts, signed: SignedOrder): Promise<Submission> {
  const terms = termsOf(signed.order, ports.market.zones);
  if (terms.validUntil <= BigInt(Math.floor(Date.now() / 1_000))) throw new OrderRefusal("its time is up");
  for (const waitMs of waitsMs) {
    const kept = await tryOnce(ports, signed, terms).catch((err: unknown) => {
      if (err instanceof ChainFailure) return undefined;
      throw err;
    });
    if (kept !== undefined) return kept;
    await sleep(waitMs, undefined, { signal: ports.signal });
  }
  const kept = await tryOnce(ports, signed, terms);
  if (kept !== undefined) return kept;
  throw new SubmitFailure("the blocks of the chain change faster than it can be asked about them");
}

async function tryOnce(
  { database, chain, chainId, market, signal }: SubmitPorts,
  signed: SignedOrder,
  terms: Terms,
): Promise<Submission | undefined> {
  const place = await readPlace(database, chainId);
  if (place?.hash === undefined)
    throw new SubmitFailure("no host has followed this chain yet; see: platform follow list");
  const block = { number: place.number, hash: place.hash };
  const asking: Asking = { chain, seaport: market.address, blockHash: block.hash, signal };
  const order = await check(asking, signed, terms);
  const status = await database.transaction(async (tx) => {
    await takeTurn(tx, chainId);
    if (!(await isKept(tx, chainId, block))) return undefined;
    const made = await addOrders(tx, chainId, [
      { ...order, block: { number: block.number, timestamp: Math.floor(Date.now() / 1_000) } },
    ]);
    await watchOrders(tx, chainId, made);
    const hashes = [Buffer.from(order.orderHash.slice(2), "hex")];
    return (await updateOrders(tx, chainId, { hashes, offerers: [] }))[0]?.status;
  });
  if (status === "decimals_missing") {
    const asked = AbortSignal.any([AbortSignal.timeout(askMaxMs), ...(signal === undefined ? [] : [signal])]);
    // A host asks again if it has no answer now.
    await askUnknownCurrencies(database, chainId, async () => chain, asked).catch(() => {});
  }
  return status === undefined ? undefined : { orderHash: order.orderHash, terms };
}

/** Throws OrderRefusal. */
async function check(asking: Asking, signed: SignedOrder, terms: Terms): Promise<Omit<NewOrder, "block">> {
  const { askConduits, askIsOpen, askIsSigned, askOrder, askRoyaltyTo } = await import(
    "./viem/ask-seaport.ts"
  );
  const { counter, signature, order } = signed;
  const [conduits, state] = await Promise.all([askConduits(asking), askOrder(asking, signed)]);
  if (conduits.version !== "1.6")
    throw new SubmitFailure(`${asking.seaport} is Seaport ${conduits.version}, and 1.6 is spoken here`);
  if (state.counter !== counter)
    throw new OrderRefusal(
      `it is void: it was signed with the counter ${counter}, its maker's is ${state.counter}`,
    );
  if (state.isCancelled) throw new OrderRefusal("it is cancelled");
  if (state.size > 0n && state.filled >= state.size) throw new OrderRefusal("it is filled");
  if (!state.isValidated && !(await askIsSigned(asking, signed)))
    throw new OrderRefusal(`it is not signed by its maker ${order.offerer}`);
  const hasConduit = /[^0x]/.test(terms.conduitKey);
  if (hasConduit && !(await askIsOpen(asking, conduits, terms.conduitKey)))
    throw new OrderRefusal(`its conduit ${terms.conduitKey} is not there, or closed for Seaport`);
  const royaltyTo =
    terms.fees.length === 0 ? undefined : await askRoyaltyTo(asking, terms.collection, terms.tokenId ?? 0n);
  return {
    orderHash: state.orderHash,
    terms,
    feeKinds: terms.fees.map(({ recipient }) => (recipient === royaltyTo ? "royalty" : "marketplace")),
    spender: await spenderOf(terms.conduitKey, asking.seaport, async (): Promise<Conduits> => conduits),
    submitted: {
      counter,
      filled: state.size === 0n ? 0n : (terms.quantity * state.filled) / state.size,
      signed: JSON.stringify({ order, counter, signature }, (_, value: unknown) =>
        typeof value === "bigint" ? value.toString() : value,
      ),
    },
  };
}

const keptSql = `
select from follower_cursor where chain_id = $1 and block_number = $2 and block_hash = $3
union all
select from follower_block where chain_id = $1 and number = $2 and hash = $3`;

/** Whether a block that was asked about is still part of the chain. */
async function isKept(
  tx: Transaction,
  chainId: number,
  { number, hash }: { readonly number: number; readonly hash: string },
): Promise<boolean> {
  const rows = await tx.query(keptSql, [chainId, number, Buffer.from(hash.slice(2), "hex")]);
  return rows.length > 0;
}
