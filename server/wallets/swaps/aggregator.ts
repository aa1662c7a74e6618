/** Offers of a service with the Swap API of 0x, version 1, the only version in which an exact amount can be bought. */

import type { Aggregator } from "../../chain/networks/exchanges.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { nativeCoin, type Offer, type OfferRequest } from "./swap.ts";

/** How long a quote waits for the service, in milliseconds. The service's slowest responses take a second. */
const responseTimeoutMs = 2_500;
/** Call data through many pools has about ten thousand characters. */
const maxResponseBytes = 262_144;

/** The service does not respond, or its response is invalid. */
export class AggregatorFailure extends Error {
  override readonly name = "AggregatorFailure";
}

/**
 * Returns undefined if the service has no offer that keeps the promises of a quote. Never sells the native coin through the
 * service, because nothing guarantees that unspent coin is returned. Ignores offers of another amount, and offers whose contract
 * to approve differs from the contract to call. Throws AggregatorFailure.
 */
export async function fetchAggregatorOffer(
  { url, key }: Aggregator,
  chainId: number,
  request: OfferRequest,
): Promise<Offer | undefined> {
  if (request.sell === nativeCoin) return undefined;
  const query = new URLSearchParams({
    chainId: String(chainId),
    sellToken: request.sell,
    buyToken: request.buy,
    buyAmount: String(request.amount),
    slippagePercentage: String(request.slippagePercentage / 100),
  });
  // A quote does not require the user to own the sold currency.
  if (request.user !== undefined) {
    query.set("takerAddress", request.user);
    query.set("skipValidation", "true");
  }
  const path = request.user === undefined ? "price" : "quote";
  const response = await fetchResponse(`${url}/swap/v1/${path}?${query}`, key, request.signal);
  return response === undefined ? undefined : readOffer(response, request);
}

type AggregatorResponse = Readonly<Record<string, unknown>>;

function readOffer(response: AggregatorResponse, request: OfferRequest): Offer | undefined {
  const { sellAmount, buyAmount, to, data, value, allowanceTarget } = response;
  if (typeof sellAmount !== "string" || !/^[1-9][0-9]{0,77}$/.test(sellAmount))
    throw new AggregatorFailure("the aggregator's response has no valid sellAmount");
  if (buyAmount !== String(request.amount)) return undefined;
  const price = BigInt(sellAmount);
  const common = { price, allowance: undefined, hasFixedPrice: false, priceImpactPercent: undefined };
  if (request.user === undefined) return { ...common, to: nativeCoin, encodeCall: noCallData };
  if (!isHex(to) || to.length !== 42 || !isHex(data) || !isHex(allowanceTarget))
    throw new AggregatorFailure("the aggregator's response has no valid transaction");
  if (allowanceTarget.toLowerCase() !== to.toLowerCase() || String(value) !== "0") return undefined;
  return {
    ...common,
    to: to.toLowerCase() as Hex,
    encodeCall: async () => data.toLowerCase() as Hex,
  };
}

function noCallData(): Promise<Hex> {
  return Promise.reject(new AggregatorFailure("a price has no transaction"));
}

/** Returns undefined if there is no route, which the service reports with 400 or 404. */
async function fetchResponse(
  url: string,
  key: string | undefined,
  signal: AbortSignal | undefined,
): Promise<AggregatorResponse | undefined> {
  const timeout = AbortSignal.timeout(responseTimeoutMs);
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json", ...(key === undefined ? {} : { "0x-api-key": key }) },
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      redirect: "error",
    });
    if (response.status === 400 || response.status === 404) {
      await response.body?.cancel();
      return undefined;
    }
    const body: unknown = JSON.parse(await readBounded(response));
    if (response.ok && typeof body === "object" && body !== null) return body as AggregatorResponse;
  } catch (err) {
    throw new AggregatorFailure("the aggregator does not respond", { cause: err });
  }
  throw new AggregatorFailure("the aggregator responded with an error");
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxResponseBytes) throw new RangeError(`more than ${maxResponseBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function isHex(value: unknown): value is string {
  return typeof value === "string" && /^0x([0-9a-fA-F]{2})*$/.test(value);
}
