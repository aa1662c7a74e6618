import { readChainId } from "./known-chains.ts";
import type { Network } from "./network.ts";

/** Where a call names its network: in front of its path, in its body, in both alike, or nowhere. */
export interface CallNetworks {
  readonly pathNetwork: Network | undefined;
  readonly chainId: string | undefined;
}

/** The networks of one host, however callers spell them. */
export class Networks {
  readonly all: readonly Network[];
  /** Served where neither the path nor the body names one: the first of the configuration. */
  readonly preferred: Network;
  readonly #byChainId: ReadonlyMap<number, Network>;
  readonly #byName: ReadonlyMap<string, Network>;

  constructor(networks: readonly Network[]) {
    const [preferred] = networks;
    if (preferred === undefined) throw new RangeError("a host serves at least one network");
    this.all = networks;
    this.preferred = preferred;
    this.#byChainId = new Map(networks.map((network) => [network.chainId, network]));
    this.#byName = new Map(networks.flatMap((network) => network.names.map((name) => [name, network])));
  }

  /** `"137"`, `137`, `"0x89"`, `"polygon"` and `"Polygon"` are one network; undefined if this host does not serve it. */
  find(chain: string | number): Network | undefined {
    const text = String(chain);
    const chainId = readChainId(text);
    return chainId === undefined ? this.#byName.get(text.toLowerCase()) : this.#byChainId.get(chainId);
  }

  /** The network of a call: its path's, else its body's, else the preferred one; or what is wrong with them, as a text for the caller. */
  forCall({ pathNetwork, chainId }: CallNetworks): Network | string {
    if (chainId === undefined) return pathNetwork ?? this.preferred;
    const network = this.find(chainId);
    if (network === undefined)
      return `chainId: this host does not serve "${chainId}"; it serves ${this.describe()}`;
    if (network === (pathNetwork ?? network)) return network;
    return `chainId: "${chainId}" is another network than the path's, ${pathNetwork?.name}`;
  }

  /** For callers who named none of them: `polygon (137), base (8453)`; of many the first. */
  describe(): string {
    const some = this.all.slice(0, 5).map(({ name, chainId }) => `${name} (${chainId})`);
    return `${some.join(", ")}${some.length < this.all.length ? ", …" : ""}`;
  }
}
