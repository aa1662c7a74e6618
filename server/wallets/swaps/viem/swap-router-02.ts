import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { SwapTerms } from "../swap.ts";
import { encodePath } from "./encoded-path.ts";
import { type LimitedRoute, limitRoutes } from "./limited-routes.ts";
import { buysNativeCoin, encodePayments } from "./payments.ts";

const abi = parseAbi([
  "function exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum)) payable returns (uint256)",
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to) payable returns (uint256)",
  "function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])",
]);

/** The router interprets this recipient as itself. */
const itself: Hex = `0x${"2".padStart(40, "0")}`;

/**
 * Encodes a swap for SwapRouter02, the second router of Uniswap v3, which also swaps through pairs of version 2. One deadline
 * covers all calls of a multicall.
 */
export function encodeSwapRouter02Swap({ plan, request, maxPrice, user, deadline }: SwapTerms): Hex {
  const recipient = buysNativeCoin(request) ? itself : user;
  const calls = [
    ...limitRoutes(plan, maxPrice).map((limited) => encodeRoute(limited, recipient)),
    ...encodePayments(request, user),
  ];
  return encodeFunctionData({ abi, functionName: "multicall", args: [deadline, calls] });
}

function encodeRoute({ route, maxPrice }: LimitedRoute, recipient: Hex): Hex {
  if (route.exchange.kind === "v2") {
    const args = [route.amount, maxPrice, route.tokens, recipient] as const;
    return encodeFunctionData({ abi, functionName: "swapTokensForExactTokens", args });
  }
  const swap = {
    path: encodePath(route),
    recipient,
    amountOut: route.amount,
    amountInMaximum: maxPrice,
  };
  return encodeFunctionData({ abi, functionName: "exactOutput", args: [swap] });
}
