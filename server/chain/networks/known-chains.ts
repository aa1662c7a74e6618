/** Names, titles and native coins of public chains. */
import rows from "./chains.json" with { type: "json" };
import { localChain } from "./local-chain.ts";
import type { Coin } from "./network.ts";
import { officialNames } from "./official-names.ts";

export interface KnownChain {
  readonly chainId: number;
  /** Lower case. The first one is displayed. */
  readonly names: readonly [string, ...string[]];
  /** For display: `OP Mainnet`. */
  readonly title: string;
  readonly coin: Coin;
  readonly isTestnet: boolean;
}

type Row = readonly [number, string[], string, string, string, number, boolean];

const ether: Coin = { name: "Ether", symbol: "ETH", decimals: 18 };

/** By chain id. Built on first use. */
let chains: ReadonlyMap<number, KnownChain> | undefined;

export function knownChains(): ReadonlyMap<number, KnownChain> {
  chains ??= buildChains();
  return chains;
}

/** The chains that are served by default: those that the official clients list and have not deprecated. */
export function defaultChains(): readonly KnownChain[] {
  const current = officialNames.filter(([, , deprecated]) => deprecated === undefined);
  return current.flatMap(([chainId]) => knownChains().get(chainId) ?? []);
}

function buildChains(): ReadonlyMap<number, KnownChain> {
  const official = new Map(officialNames.map(([chainId, name]) => [chainId, name]));
  const all = new Map<number, KnownChain>();
  for (const [chainId, names, title, coin, symbol, decimals, isTestnet] of rows as unknown as Row[]) {
    const first = official.get(chainId) ?? names[0] ?? String(chainId);
    const others = names.filter((name) => name !== first);
    all.set(chainId, {
      chainId,
      names: [first, ...others],
      title,
      coin: { name: coin, symbol, decimals },
      isTestnet,
    });
  }
  for (const [chainId, name] of officialNames) {
    if (all.has(chainId)) continue;
    const isTestnet = /testnet|goerli|sepolia|kovan|hardhat/.test(name);
    all.set(chainId, { chainId, names: [name], title: name, coin: ether, isTestnet });
  }
  const { chainId, name, title } = localChain;
  all.set(chainId, {
    chainId,
    names: [name, ...(all.get(chainId)?.names ?? [])],
    title,
    coin: ether,
    isTestnet: true,
  });
  return all;
}

/** `"polygon"`, `"137"` and `"0x89"` → Polygon. Returns undefined for unknown chains. */
export function findKnownChain(text: string): KnownChain | undefined {
  const chainId = readChainId(text);
  if (chainId !== undefined) return knownChains().get(chainId);
  const name = text.toLowerCase();
  for (const chain of knownChains().values()) if (chain.names.includes(name)) return chain;
  return undefined;
}

/** Parses a chain id in decimal or hex, with at most as many digits as the schema's `ChainRef` allows. */
export function readChainId(text: string): number | undefined {
  if (!/^(0[xX][0-9a-fA-F]{1,13}|[0-9]{1,16})$/.test(text)) return undefined;
  const chainId = Number(text);
  return Number.isSafeInteger(chainId) ? chainId : undefined;
}
