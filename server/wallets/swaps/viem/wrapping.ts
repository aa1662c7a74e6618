import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { nativeCoin } from "../currency.ts";
import type { SwapRequest } from "../swap.ts";

const abi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"]);

/** Encodes a call to the wrapped coin itself, which exchanges the native coin 1:1. */
export function encodeWrapping({ sell, amount }: SwapRequest): Hex {
  return sell === nativeCoin
    ? encodeFunctionData({ abi, functionName: "deposit" })
    : encodeFunctionData({ abi, functionName: "withdraw", args: [amount] });
}
