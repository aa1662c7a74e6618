import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { SwapTerms } from "../swap.ts";
import { encodePath } from "./encoded-path.ts";
import { buysNativeCoin, encodePayments } from "./payments.ts";

const abi = parseAbi([
  "function exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum)) payable returns (uint256)",
  "function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])",
]);

/** The router interprets this recipient as itself. */
const itself: Hex = `0x${"2".padStart(40, "0")}`;

/** Encodes a swap for SwapRouter02, the second router of Uniswap v3: one deadline covers all calls of a multicall. */
export function encodeSwapRouter02Swap({ route, request, maxPrice, user, deadline }: SwapTerms): Hex {
  const swap = {
    path: encodePath(route),
    recipient: buysNativeCoin(request) ? itself : user,
    amountOut: request.amount,
    amountInMaximum: maxPrice,
  };
  const calls = [
    encodeFunctionData({ abi, functionName: "exactOutput", args: [swap] }),
    ...encodePayments(request, user),
  ];
  return encodeFunctionData({ abi, functionName: "multicall", args: [deadline, calls] });
}
