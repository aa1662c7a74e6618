import type { NetworkSources } from "../networks/settings.ts";
import { StartFault } from "../start-fault.ts";
import { sandboxIsMissing, startSandboxChain } from "./chain.ts";

/** What is told of a local chain when the host is ready. */
export interface LocalChain {
  readonly rpcUrl: string;
  /** By symbol. */
  readonly tokens: Readonly<Record<"USD" | "DAI" | "GEM", string>>;
  /** A contract wallet (ERC-1271). */
  readonly safe: string;
}

export interface LocalNetwork extends AsyncDisposable {
  readonly chain: LocalChain;
  /** The operator's networks with the local one before them. */
  readonly sources: NetworkSources;
}

/** Starts a local chain for the host and its developers. Throws StartFault where its optional packages are not installed. */
export async function openLocalNetwork(sources: NetworkSources): Promise<LocalNetwork> {
  const missing = sandboxIsMissing();
  if (missing !== undefined) throw new StartFault(`--sandbox-chain: ${missing}`);
  const chain = await startSandboxChain();
  const { chainId, rpcUrl, tokens, safe, exchanges } = chain;
  const given = sources.networkDetails as Readonly<Record<string, unknown>> | undefined;
  const details = {
    rpcUrls: [rpcUrl],
    // The chain of the next start takes the place of this one: a reorganisation of all that it had.
    follow: { start: 0, window: 10_000, wsUrls: [rpcUrl.replace("http", "ws")] },
    currencies: [{ address: tokens.usd, symbol: "USD", decimals: 6, name: "Sandbox Dollar" }],
    connectors: [exchanges.wrappedCoin, tokens.usd, tokens.dai],
    exchanges: [
      { kind: "v2", router: exchanges.v2Router },
      { kind: "swapRouter02", router: exchanges.swapRouter02 },
    ],
  };
  return {
    chain: { rpcUrl, tokens: { USD: tokens.usd, DAI: tokens.dai, GEM: tokens.gem }, safe },
    sources: {
      networks: [String(chainId), ...(sources.networks ?? Object.keys(given ?? {}))],
      rpcUrls: sources.rpcUrls,
      networkDetails: { ...given, [chainId]: details },
    },
    [Symbol.asyncDispose]: () => chain[Symbol.asyncDispose](),
  };
}
