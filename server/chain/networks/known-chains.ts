/** Names, titles and native coins of public chains. */

import { suggest } from "../../../generator/language/diagnostics/suggest.ts";
import rows from "./chains.json" with { type: "json" };
import type { Coin } from "./network.ts";

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
function findKnownChain(text: string): KnownChain | undefined {
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

/** The chain that a sandbox runs, with the id that local nodes use by default. Official clients call it "hardhat", after one of them. */
export const localChain = { chainId: 31_337, name: "local-chain", title: "Local chain" } as const;

/**
 * Names that the official clients (`@0xsequence/network` 2.3.50) use in paths and bodies, by chain id. Deprecated ones are
 * recognized, but not served by default.
 */
export const officialNames: readonly (readonly [chainId: number, name: string, deprecated?: "deprecated"])[] =
  [
    [1, "mainnet"],
    [3, "ropsten", "deprecated"],
    [4, "rinkeby", "deprecated"],
    [5, "goerli", "deprecated"],
    [10, "optimism"],
    [40, "telos", "deprecated"],
    [41, "telos-testnet", "deprecated"],
    [42, "kovan", "deprecated"],
    [56, "bsc"],
    [69, "optimism-kovan", "deprecated"],
    [97, "bsc-testnet"],
    [100, "gnosis"],
    [137, "polygon"],
    [143, "monad"],
    [146, "sonic"],
    [420, "optimism-goerli", "deprecated"],
    [999, "hyperevm"],
    [1101, "polygon-zkevm", "deprecated"],
    [1284, "moonbeam", "deprecated"],
    [1287, "moonbase-alpha", "deprecated"],
    [1868, "soneium"],
    [1946, "soneium-minato"],
    [1993, "b3-sepolia", "deprecated"],
    [4217, "tempo"],
    [4663, "robinhood"],
    [5031, "somnia"],
    [5042, "arc"],
    [6252, "sandbox-testnet"],
    [8333, "b3", "deprecated"],
    [8453, "base"],
    [10143, "monad-testnet", "deprecated"],
    [11690, "incentiv-testnet", "deprecated"],
    [13371, "immutable-zkevm", "deprecated"],
    [13473, "immutable-zkevm-testnet", "deprecated"],
    [19011, "homeverse", "deprecated"],
    [24101, "incentiv"],
    [28802, "incentiv-testnet-v2"],
    [31337, "hardhat"],
    [31338, "hardhat2"],
    [33111, "apechain-testnet"],
    [33139, "apechain"],
    [40875, "homeverse-testnet", "deprecated"],
    [42161, "arbitrum"],
    [42170, "arbitrum-nova"],
    [42793, "etherlink"],
    [43113, "avalanche-testnet"],
    [43114, "avalanche"],
    [50312, "somnia-testnet"],
    [80001, "mumbai", "deprecated"],
    [80002, "amoy"],
    [80094, "berachain"],
    [81457, "blast", "deprecated"],
    [84531, "base-goerli", "deprecated"],
    [84532, "base-sepolia"],
    [94984, "borne-testnet", "deprecated"],
    [127823, "etherlink-shadownet-testnet"],
    [128123, "etherlink-testnet"],
    [421613, "arbitrum-goerli", "deprecated"],
    [421614, "arbitrum-sepolia"],
    [660279, "xai", "deprecated"],
    [747474, "katana"],
    [5042002, "arc-testnet"],
    [11155111, "sepolia"],
    [11155420, "optimism-sepolia"],
    [21000000, "toy-testnet"],
    [37084624, "skale-nebula-testnet", "deprecated"],
    [168587773, "blast-sepolia", "deprecated"],
    [324705682, "skale-base-testnet"],
    [1482601649, "skale-nebula"],
    [37714555429, "xai-sepolia", "deprecated"],
  ];

/** Resolves a chain by name or id. Names in `named` have priority. Returns undefined for an unknown name. */
export function resolveChainId(
  text: string,
  named: Iterable<readonly [number, { readonly name?: string | undefined }]> = [],
): number | undefined {
  for (const [chainId, { name }] of named) if (name === text.toLowerCase()) return chainId;
  return findKnownChain(text)?.chainId ?? readChainId(text);
}

/** `unknown network "polygno"; did you mean "polygon"?` */
export function describeUnknownNetwork(name: string): string {
  const names = [...knownChains().values()].flatMap((chain) => chain.names);
  const suggestion = suggest(name, names);
  const hint = suggestion === undefined ? "use its chain id" : `did you mean "${suggestion}"?`;
  return `unknown network "${name}"; ${hint}`;
}
