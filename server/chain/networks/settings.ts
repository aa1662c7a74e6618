/** Validates the operator's network settings and builds the networks. */

import { defaultConnectors, defaultExchangesOf } from "./default-exchanges.ts";
import { type NetworkDetail, readDetails } from "./details.ts";
import {
  defaultChains,
  describeUnknownNetwork,
  type KnownChain,
  knownChains,
  resolveChainId,
} from "./known-chains.ts";
import { isRpcUrl, type Network, type NodeSettings, zeroAddress } from "./network.ts";

export interface NetworkSources {
  /**
   * Names and chain ids of the served networks, the preferred one first. Undefined: those of `networkDetails` by chain id, or
   * the default networks.
   */
  readonly networks: readonly string[] | undefined;
  /**
   * Entries such as `137=https://a.example`. A network that is listed twice has two nodes. Nodes listed here replace those of
   * `networkDetails`.
   */
  readonly rpcUrls: readonly string[];
  /**
   * By name or chain id:
   * `{ "polygon": { "rpcUrls": ["https://…"], "currencies": [{ "address": "0x…", "symbol": "USDC", "decimals": 6 }], "connectors": ["0x…"] } }`.
   */
  readonly networkDetails: unknown;
}

export interface NetworkSettings {
  readonly networks: readonly Network[];
  /** Each is a sentence that starts with the location of the error. */
  readonly errors: readonly string[];
}

/** Reports all errors. An unknown chain is served by its id, and can be given a name in the details. */
export function readNetworks({ networks: list, rpcUrls, networkDetails }: NetworkSources): NetworkSettings {
  const errors: string[] = [];
  const details = readDetails(networkDetails, errors);
  const chains = chooseChains(list, details, errors);
  const nodes = readRpcUrls(rpcUrls, details, errors);
  for (const chainId of nodes.keys()) {
    if (!chains.some((chain) => chain.chainId === chainId))
      errors.push(`rpcUrls: network ${chainId} is not served; add it to the networks`);
  }
  const networks = chains.map((chain) => {
    const detail = details.get(chain.chainId);
    return buildNetwork(chain, { ...detail, rpcUrls: nodes.get(chain.chainId) ?? detail?.rpcUrls });
  });
  errors.push(...duplicateNames(networks), ...networks.flatMap(unpricedPools));
  if (networks.length === 0 && errors.length === 0) errors.push("networks: at least one network is required");
  return { networks, errors };
}

function buildNetwork(
  { chainId, names, title, coin: ownCoin, isTestnet }: KnownChain,
  detail: NetworkDetail,
): Network {
  const name = detail.name ?? names[0];
  const coin = detail.coin ?? ownCoin;
  return {
    chainId,
    name,
    names: [...new Set([name, ...names])],
    title,
    coin,
    isTestnet,
    nodes: detail.rpcUrls ?? [],
    currencies: [{ address: zeroAddress, ...coin }, ...(detail.currencies ?? [])],
    connectors: detail.connectors ?? defaultConnectors(chainId),
    exchanges: detail.exchanges ?? defaultExchangesOf(chainId),
    markets: detail.markets ?? [],
    ...(detail.aggregator === undefined ? {} : { aggregator: detail.aggregator }),
    ...(detail.follow === undefined ? {} : { follow: detail.follow }),
  };
}

function chooseChains(
  list: readonly string[] | undefined,
  details: ReadonlyMap<number, NetworkDetail>,
  errors: string[],
): readonly KnownChain[] {
  if (list === undefined) {
    if (details.size === 0) return defaultChains();
    // JavaScript orders numeric keys before all others, so the order of the details is lost.
    return [...details].sort(([a], [b]) => a - b).map(([chainId, { name }]) => chainOf(chainId, name));
  }
  const chains = new Map<number, KnownChain>();
  for (const text of list) {
    const chainId = resolveChainId(text, details);
    if (chainId === undefined) errors.push(`networks: ${describeUnknownNetwork(text)}`);
    else chains.set(chainId, chainOf(chainId, details.get(chainId)?.name));
  }
  return [...chains.values()];
}

function chainOf(chainId: number, name: string | undefined): KnownChain {
  const text = name ?? String(chainId);
  return (
    knownChains().get(chainId) ?? {
      chainId,
      names: [text],
      title: text,
      coin: { name: "Ether", symbol: "ETH", decimals: 18 },
      isTestnet: false,
    }
  );
}

/** A pool's price is in another currency, whose rate must be configured. */
function unpricedPools({ name, currencies }: Network): readonly string[] {
  return currencies.flatMap(({ symbol, usdFrom }) => {
    if (usdFrom === undefined || usdFrom.kind === "feed") return [];
    const other = currencies.find(({ address }) => address === usdFrom.against);
    if (other?.usdRate !== undefined) return [];
    return [
      `networkDetails.${name}: usdFrom of ${symbol}: ${usdFrom.against} is not one of its currencies with a usdRate`,
    ];
  });
}

/** With an ambiguous name, calls could go to either chain. */
function duplicateNames(networks: readonly Network[]): readonly string[] {
  const seen = new Map<string, Network>();
  const errors: string[] = [];
  for (const network of networks) {
    for (const name of network.names) {
      const other = seen.get(name);
      if (other !== undefined)
        errors.push(`networks: "${name}" is the name of both ${other.chainId} and ${network.chainId}`);
      seen.set(name, network);
    }
  }
  return errors;
}

function readRpcUrls(
  rpcUrls: readonly string[],
  details: ReadonlyMap<number, NetworkDetail>,
  errors: string[],
): ReadonlyMap<number, readonly NodeSettings[]> {
  const nodes = new Map<number, NodeSettings[]>();
  for (const [index, text] of rpcUrls.entries()) {
    const [, name = "", url = ""] = /^([^=]*)=(.*)$/.exec(text) ?? [];
    const at = `rpcUrls[${index}]`;
    const chainId = resolveChainId(name, details);
    if (name === "") errors.push(`${at}: expected NETWORK=URL, such as 137=https://a.example`);
    else if (chainId === undefined) errors.push(`${at}: ${describeUnknownNetwork(name)}`);
    else if (isRpcUrl(url, at, errors)) nodes.set(chainId, [...(nodes.get(chainId) ?? []), { url }]);
  }
  return nodes;
}
