/**
 * Deploys Uniswap's contracts, versions 2 and 3, and pools. Their code comes from Uniswap's packages and is not part of this repository.
 */
import { type Abi, type Address, maxUint256, zeroAddress } from "viem";
import { type Artifact, readArtifact } from "./artifact.ts";
import type { TransactionBatch } from "./transaction-batch.ts";

export interface Exchanges {
  readonly wrappedCoin: Address;
  readonly v2Factory: Address;
  readonly v2Router: Address;
  readonly v3Factory: Address;
  readonly positions: Address;
  readonly swapRouter: Address;
  readonly swapRouter02: Address;
  readonly quoter: Address;
}

export interface TokenAmount {
  readonly token: Address;
  readonly amount: bigint;
}

/** Liquidity between two ticks, of at most these amounts of the pool's two tokens. */
export interface Range {
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly amount0: bigint;
  readonly amount1: bigint;
}

const artifacts = {
  wrappedCoin: "@uniswap/v2-periphery/build/WETH9.json",
  v2Factory: "@uniswap/v2-core/build/UniswapV2Factory.json",
  v2Router: "@uniswap/v2-periphery/build/UniswapV2Router02.json",
  v3Factory: "@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json",
  positions:
    "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json",
  swapRouter: "@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json",
  swapRouter02: "@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json",
  quoter: "@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json",
} as const satisfies Record<keyof Exchanges, string>;

export function exchangeArtifact(name: keyof Exchanges): Artifact {
  return readArtifact(artifacts[name]);
}

export function deployExchanges(batch: TransactionBatch): Exchanges {
  const deploy = (name: keyof Exchanges, ...args: unknown[]): Address =>
    batch.deploy(exchangeArtifact(name), args);
  const wrappedCoin = deploy("wrappedCoin");
  const v2Factory = deploy("v2Factory", batch.account);
  const v3Factory = deploy("v3Factory");
  // Public chains have had this fee since a vote in 2021.
  batch.call({
    to: v3Factory,
    abi: exchangeArtifact("v3Factory").abi,
    functionName: "enableFeeAmount",
    args: [100, 1],
  });
  // Without a descriptor, which renders images of positions and needs a linked library.
  const positions = deploy("positions", v3Factory, wrappedCoin, zeroAddress);
  return {
    wrappedCoin,
    v2Factory,
    v3Factory,
    positions,
    v2Router: deploy("v2Router", v2Factory, wrappedCoin),
    swapRouter: deploy("swapRouter", v3Factory, wrappedCoin),
    swapRouter02: deploy("swapRouter02", v2Factory, v3Factory, positions, wrappedCoin),
    quoter: deploy("quoter", v3Factory, wrappedCoin),
  };
}

/** Adds liquidity, and creates the pair if necessary. The batch's account must own both amounts. */
export function addPair(
  batch: TransactionBatch,
  { v2Router }: Exchanges,
  a: TokenAmount,
  b: TokenAmount,
): void {
  for (const { token } of [a, b]) approve(batch, token, v2Router);
  batch.call({
    to: v2Router,
    abi: exchangeArtifact("v2Router").abi,
    functionName: "addLiquidity",
    args: [a.token, b.token, a.amount, b.amount, 0n, 0n, batch.account, maxUint256],
  });
}

/** Creates a pool with the price of the two amounts, and adds liquidity in each range. */
export function addPool(
  batch: TransactionBatch,
  { positions }: Exchanges,
  pool: {
    readonly a: TokenAmount;
    readonly b: TokenAmount;
    readonly fee: number;
    readonly ranges: readonly Range[];
  },
): void {
  const [first, second] = sortedByAddress(pool.a, pool.b);
  const { abi } = exchangeArtifact("positions");
  const tokens = [first.token, second.token, pool.fee];
  batch.call({
    to: positions,
    abi,
    functionName: "createAndInitializePoolIfNecessary",
    args: [...tokens, sqrtPriceX96(first.amount, second.amount)],
  });
  for (const { token } of [first, second]) approve(batch, token, positions);
  for (const { tickLower, tickUpper, amount0, amount1 } of pool.ranges) {
    const position = {
      token0: first.token,
      token1: second.token,
      fee: pool.fee,
      tickLower,
      tickUpper,
      amount0Desired: amount0,
      amount1Desired: amount1,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: batch.account,
      deadline: maxUint256,
    };
    batch.call({ to: positions, abi, functionName: "mint", args: [position] });
  }
}

/** The full range of ticks. Liquidity there behaves like that of a pair of version 2. */
export function fullRange(fee: number, amount0: bigint, amount1: bigint): Range {
  const spacing = tickSpacings[fee] ?? 60;
  const tickUpper = Math.floor(887_272 / spacing) * spacing;
  return { tickLower: -tickUpper, tickUpper, amount0, amount1 };
}

/** Tick spacings by fee, in hundredths of a basis point. */
const tickSpacings: Readonly<Record<number, number>> = {
  100: 1,
  500: 10,
  3000: 60,
  10000: 200,
};

export function sortedByAddress(a: TokenAmount, b: TokenAmount): readonly [TokenAmount, TokenAmount] {
  return a.token.toLowerCase() < b.token.toLowerCase() ? [a, b] : [b, a];
}

/** The square root of amount1 / amount0, times 2^96. */
function sqrtPriceX96(amount0: bigint, amount1: bigint): bigint {
  return squareRoot((amount1 << 192n) / amount0);
}

/** Rounded down, by Newton's method. */
function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

function approve(batch: TransactionBatch, token: Address, spender: Address): void {
  batch.call({ to: token, abi: approveAbi, functionName: "approve", args: [spender, maxUint256] });
}

const approveAbi: Abi = [
  {
    type: "function",
    name: "approve",
    stateMutability: "nonpayable",
    inputs: [{ type: "address" }, { type: "uint256" }],
    outputs: [],
  },
];
