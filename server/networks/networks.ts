/**
 * The chains that a host serves, and how callers may spell them. Names are those of the official clients.
 */

export interface Network {
  /** EIP-155 chain id. */
  readonly chainId: number;
  readonly name: string;
}

/** Chains by the name that a path or a `chainId` may have. Any other chain is configured by its number. */
export const knownNetworks: readonly Network[] = [
  { name: "mainnet", chainId: 1 },
  { name: "optimism", chainId: 10 },
  { name: "bsc", chainId: 56 },
  { name: "gnosis", chainId: 100 },
  { name: "polygon", chainId: 137 },
  { name: "base", chainId: 8453 },
  { name: "hardhat", chainId: 31337 },
  { name: "arbitrum", chainId: 42161 },
  { name: "arbitrum-nova", chainId: 42170 },
  { name: "avalanche", chainId: 43114 },
  { name: "amoy", chainId: 80002 },
  { name: "base-sepolia", chainId: 84532 },
  { name: "arbitrum-sepolia", chainId: 421614 },
  { name: "sepolia", chainId: 11155111 },
  { name: "optimism-sepolia", chainId: 11155420 },
];

/** The networks of one host. */
export class Networks {
  readonly #byChainId = new Map<number, Network>();
  readonly #byName = new Map<string, Network>();

  constructor(networks: readonly Network[]) {
    for (const network of networks) {
      this.#byChainId.set(network.chainId, network);
      this.#byName.set(network.name, network);
    }
  }

  /** `"137"`, `"0x89"` and `"polygon"` are one network; undefined if this host does not serve it. */
  find(chain: string): Network | undefined {
    const text = chain.toLowerCase();
    if (/^(0x[0-9a-f]{1,16}|[0-9]{1,16})$/.test(text)) return this.#byChainId.get(Number(text));
    return this.#byName.get(text);
  }
}

/** `"polygon,1,31337"` → networks; undefined names are answered as `unknown`. */
export function readNetworks(list: string): {
  readonly networks: readonly Network[];
  readonly unknown: readonly string[];
} {
  const networks: Network[] = [];
  const unknown: string[] = [];
  for (const entry of list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")) {
    const chainId = /^[0-9]{1,15}$/.test(entry) ? Number(entry) : undefined;
    const known = knownNetworks.find((network) => network.name === entry || network.chainId === chainId);
    if (known !== undefined) networks.push(known);
    else if (chainId !== undefined) networks.push({ chainId, name: entry });
    else unknown.push(entry);
  }
  return { networks, unknown };
}
