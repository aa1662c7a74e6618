import { encodeFunctionData, encodePacked, parseAbi } from "viem";
import type { ExchangeKind } from "../../../chain/networks/exchanges.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { nativeCoin, type Route, type SwapRequest, type SwapTerms } from "../swap.ts";

/**
 * Encodes a transaction that buys exactly the requested amount for the user, for at most the maximal price, and refunds unspent
 * native coin.
 */
export function encodeSwap(terms: SwapTerms): Hex {
  return encoders[terms.route.exchange.kind](terms);
}

const encoders = {
  v2: encodeV2Swap,
  swapRouter: encodeSwapRouterSwap,
  swapRouter02: encodeSwapRouter02Swap,
} satisfies Record<ExchangeKind, (terms: SwapTerms) => Hex>;

const routerAbi = parseAbi([
  "function exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum)) payable returns (uint256)",
  "function multicall(bytes[] data) payable returns (bytes[])",
]);

/** The router interprets this recipient as its own address. */
const router: Hex = `0x${"0".repeat(40)}`;

/** Encodes a swap for SwapRouter, the first router of Uniswap v3. */
function encodeSwapRouterSwap({ route, request, maxPrice, user, deadline }: SwapTerms): Hex {
  const swap = {
    path: encodePath(route),
    recipient: buysNativeCoin(request) ? router : user,
    deadline,
    amountOut: request.amount,
    amountInMaximum: maxPrice,
  };
  const call = encodeFunctionData({ abi: routerAbi, functionName: "exactOutput", args: [swap] });
  const calls = [call, ...encodePayments(request, user)];
  return encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [calls] });
}

const router02Abi = parseAbi([
  "function exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum)) payable returns (uint256)",
  "function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])",
]);

/** The router interprets this recipient as its own address. */
const router02: Hex = `0x${"2".padStart(40, "0")}`;

/** Encodes a swap for SwapRouter02, the second router of Uniswap v3. */
function encodeSwapRouter02Swap({ route, request, maxPrice, user, deadline }: SwapTerms): Hex {
  const swap = {
    path: encodePath(route),
    recipient: buysNativeCoin(request) ? router02 : user,
    amountOut: request.amount,
    amountInMaximum: maxPrice,
  };
  const call = encodeFunctionData({ abi: router02Abi, functionName: "exactOutput", args: [swap] });
  const calls = [call, ...encodePayments(request, user)];
  return encodeFunctionData({ abi: router02Abi, functionName: "multicall", args: [deadline, calls] });
}

const v2Abi = parseAbi([
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable",
  "function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
]);

/** Encodes a swap for Uniswap v2's Router02, which wraps, unwraps and refunds native coin itself. */
function encodeV2Swap({ route, request, maxPrice, user, deadline }: SwapTerms): Hex {
  const path = [...route.tokens];
  if (request.sell === nativeCoin) {
    const args = [request.amount, path, user, deadline] as const;
    return encodeFunctionData({ abi: v2Abi, functionName: "swapETHForExactTokens", args });
  }
  const functionName = request.buy === nativeCoin ? "swapTokensForExactETH" : "swapTokensForExactTokens";
  return encodeFunctionData({
    abi: v2Abi,
    functionName,
    args: [request.amount, maxPrice, path, user, deadline],
  });
}

const wrappingAbi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"]);

/** Encodes a call to the wrapped coin itself, which exchanges the native coin 1:1. */
export function encodeWrapping({ sell, amount }: SwapRequest): Hex {
  return sell === nativeCoin
    ? encodeFunctionData({ abi: wrappingAbi, functionName: "deposit" })
    : encodeFunctionData({ abi: wrappingAbi, functionName: "withdraw", args: [amount] });
}

/** Encodes a path for Uniswap v3, from its end: bought token, fee, token, fee, …, sold token. */
function encodePath({ tokens, fees }: Route): Hex {
  const parts = [...tokens].reverse().flatMap((token, index) => {
    const fee = [...fees].reverse()[index];
    return fee === undefined ? [token] : [token, fee];
  });
  return encodePacked(
    parts.map((part) => (typeof part === "number" ? "uint24" : "address")),
    parts,
  );
}

const paymentsAbi = parseAbi([
  "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
  "function refundETH() payable",
]);

/** If the native coin is bought, the router itself receives the wrapped token and then unwraps it. */
function buysNativeCoin(request: SwapRequest): boolean {
  return request.buy === nativeCoin;
}

/** Encodes the calls that follow a swap, so that a v3 router pays out the native coin that it holds. */
function encodePayments(request: SwapRequest, user: Hex): readonly Hex[] {
  if (buysNativeCoin(request))
    return [
      encodeFunctionData({ abi: paymentsAbi, functionName: "unwrapWETH9", args: [request.amount, user] }),
    ];
  // Unspent native coin stays in the router unless it is refunded.
  return request.sell === nativeCoin
    ? [encodeFunctionData({ abi: paymentsAbi, functionName: "refundETH" })]
    : [];
}
