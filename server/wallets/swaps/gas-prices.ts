import type { Chain } from "../../chain/rpc/chain.ts";

/** Splits compare rough costs, so an old price of gas is good enough. In milliseconds. */
const maxAgeMs = 15_000;

interface KnownPrice {
  readonly price: Promise<bigint | undefined>;
  /** Time of the request. */
  readonly time: number;
}

/** The prices of gas on all chains, in the smallest unit of the native coin. */
export class GasPrices {
  readonly #known = new Map<number, KnownPrice>();

  /** Returns undefined if the nodes do not report a price. Never rejects. */
  of(chainId: number, chain: Chain): Promise<bigint | undefined> {
    const known = this.#known.get(chainId);
    if (known !== undefined && performance.now() - known.time < maxAgeMs) return known.price;
    const price = readGasPrice(chain);
    this.#known.set(chainId, { price, time: performance.now() });
    return price;
  }
}

async function readGasPrice(chain: Chain): Promise<bigint | undefined> {
  try {
    const price = await chain.request("eth_gasPrice", []);
    return typeof price === "string" && /^0x[0-9a-f]{1,32}$/i.test(price) ? BigInt(price) : undefined;
  } catch {
    // Without a price, splits must save more.
    return undefined;
  }
}
