import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { nativeCoin } from "../currency.ts";
import type { Terms } from "../swap.ts";

const abi = parseAbi([
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable",
  "function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
]);

/** Uniswap's Router02. It wraps, unwraps and gives back by itself. */
export function writeV2({ route, ask, maxPrice, user, deadline }: Terms): Hex {
  const path = [...route.tokens];
  if (ask.sell === nativeCoin) {
    const args = [ask.amount, path, user, deadline] as const;
    return encodeFunctionData({ abi, functionName: "swapETHForExactTokens", args });
  }
  const functionName = ask.buy === nativeCoin ? "swapTokensForExactETH" : "swapTokensForExactTokens";
  return encodeFunctionData({ abi, functionName, args: [ask.amount, maxPrice, path, user, deadline] });
}
