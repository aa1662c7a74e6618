import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { nativeCoin } from "../currency.ts";
import type { SwapAsk } from "../swap.ts";

const abi = parseAbi([
  "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
  "function refundETH() payable",
]);

/** The coin is bought as wrapped coin for the router itself, which then unwraps it. */
export function isUnwrapped(ask: SwapAsk): boolean {
  return ask.buy === nativeCoin;
}

/** What both routers of version 3 have to do after the swap: pay out what they hold of the coin. */
export function writePayments(ask: SwapAsk, user: Hex): readonly Hex[] {
  if (isUnwrapped(ask))
    return [encodeFunctionData({ abi, functionName: "unwrapWETH9", args: [ask.amount, user] })];
  // What is left of a coin stays in the router unless it is asked for.
  return ask.sell === nativeCoin ? [encodeFunctionData({ abi, functionName: "refundETH" })] : [];
}
