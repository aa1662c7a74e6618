import { type Abi, decodeFunctionResult, encodeFunctionData } from "viem";
import type { Exchange } from "../../../chain/networks/exchanges.ts";
import { type Network, zeroAddress } from "../../../chain/networks/network.ts";
import type { Chain, Hex } from "../../../chain/rpc/chain.ts";
import lens from "../contracts/SwapLens.json" with { type: "json" };
import { nativeCoin, type Route, type SwapRequest } from "../swap.ts";

export interface LensResult {
  /** Undefined if no route has enough liquidity. */
  readonly route: Route | undefined;
  readonly sell: TransferBehavior;
  readonly buy: TransferBehavior;
  /** The user's balance of the sold currency. */
  readonly balance: bigint;
  /** How much of the sold currency the route's router may take. */
  readonly allowance: bigint;
  /** Time of the latest block, in seconds since 1970. */
  readonly timestamp: bigint;
  /** Exchanges that were skipped, because their router has unexpected code. */
  readonly unexpectedRouters: readonly Exchange[];
}

/** Whether a token's transfers move exactly the amount they should. The native coin is always exact. */
export type TransferBehavior = (typeof behaviors)[number];

/** The order of the contract's enum. */
const behaviors = ["exact", "takesAFee", "fails", "noToken"] as const;

/** The contract's return value. Typed by hand, because viem cannot infer types from an ABI in a JSON file. */
interface LensOutput {
  readonly route: RouteOutput;
  readonly sell: number;
  readonly buy: number;
  readonly balance: bigint;
  readonly allowance: bigint;
  readonly timestamp: bigint;
  readonly hasUnexpectedCode: readonly boolean[];
}

interface RouteOutput {
  readonly price: bigint;
  readonly exchange: bigint;
  readonly tokens: readonly Hex[];
  readonly fees: readonly number[];
  readonly probe: bigint;
}

const abi = lens.abi as Abi;
/** A placeholder for networks without exchanges: the contract checks the currencies through an exchange. */
const noExchange: Exchange = { kind: "v2", router: zeroAddress, fees: [] };
const anyCode: Hex = `0x${"0".repeat(64)}`;

/**
 * Queries all pools that may be part of a route in one call. Without a user, equal requests share one result. Throws
 * CallReverted and ChainFailure.
 */
export async function findRoute(
  chain: Chain,
  network: Network,
  request: SwapRequest & { readonly user: Hex | undefined },
  signal: AbortSignal | undefined,
): Promise<LensResult> {
  const { exchanges } = network;
  const searched = exchanges.length === 0 ? [noExchange] : exchanges;
  const currency = (address: Hex): Hex => (address === nativeCoin ? zeroAddress : address);
  const data = encodeFunctionData({
    abi,
    functionName: "find",
    args: [
      {
        sell: currency(request.sell),
        buy: currency(request.buy),
        amount: request.amount,
        user: request.user ?? zeroAddress,
        connectors: [...new Set(network.connectors)],
        exchanges: searched.map(({ kind, router, fees, codeHash = anyCode }) => ({
          isV3: kind !== "v2",
          router,
          fees,
          codeHash,
        })),
      },
    ],
  });
  const bytes = await chain.callCode({
    code: lens.bytecode as Hex,
    data,
    isShared: request.user === undefined,
    signal,
  });
  const output = decodeFunctionResult({ abi, functionName: "find", data: bytes }) as unknown as LensOutput;
  return {
    ...output,
    sell: behaviors[output.sell] ?? "fails",
    buy: behaviors[output.buy] ?? "fails",
    unexpectedRouters: exchanges.filter((_, index) => output.hasUnexpectedCode[index]),
    route: routeOf(output.route, exchanges),
  };
}

function routeOf(route: RouteOutput, exchanges: readonly Exchange[]): Route | undefined {
  const exchange = exchanges[Number(route.exchange)];
  if (exchange === undefined || route.tokens.length === 0) return undefined;
  return { ...route, exchange, tokens: route.tokens.map((token) => token.toLowerCase() as Hex) };
}
