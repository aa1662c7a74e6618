import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { nativeCoin } from "../currency.ts";
import type { SwapRequest } from "../swap.ts";

const abi = parseAbi([
  "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
  "function refundETH() payable",
]);

/** If the native coin is bought, the router itself receives the wrapped token and then unwraps it. */
export function buysNativeCoin(request: SwapRequest): boolean {
  return request.buy === nativeCoin;
}

/** Encodes the calls that follow a swap, so that a v3 router pays out the native coin that it holds. */
export function encodePayments(request: SwapRequest, user: Hex): readonly Hex[] {
  if (buysNativeCoin(request))
    return [encodeFunctionData({ abi, functionName: "unwrapWETH9", args: [request.amount, user] })];
  // Unspent native coin stays in the router unless it is refunded.
  return request.sell === nativeCoin ? [encodeFunctionData({ abi, functionName: "refundETH" })] : [];
}
