/** Offers of a service that speaks the Swap API of 0x, version 1: the one of its versions in which an exact amount can be bought. */

import type { Aggregator } from "../../chain/networks/aggregator.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { nativeCoin } from "./currency.ts";
import type { Offer, OfferAsk } from "./offer.ts";

/** Its slowest answers take a second; on the chain nobody waits for it longer than that. */
const answerMaxMs = 2_500;
/** Call data through many pools has some ten thousand characters. */
const answerMaxBytes = 262_144;

/** The service does not answer, or not as it should. */
export class AggregatorFailure extends Error {
  override readonly name = "AggregatorFailure";
}

/**
 * Undefined: it has none, or none that keeps what a quote promises. So the coin is not sold there, as nobody promises that what is
 * left comes back, and an offer of another amount, or with another contract to approve than to call, is not taken.
 * Throws AggregatorFailure.
 */
export async function askAggregator(
  { url, key }: Aggregator,
  chainId: number,
  ask: OfferAsk,
): Promise<Offer | undefined> {
  if (ask.sell === nativeCoin) return undefined;
  const query = new URLSearchParams({
    chainId: String(chainId),
    sellToken: ask.sell,
    buyToken: ask.buy,
    buyAmount: String(ask.amount),
    slippagePercentage: String(ask.slippagePercentage / 100),
  });
  // The user need not have the means for a quote.
  if (ask.user !== undefined) {
    query.set("takerAddress", ask.user);
    query.set("skipValidation", "true");
  }
  const path = ask.user === undefined ? "price" : "quote";
  const answer = await fetchAnswer(`${url}/swap/v1/${path}?${query}`, key, ask.signal);
  return answer === undefined ? undefined : readOffer(answer, ask);
}

type Answer = Readonly<Record<string, unknown>>;

function readOffer(answer: Answer, ask: OfferAsk): Offer | undefined {
  const { sellAmount, buyAmount, to, data, value, allowanceTarget } = answer;
  if (typeof sellAmount !== "string" || !/^[1-9][0-9]{0,77}$/.test(sellAmount))
    throw new AggregatorFailure("the aggregator answers no sellAmount");
  if (buyAmount !== String(ask.amount)) return undefined;
  const price = BigInt(sellAmount);
  if (ask.user === undefined) return { price, to: nativeCoin, allowance: undefined, write: noData };
  if (!isHex(to) || to.length !== 42 || !isHex(data) || !isHex(allowanceTarget))
    throw new AggregatorFailure("the aggregator answers no transaction");
  if (allowanceTarget.toLowerCase() !== to.toLowerCase() || String(value) !== "0") return undefined;
  return {
    price,
    to: to.toLowerCase() as Hex,
    allowance: undefined,
    write: async () => data.toLowerCase() as Hex,
  };
}

function noData(): Promise<Hex> {
  return Promise.reject(new AggregatorFailure("a price has no transaction"));
}

/** Undefined: no route, which it says with a 400 or 404. */
async function fetchAnswer(
  address: string,
  key: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Answer | undefined> {
  const inTime = AbortSignal.timeout(answerMaxMs);
  try {
    const response = await fetch(address, {
      headers: { accept: "application/json", ...(key === undefined ? {} : { "0x-api-key": key }) },
      signal: signal === undefined ? inTime : AbortSignal.any([inTime, signal]),
      redirect: "error",
    });
    if (response.status === 400 || response.status === 404) {
      await response.body?.cancel();
      return undefined;
    }
    const answer: unknown = JSON.parse(await readBounded(response));
    if (response.ok && typeof answer === "object" && answer !== null) return answer as Answer;
  } catch (err) {
    throw new AggregatorFailure("the aggregator does not answer", { cause: err });
  }
  throw new AggregatorFailure("the aggregator refuses");
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > answerMaxBytes) throw new RangeError(`more than ${answerMaxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function isHex(value: unknown): value is string {
  return typeof value === "string" && /^0x([0-9a-fA-F]{2})*$/.test(value);
}
