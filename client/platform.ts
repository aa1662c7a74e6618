import {
  API,
  Builder,
  type Client,
  chain,
  Indexer,
  type Interceptor,
  Marketplace,
  Metadata,
  retries,
} from "../generated/client/index.ts";
import { secretHeaders } from "./keys.ts";

export interface PlatformSettings {
  /** Scheme, host and any path of the platform: `https://api.example`. */
  readonly url: string;
  /** Project's key, which every method but Ping and Version needs. May be in a browser. */
  readonly accessKey?: string;
  /**
   * Service account's key (a JWT) for webhooks and for contact details of audiences; sent with calls of these services only. Must not be
   * in a browser. A function is asked for each call, and for each try of it.
   */
  readonly secretKey?: string | (() => string | Promise<string>);
  /** Most tries after the first, of calls that nothing can happen twice by. Default 2, 0: none. */
  readonly retries?: number;
  /** For a whole call, with its tries, in milliseconds. Default 30,000. 0: none. */
  readonly timeoutMs?: number;
  /** Default: `fetch`. */
  readonly transport?: Client["transport"];
  /** Stands around each call, outside of its tries: for logs, traces, headers of your own. */
  readonly interceptor?: Interceptor;
}

/** What belongs to one chain. */
export interface NetworkServices {
  readonly marketplace: Marketplace;
  readonly indexer: Indexer;
}

/** The platform's five services. Marketplace and Indexer are at a network's own address: `on("polygon").marketplace`. */
export interface Platform {
  readonly api: API;
  readonly builder: Builder;
  readonly metadata: Metadata;
  /**
   * @param network Name or chain id, as `mainnet`, `polygon`, 137 or `"137"`. One that the host does not serve fails in the call, with
   * WebrpcBadRoute.
   */
  on(network: string | number): NetworkServices;
}

/**
 * One object for all services, with keys and retries in place.
 *
 * ```ts
 * const platform = connect({ url: "https://api.example", accessKey });
 * const { collectible } = await platform.on("polygon").marketplace.getFloorOrder({ contractAddress });
 * ```
 *
 * @throws TypeError if the address is none.
 */
export function connect(settings: PlatformSettings): Platform {
  const url = baseUrl(settings.url);
  const client = clientOf(settings, url);
  const networks = new Map<string, NetworkServices>();
  return {
    api: new API(client),
    builder: new Builder(client),
    metadata: new Metadata(client),
    on(network) {
      const name = String(network);
      let services = networks.get(name);
      if (services === undefined) {
        const there = { ...client, url: `${url}/${encodeURIComponent(name)}` };
        services = { marketplace: new Marketplace(there), indexer: new Indexer(there) };
        networks.set(name, services);
      }
      return services;
    },
  };
}

function clientOf(settings: PlatformSettings, url: string): Client {
  const { accessKey, secretKey, timeoutMs, transport, interceptor } = settings;
  const again = retries(settings.retries);
  return {
    url,
    headers: async ({ method }) => ({
      ...(accessKey !== undefined && { "X-Access-Key": accessKey }),
      ...(secretKey !== undefined && (await secretHeaders(secretKey, method))),
    }),
    interceptor: interceptor === undefined ? again : chain(interceptor, again),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(transport !== undefined && { transport }),
  };
}

/** Without slashes at its end. */
function baseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError(`url is no address: "${text}". It has a scheme, as in https://api.example`);
  }
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`url starts with "${url.protocol}": http: or https: is expected`);
  if (url.search || url.hash)
    throw new TypeError(`url ends with "${url.search}${url.hash}": methods' paths come after it`);
  return text.replace(/\/+$/, "");
}
