import { type Abi, decodeFunctionResult, encodeFunctionData } from "viem";
import type { Exchange } from "../../../chain/networks/exchanges.ts";
import type { Network } from "../../../chain/networks/network.ts";
import type { Chain, Hex } from "../../../chain/rpc/chain.ts";
import lens from "../contracts/SwapLens.json" with { type: "json" };
import { nativeCoin } from "../currency.ts";
import type { Route, SwapAsk } from "../swap.ts";

/** What one look at the chain has found. */
export interface Finding {
  /** Undefined: no way has the liquidity. */
  readonly route: Route | undefined;
  readonly sell: Conduct;
  readonly buy: Conduct;
  /** What the user has of the sold currency. */
  readonly balance: bigint;
  /** What the route's router may take of it. */
  readonly allowance: bigint;
  /** Time of the latest block, in seconds since 1970. */
  readonly timestamp: bigint;
  /** Whose routers have not the code that is expected; they were not asked. */
  readonly others: readonly Exchange[];
}

/** Whether a token's transfers do what they say. The chain's own coin is always exact. */
export type Conduct = (typeof conducts)[number];

/** In the order of the contract's enum. */
const conducts = ["exact", "takesAFee", "fails", "noToken"] as const;

/** What the contract answers; its ABI is JSON, and viem cannot see the types of that. */
interface Answer {
  readonly route: {
    readonly price: bigint;
    readonly exchange: bigint;
    readonly tokens: readonly Hex[];
    readonly fees: readonly number[];
  };
  readonly sell: number;
  readonly buy: number;
  readonly balance: bigint;
  readonly allowance: bigint;
  readonly timestamp: bigint;
  readonly isOther: readonly boolean[];
}

const abi = lens.abi as Abi;
const zeroAddress: Hex = `0x${"0".repeat(40)}`;
/** The contract looks at the currencies by way of an exchange, and where there is none, of one that is not there. */
const nowhere: Exchange = { kind: "v2", router: zeroAddress, fees: [] };
const anyCode: Hex = `0x${"0".repeat(64)}`;

/** Asks all pools that may be of use, in one call; without a user all who ask the same share it. Throws CallReverted and ChainFailure. */
export async function lookForRoute(
  chain: Chain,
  network: Network,
  ask: SwapAsk & { readonly user: Hex | undefined },
  signal: AbortSignal | undefined,
): Promise<Finding> {
  const { exchanges } = network;
  const asked = exchanges.length === 0 ? [nowhere] : exchanges;
  const currency = (address: Hex): Hex => (address === nativeCoin ? zeroAddress : address);
  const data = encodeFunctionData({
    abi,
    functionName: "find",
    args: [
      {
        sell: currency(ask.sell),
        buy: currency(ask.buy),
        amount: ask.amount,
        user: ask.user ?? zeroAddress,
        connectors: [...new Set(network.connectors)],
        exchanges: asked.map(({ kind, router, fees, codeHash = anyCode }) => ({
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
    isShared: ask.user === undefined,
    signal,
  });
  const answer = decodeFunctionResult({ abi, functionName: "find", data: bytes }) as unknown as Answer;
  const { price, exchange: index, tokens, fees } = answer.route;
  const exchange = exchanges[Number(index)];
  return {
    ...answer,
    sell: conducts[answer.sell] ?? "fails",
    buy: conducts[answer.buy] ?? "fails",
    others: exchanges.filter((_, index) => answer.isOther[index]),
    route:
      exchange === undefined || tokens.length === 0
        ? undefined
        : { exchange, price, fees, tokens: tokens.map((token) => token.toLowerCase() as Hex) },
  };
}
