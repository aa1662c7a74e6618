import { StartFault } from "../../base/start-fault.ts";
import type { NetworkSources } from "../networks/settings.ts";
import { describeMissingPackages, type SandboxChain, startSandboxChain } from "./chain.ts";
import { openChainProxy } from "./chain-proxy.ts";

/** What the host prints about its local chain. */
export interface LocalChain {
  readonly chainId: number;
  /** URL of a proxy that accepts only this machine. */
  readonly rpcUrl: string;
  readonly tokens: Readonly<Record<"USD" | "DAI" | "GEM", string>>;
  /** A contract wallet (ERC-1271). */
  readonly safe: string;
  /** The market whose orders are indexed. */
  readonly market: string;
  /** The collection whose tokens are indexed. */
  readonly collection: string;
}

export interface LocalNetwork extends AsyncDisposable {
  readonly chain: LocalChain;
  /** The operator's networks, with the local one first. */
  readonly sources: NetworkSources;
  /** In the form of the setting `collections`. */
  readonly collections: readonly string[];
  readonly sandbox: SandboxChain;
}

/**
 * Starts a local chain for the host and its developers, with its state saved in a folder. Throws StartFault if the optional
 * packages are not installed.
 */
export async function openLocalNetwork(sources: NetworkSources, folder: string): Promise<LocalNetwork> {
  const missing = describeMissingPackages();
  if (missing !== undefined) throw new StartFault(`--sandbox-chain: ${missing}`);
  const chain = await startSandboxChain({ folder });
  const proxy = await openChainProxy(chain.rpcUrl);
  const { chainId, rpcUrl, tokens, safe, exchanges, market, collection } = chain;
  const given = sources.networkDetails as Readonly<Record<string, unknown>> | undefined;
  const details = {
    rpcUrls: [rpcUrl],
    // If the state was lost, the next start's chain replaces this one, which is a reorganization of the whole chain.
    follow: { start: 0, window: 10_000, wsUrls: [rpcUrl.replace("http", "ws")] },
    coin: { symbol: "ETH", name: "Ether", decimals: 18, usdRate: "2000" },
    currencies: [
      { address: tokens.usd, symbol: "USD", decimals: 6, name: "Sandbox Dollar", usdRate: "1" },
      { address: tokens.dai, symbol: "DAI", decimals: 18, name: "Sandbox Dai", usdRate: "1" },
      { address: tokens.gem, symbol: "GEM", decimals: 18, name: "Sandbox Gem", usdRate: "0.5" },
    ],
    markets: [{ kind: "sequence_marketplace_v2", address: market }],
    connectors: [exchanges.wrappedCoin, tokens.usd, tokens.dai],
    exchanges: [
      { kind: "v2", router: exchanges.v2Router },
      { kind: "swapRouter02", router: exchanges.swapRouter02 },
    ],
  };
  return {
    chain: {
      chainId,
      rpcUrl: proxy.rpcUrl,
      safe,
      market,
      collection,
      tokens: { USD: tokens.usd, DAI: tokens.dai, GEM: tokens.gem },
    },
    collections: [`${chainId}=${collection}@0`],
    sandbox: chain,
    sources: {
      networks: [String(chainId), ...(sources.networks ?? Object.keys(given ?? {}))],
      rpcUrls: sources.rpcUrls,
      networkDetails: { ...given, [chainId]: details },
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await chain[Symbol.asyncDispose]();
    },
  };
}
