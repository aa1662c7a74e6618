import { type Address, encodePacked, type Hex, type PublicClient, parseAbi } from "viem";
import type { Exchanges } from "../../../../server/chain/sandbox/exchanges.ts";

/** A pool as created: version 2, or version 3 with its fee. */
export interface MadePool {
  readonly tokens: readonly [Address, Address];
  readonly fee?: number;
}

const abi = parseAbi([
  "function getAmountsIn(uint256, address[]) view returns (uint256[])",
  "function quoteExactOutput(bytes, uint256) returns (uint256, uint160[], uint32[], uint256)",
]);

/**
 * Finds the cheapest price by trying every route: all simple paths of up to three hops through the connectors, with every pool for each
 * hop, without mixing versions. Uniswap's own contracts price each path. Returns undefined if no route has enough liquidity.
 */
export async function searchExhaustively(
  client: PublicClient,
  exchanges: Exchanges,
  pools: readonly MadePool[],
  request: {
    readonly sell: Address;
    readonly buy: Address;
    readonly amount: bigint;
    readonly connectors: readonly Address[];
    /** Ignores pairs of version 2. */
    readonly isV3Only?: boolean;
  },
): Promise<bigint | undefined> {
  const between = request.connectors.filter((token) => token !== request.sell && token !== request.buy);
  const paths = [
    [],
    ...between.map((one) => [one]),
    ...between.flatMap((one) => between.filter((two) => two !== one).map((two) => [one, two])),
  ].map((middle) => [request.sell, ...middle, request.buy]);
  const prices = await Promise.all([
    ...(request.isV3Only ? [] : paths).map((path) => priceByV2(client, exchanges, path, request.amount)),
    ...paths
      .flatMap((path) => feesAlong(pools, path).map((fees) => ({ path, fees })))
      .map(({ path, fees }) => priceByV3(client, exchanges, path, fees, request.amount)),
  ]);
  return prices
    .filter((price) => price !== undefined)
    .reduce<bigint | undefined>(
      (least, price) => (least === undefined || price < least ? price : least),
      undefined,
    );
}

/** Every choice of a pool for each hop: `[[500, 3000], [500, 10000]]`. */
function feesAlong(pools: readonly MadePool[], path: readonly Address[]): readonly (readonly number[])[] {
  let choices: readonly (readonly number[])[] = [[]];
  for (let hop = 0; hop + 1 < path.length; hop++) {
    const fees = pools
      .filter(
        ({ tokens }) => tokens.includes(path[hop] as Address) && tokens.includes(path[hop + 1] as Address),
      )
      .flatMap(({ fee }) => fee ?? []);
    choices = choices.flatMap((chosen) => fees.map((fee) => [...chosen, fee]));
  }
  return choices;
}

async function priceByV2(
  client: PublicClient,
  { v2Router }: Exchanges,
  path: readonly Address[],
  amount: bigint,
): Promise<bigint | undefined> {
  try {
    const args = [amount, path] as const;
    const amounts = await client.readContract({ address: v2Router, abi, functionName: "getAmountsIn", args });
    return amounts[0];
  } catch {
    return undefined;
  }
}

async function priceByV3(
  client: PublicClient,
  { quoter }: Exchanges,
  path: readonly Address[],
  fees: readonly number[],
  amount: bigint,
): Promise<bigint | undefined> {
  const backwards = path.toReversed();
  let packed: Hex = backwards[0] as Hex;
  for (const [index, fee] of fees.toReversed().entries())
    packed = encodePacked(["bytes", "uint24", "address"], [packed, fee, backwards[index + 1] as Address]);
  try {
    const { result } = await client.simulateContract({
      address: quoter,
      abi,
      functionName: "quoteExactOutput",
      args: [packed, amount],
    });
    return result[0];
  } catch {
    return undefined;
  }
}
