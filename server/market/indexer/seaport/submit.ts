/** Checks signed orders against the chain, and stores them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ShareHolder } from "../../../base/storage/connection-shares.ts";
import type { CallerShare, Queries, Transaction } from "../../../base/storage/database.ts";
import { readCheckpoint } from "../../../chain/follower/checkpoint.ts";
import type { SeaportMarket } from "../../../chain/networks/markets.ts";
import { type Chain, ChainFailure } from "../../../chain/rpc/chain.ts";
import { lockChain } from "../availability/availability-sql.ts";
import { watchOrders } from "../availability/watch.ts";
import { resolveUnknownCurrencies } from "../currencies/unknown-currency-resolver.ts";
import { type Conduits, spenderOf } from "./conduits.ts";
import type { SignedOrder } from "./order.ts";
import { addOrders, type NewOrder, updateOrders } from "./orders.ts";
import { OrderRejection, type Terms, termsOf } from "./terms.ts";
import type { SeaportQuery } from "./viem/query-seaport.ts";

export interface SubmitDependencies {
  readonly database: Pick<CallerShare, "query" | "transaction">;
  readonly chain: Chain;
  readonly chainId: number;
  readonly market: SeaportMarket;
  readonly signal?: AbortSignal | undefined;
}

export interface Submission {
  readonly orderHash: string;
  readonly terms: Terms;
}

/** The order cannot be added now: no host follows the chain, or its last block cannot be queried. */
export class SubmitFailure extends Error {
  override readonly name = "SubmitFailure";
}

/** Delays between attempts, in milliseconds. A queried block may have been reorganized; the follower notices that in a moment. */
const retryDelaysMs = [50, 100, 200, 400, 800, 1_600];

/** Submissions to a network wait for one lock. Together they may hold a third of the free connections. */
const submissionsTo = (chainId: number): ShareHolder => ({ name: `submitted orders ${chainId}`, divisor: 3 });

/** How long to wait for an unknown currency's contract, in milliseconds. */
const maxCurrencyLookupMs = 5_000;

/**
 * Checks an order as of the last followed block, and stores it. The follower applies the events of later blocks. Throws OrderRejection,
 * SubmitFailure, ChainFailure and CallReverted.
 */
export async function submitOrder(
  dependencies: SubmitDependencies,
  signed: SignedOrder,
): Promise<Submission> {
  const terms = termsOf(signed.order, dependencies.market.zones);
  if (terms.validUntil <= BigInt(Math.floor(Date.now() / 1_000))) throw new OrderRejection("it has expired");
  for (const waitMs of retryDelaysMs) {
    const submission = await tryOnce(dependencies, signed, terms);
    if (submission !== undefined) return submission;
    await sleep(waitMs, undefined, { signal: dependencies.signal });
  }
  const submission = await tryOnce(dependencies, signed, terms);
  if (submission !== undefined) return submission;
  throw new SubmitFailure("the chain was reorganized during every attempt to check the order; try again");
}

async function tryOnce(
  { database, chain, chainId, market, signal }: SubmitDependencies,
  signed: SignedOrder,
  terms: Terms,
): Promise<Submission | undefined> {
  const checkpoint = await readCheckpoint(database, chainId);
  if (checkpoint?.hash === undefined) throw new SubmitFailure("no host has followed this chain yet");
  const block = { number: checkpoint.number, hash: checkpoint.hash };
  const query: SeaportQuery = { chain, seaport: market.address, blockHash: block.hash, signal };
  let order: Awaited<ReturnType<typeof check>>;
  try {
    order = await check(query, signed, terms);
  } catch (err) {
    // Nodes do not know a block that was reorganized, often before the follower notices.
    if (
      err instanceof ChainFailure &&
      (await chain.request("eth_getBlockByHash", [block.hash, false], signal)) === null
    )
      return undefined;
    throw err;
  }
  const store = async (tx: Transaction): Promise<string | undefined> => {
    await lockChain(tx, chainId);
    if (!(await isBlockOnChain(tx, chainId, block))) return undefined;
    const added = await addOrders(tx, chainId, [
      { ...order, block: { number: block.number, timestamp: Math.floor(Date.now() / 1_000) } },
    ]);
    await watchOrders(tx, chainId, added);
    const hashes = [Buffer.from(order.orderHash.slice(2), "hex")];
    return (await updateOrders(tx, chainId, { hashes, offerers: [] }))[0]?.status;
  };
  const status = await database.transaction(store, submissionsTo(chainId));
  if (status === "decimals_missing") {
    const lookup = AbortSignal.any([
      AbortSignal.timeout(maxCurrencyLookupMs),
      ...(signal === undefined ? [] : [signal]),
    ]);
    // If this fails, a host retries later.
    await resolveUnknownCurrencies(database, chainId, async () => chain, lookup).catch(() => {});
  }
  return status === undefined ? undefined : { orderHash: order.orderHash, terms };
}

/** Throws OrderRejection. */
async function check(
  query: SeaportQuery,
  signed: SignedOrder,
  terms: Terms,
): Promise<Omit<NewOrder, "block">> {
  const { queryConduits, isConduitOpen, isSignatureValid, queryOrderState, queryRoyaltyRecipient } =
    await import("./viem/query-seaport.ts");
  const { counter, signature, order } = signed;
  const [conduits, state] = await Promise.all([queryConduits(query), queryOrderState(query, signed)]);
  if (conduits.version !== "1.6")
    throw new SubmitFailure(`${query.seaport} is Seaport ${conduits.version}; only version 1.6 is supported`);
  if (state.counter !== counter)
    throw new OrderRejection(
      `it is void: it was signed with counter ${counter}, but its maker's counter is ${state.counter}`,
    );
  if (state.isCancelled) throw new OrderRejection("it is cancelled");
  if (state.size > 0n && state.filled >= state.size) throw new OrderRejection("it is filled");
  if (!state.isValidated && !(await isSignatureValid(query, signed)))
    throw new OrderRejection(`its signature is not that of its maker ${order.offerer}`);
  const hasConduit = /[^0x]/.test(terms.conduitKey);
  if (hasConduit && !(await isConduitOpen(query, conduits, terms.conduitKey)))
    throw new OrderRejection(`its conduit ${terms.conduitKey} does not exist, or does not serve Seaport`);
  const royaltyTo =
    terms.fees.length === 0
      ? undefined
      : await queryRoyaltyRecipient(query, terms.collection, terms.tokenId ?? 0n);
  return {
    orderHash: state.orderHash,
    terms,
    feeKinds: terms.fees.map(({ recipient }) => (recipient === royaltyTo ? "royalty" : "marketplace")),
    spender: await spenderOf(terms.conduitKey, query.seaport, async (): Promise<Conduits> => conduits),
    submitted: {
      counter,
      filled: state.size === 0n ? 0n : (terms.quantity * state.filled) / state.size,
      signed: JSON.stringify({ order, counter, signature }, (_, value: unknown) =>
        typeof value === "bigint" ? value.toString() : value,
      ),
    },
  };
}

const blockOnChainSql = `
select from follower_cursor where chain_id = $1 and block_number = $2 and block_hash = $3
union all
select from follower_block where chain_id = $1 and number = $2 and hash = $3`;

/** Whether a queried block is still part of the chain. */
async function isBlockOnChain(
  queries: Queries,
  chainId: number,
  { number, hash }: { readonly number: number; readonly hash: string },
): Promise<boolean> {
  const rows = await queries.query(blockOnChainSql, [chainId, number, Buffer.from(hash.slice(2), "hex")]);
  return rows.length > 0;
}
