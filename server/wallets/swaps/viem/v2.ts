import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { nativeCoin } from "../currency.ts";
import type { SwapTerms } from "../swap.ts";

const abi = parseAbi([
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable",
  "function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
]);

/** Encodes a swap for Uniswap v2's Router02, which wraps, unwraps and refunds native coin itself. */
export function encodeV2Swap({ plan, request, maxPrice, user, deadline }: SwapTerms): Hex {
  const path = [...plan.routes[0].tokens];
  if (request.sell === nativeCoin) {
    const args = [request.amount, path, user, deadline] as const;
    return encodeFunctionData({ abi, functionName: "swapETHForExactTokens", args });
  }
  const functionName = request.buy === nativeCoin ? "swapTokensForExactETH" : "swapTokensForExactTokens";
  return encodeFunctionData({ abi, functionName, args: [request.amount, maxPrice, path, user, deadline] });
}
