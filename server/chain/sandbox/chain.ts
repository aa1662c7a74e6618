import type { Address } from "viem";
import { localChain } from "../networks/known-chains.ts";
import { anvilPath, startAnvil } from "./anvil.ts";
import type { Artifact } from "./artifact.ts";
import collectible from "./contracts/SandboxCollectible.json" with { type: "json" };
import market from "./contracts/SandboxMarket.json" with { type: "json" };
import token from "./contracts/SandboxToken.json" with { type: "json" };
import {
  addPair,
  addPool,
  deployExchanges,
  type Exchanges,
  exchangeArtifact,
  fullRange,
  sortedByAddress,
} from "./exchanges.ts";
import { MiningWatch } from "./rpc.ts";
import { deploySafe, deploySafeContracts, type SafeContracts, safeArtifact } from "./safe.ts";
import { prepareStateFile, StateSaver } from "./state-saver.ts";
import { TransactionBatch } from "./transaction-batch.ts";

/** A local chain with tokens, pools, a market and a contract wallet, always at the same addresses. */
export interface SandboxChain extends SandboxParts, AsyncDisposable {
  readonly chainId: number;
  readonly rpcUrl: string;
  /** Whether the chain was started from a saved state. */
  readonly isRestored: boolean;
  /** Sends further transactions of the deployer. */
  readonly batch: TransactionBatch;
  /**
   * Saves the state in the chain's folder now, soon after new blocks, and when the chain closes. Until this is called, the folder
   * keeps its state. Does nothing without a folder. `warn` reports that the folder cannot be written.
   */
  keepState(warn: (line: string) => void): void;
  /** Starts to watch the chain. `warn` reports that the chain does not respond, or mines no blocks. */
  watchMining(warn: (line: string) => void): MiningWatch;
}

interface SandboxParts {
  /** The usual test accounts of local chains: unlocked, with 10,000 coins each. The last one is the deployer. */
  readonly accounts: readonly Address[];
  readonly exchanges: Exchanges;
  readonly safes: SafeContracts;
  /** A Safe of the first two accounts, both of which must sign. */
  readonly safe: Address;
  readonly tokens: SandboxTokens;
  /** Has the ABI of the public Sequence marketplace, version 2. */
  readonly market: Address;
  /** An ERC-721 collection without tokens. */
  readonly collection: Address;
}

export interface SandboxTokens {
  /** 6 decimals, worth 1 dollar. */
  readonly usd: Address;
  /** 18 decimals, worth 1 dollar. */
  readonly dai: Address;
  /** 18 decimals, worth 0.5 dollars. */
  readonly gem: Address;
}

export const sandboxArtifacts: Readonly<Record<"token" | "market" | "collectible", Artifact>> = {
  token: token as Artifact,
  market: market as Artifact,
  collectible: collectible as Artifact,
};

export interface SandboxOptions {
  /** Folder with the state of an earlier start. Without a folder, the state is lost when the chain closes. */
  readonly folder?: string;
}

/** Starts in about a second. Throws an Error if an optional package is not installed: see `describeMissingPackages`. */
export async function startSandboxChain({ folder }: SandboxOptions = {}): Promise<SandboxChain> {
  const program = anvilPath();
  if (program === undefined) throw new Error(notInstalled);
  const plan = TransactionBatch.offline(deployer);
  const parts = addContracts(plan);
  const stateFile = folder === undefined ? undefined : prepareStateFile(folder, plan.fingerprint());
  const anvil = await startAnvil(program, localChain.chainId, { state: stateFile?.existing });
  try {
    const batch = await TransactionBatch.open(anvil.rpcUrl, deployer);
    const isRestored = stateFile?.existing !== undefined;
    if (!isRestored) {
      batch.append(plan);
      await batch.mine();
    }
    let saver: StateSaver | undefined;
    let watch: MiningWatch | undefined;
    return {
      ...parts,
      batch,
      chainId: localChain.chainId,
      isRestored,
      rpcUrl: anvil.rpcUrl,
      keepState(warn) {
        if (stateFile !== undefined) saver ??= new StateSaver(anvil.rpcUrl, stateFile.path, warn);
      },
      watchMining(warn) {
        watch ??= new MiningWatch(anvil.rpcUrl, warn);
        return watch;
      },
      async [Symbol.asyncDispose]() {
        try {
          await watch?.[Symbol.asyncDispose]();
          await saver?.[Symbol.asyncDispose]();
        } finally {
          await anvil[Symbol.asyncDispose]();
        }
      },
    };
  } catch (err) {
    await anvil[Symbol.asyncDispose]();
    throw err;
  }
}

/** Returns a sentence about missing packages, or undefined if a local chain can start. */
export function describeMissingPackages(): string | undefined {
  if (anvilPath() === undefined) return notInstalled;
  try {
    exchangeArtifact("v2Router");
    exchangeArtifact("v2Factory");
    exchangeArtifact("v3Factory");
    exchangeArtifact("swapRouter");
    exchangeArtifact("swapRouter02");
    safeArtifact("Safe.sol/Safe");
    return undefined;
  } catch {
    return notInstalled;
  }
}

const notInstalled =
  "the local chain needs the optional packages (@foundry-rs/anvil, @uniswap/*, @safe-global/*): npm install --include=optional";

/** Adds all contracts of the chain's first block. Add new ones at the end, so that addresses do not change. */
function addContracts(batch: TransactionBatch): SandboxParts {
  const exchanges = deployExchanges(batch);
  const safes = deploySafeContracts(batch);
  const [first, second] = devAccounts as [Address, Address];
  const safe = deploySafe(batch, safes, { owners: [first, second], threshold: 2, saltNonce: 1n });
  const tokens = deployTokens(batch);
  addLiquidity(batch, exchanges, tokens);
  return {
    accounts: devAccounts,
    exchanges,
    safes,
    safe: safe.address,
    tokens,
    market: batch.deploy(sandboxArtifacts.market),
    collection: batch.deploy(sandboxArtifacts.collectible, ["Sandbox Lanterns", "LANTERN"]),
  };
}

function deployTokens(batch: TransactionBatch): SandboxTokens {
  const deploy = (name: string, symbol: string, decimals: number): Address => {
    const to = batch.deploy(sandboxArtifacts.token, [name, symbol, decimals]);
    for (const account of devAccounts)
      batch.call({
        to,
        abi: sandboxArtifacts.token.abi,
        functionName: "mint",
        args: [account, 10n ** BigInt(decimals + 6)],
      });
    return to;
  };
  return {
    usd: deploy("Sandbox Dollar", "USD", 6),
    dai: deploy("Sandbox Dai", "DAI", 18),
    gem: deploy("Sandbox Gem", "GEM", 18),
  };
}

/** The native coin is worth 2,000 dollars. Version 2 has no pair of gem and dai, version 3 does. */
function addLiquidity(batch: TransactionBatch, exchanges: Exchanges, { usd, dai, gem }: SandboxTokens): void {
  const { abi } = exchangeArtifact("wrappedCoin");
  batch.call({ to: exchanges.wrappedCoin, abi, functionName: "deposit", value: 1_000n * ether });
  const coin = (amount: bigint) => ({ token: exchanges.wrappedCoin, amount: amount * ether });
  const dollars = (amount: bigint) => ({ token: usd, amount: amount * 10n ** 6n });
  const dais = (amount: bigint) => ({ token: dai, amount: amount * ether });
  const gems = (amount: bigint) => ({ token: gem, amount: amount * ether });
  addPair(batch, exchanges, coin(100n), dollars(200_000n));
  addPair(batch, exchanges, dollars(50_000n), dais(50_000n));
  addPair(batch, exchanges, gems(100_000n), dollars(50_000n));
  for (const [a, b, fee] of [
    [coin(150n), dollars(300_000n), 500],
    [dollars(100_000n), dais(100_000n), 500],
    [gems(50_000n), dais(25_000n), 3_000],
    [gems(60_000n), coin(15n), 10_000],
  ] as const) {
    const [{ amount: amount0 }, { amount: amount1 }] = sortedByAddress(a, b);
    addPool(batch, exchanges, { a, b, fee, ranges: [fullRange(fee, amount0, amount1)] });
  }
}

const ether = 10n ** 18n;

/** The public test accounts of the mnemonic "test test test test test test test test test test test junk". */
const devAccounts: readonly Address[] = [
  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
  "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65",
  "0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc",
  "0x976ea74026e726554db657fa54763abd0c3a0aa9",
  "0x14dc79964da2c08b23698b3d3cc7ca32193d9955",
  "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
  "0xa0ee7a142d267c1f36714e4a8f75612f20a79720",
];

const deployer = devAccounts.at(-1) as Address;
