import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { SwapTerms } from "../swap.ts";
import { encodePath } from "./encoded-path.ts";
import { limitRoutes } from "./limited-routes.ts";
import { buysNativeCoin, encodePayments } from "./payments.ts";

const abi = parseAbi([
  "function exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum)) payable returns (uint256)",
  "function multicall(bytes[] data) payable returns (bytes[])",
]);

/** The router interprets this recipient as itself. */
const itself: Hex = `0x${"0".repeat(40)}`;

/** Encodes a swap for SwapRouter, the first router of Uniswap v3. */
export function encodeSwapRouterSwap({ plan, request, maxPrice, user, deadline }: SwapTerms): Hex {
  const recipient = buysNativeCoin(request) ? itself : user;
  const swaps = limitRoutes(plan, maxPrice).map(({ route, maxPrice: amountInMaximum }) => {
    const swap = {
      path: encodePath(route),
      recipient,
      deadline,
      amountOut: route.amount,
      amountInMaximum,
    };
    return encodeFunctionData({ abi, functionName: "exactOutput", args: [swap] });
  });
  const calls = [...swaps, ...encodePayments(request, user)];
  return encodeFunctionData({ abi, functionName: "multicall", args: [calls] });
}
