import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { Terms } from "../swap.ts";
import { packPath } from "./packed-path.ts";
import { isUnwrapped, writePayments } from "./payments.ts";

const abi = parseAbi([
  "function exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum)) payable returns (uint256)",
  "function multicall(bytes[] data) payable returns (bytes[])",
]);

/** The router takes this to be itself. */
const itself: Hex = `0x${"0".repeat(40)}`;

/** The first router of version 3. */
export function writeSwapRouter({ route, ask, maxPrice, user, deadline }: Terms): Hex {
  const swap = {
    path: packPath(route),
    recipient: isUnwrapped(ask) ? itself : user,
    deadline,
    amountOut: ask.amount,
    amountInMaximum: maxPrice,
  };
  const calls = [
    encodeFunctionData({ abi, functionName: "exactOutput", args: [swap] }),
    ...writePayments(ask, user),
  ];
  return encodeFunctionData({ abi, functionName: "multicall", args: [calls] });
}
