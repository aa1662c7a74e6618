import { RequestRejection } from "../../base/request-rejection.ts";
import { localChain, readChainId } from "./known-chains.ts";
import type { Network } from "./network.ts";

/** Where a call may name its network: in its path, in its body, in both, or in neither. */
interface CallNetworks {
  readonly pathNetwork: Network | undefined;
  readonly chainId: string | undefined;
}

/** The networks of one host, found by any name or id. */
export class Networks {
  readonly all: readonly Network[];
  /** The network of calls that name none: the first in the configuration. */
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

  /**
   * Finds a network by id or name: `"137"`, `137`, `"0x89"`, `"polygon"` and `"Polygon"` are the same. Returns undefined if
   * this host does not serve it.
   */
  find(chain: string | number): Network | undefined {
    const text = String(chain);
    const chainId = readChainId(text);
    return chainId === undefined ? this.#byName.get(text.toLowerCase()) : this.#byChainId.get(chainId);
  }

  /**
   * Returns the network of a call: that of its path, else of its body, else the preferred one. Throws RequestRejection if they
   * conflict or the network is unknown.
   */
  forCall({ pathNetwork, chainId }: CallNetworks): Network {
    if (chainId === undefined) return pathNetwork ?? this.preferred;
    const network = this.find(chainId);
    if (network === undefined)
      throw new RequestRejection(
        `/chainId: this host does not serve "${chainId}"; it serves ${this.describe()}`,
      );
    if (network === (pathNetwork ?? network)) return network;
    throw new RequestRejection(
      `/chainId: "${chainId}" differs from the path's network, ${pathNetwork?.name}`,
    );
  }

  /** Lists the first networks for error messages: `polygon (137), base (8453)`. */
  describe(): string {
    const some = this.all.slice(0, 5).map(({ name, chainId }) => `${name} (${chainId})`);
    return `${some.join(", ")}${some.length < this.all.length ? ", …" : ""}`;
  }
}

/** Describes what a network lacks, for callers. For the local chain, adds how to install it. */
export function describeMissing({ chainId }: Network, missing: string): string {
  return chainId === localChain.chainId ? `${missing}: ${advice}` : missing;
}

const advice =
  "npm start runs the local chain if its optional packages are installed (npm install --include=optional)";
