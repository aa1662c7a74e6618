import type { MethodInfo } from "ridlkit-runtime/client";
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
} from "../generated/client.ts";

export interface PlatformSettings {
  /** Scheme, host and any path prefix of the platform: `https://api.example`. */
  readonly url: string;
  /** The project's access key, which every method except Ping and Version needs. May be used in a browser. */
  readonly accessKey?: string;
  /**
   * The service account's secret key (a JWT), for webhooks and contact details of audiences. Sent only to Builder and Indexer.
   * Must not be used in a browser. A function is called for each attempt of a call.
   */
  readonly secretKey?: string | (() => string | Promise<string>);
  /** Most retries of calls that are safe to repeat. Default: 2. 0: none. */
  readonly retries?: number;
  /** Timeout of a whole call with its retries, in milliseconds. Default: 30,000. 0: none. */
  readonly timeoutMs?: number;
  /** Sends reads of market data and metadata by GET, so that caches can answer them. Default: POST. */
  readonly reads?: Client["reads"];
  readonly transport?: Client["transport"];
  /** Wraps each call outside of its retries: for logging, tracing, and your own headers. */
  readonly interceptor?: Interceptor;
}

/** Services with a path for each network. */
export interface NetworkServices {
  readonly marketplace: Marketplace;
  readonly indexer: Indexer;
}

/** The platform's five services. Marketplace and Indexer have a path for each network: `on("polygon").marketplace`. */
export interface Platform {
  readonly api: API;
  readonly builder: Builder;
  readonly metadata: Metadata;
  /**
   * @param network Name or chain id: `mainnet`, `polygon`, 137 or `"137"`. Calls for a network that the host does not serve fail
   * with WebrpcBadRoute.
   */
  on(network: string | number): NetworkServices;
}

/**
 * Creates one object for all services, with keys and retries.
 *
 * ```ts
 * const platform = connect({ url: "https://api.example", accessKey });
 * const { collectible } = await platform.on("polygon").marketplace.getFloorOrder({ contractAddress });
 * ```
 *
 * @throws TypeError if the URL is invalid.
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
        const networkClient = { ...client, url: `${url}/${encodeURIComponent(name)}` };
        services = { marketplace: new Marketplace(networkClient), indexer: new Indexer(networkClient) };
        networks.set(name, services);
      }
      return services;
    },
  };
}

function clientOf(settings: PlatformSettings, url: string): Client {
  const { accessKey, secretKey, timeoutMs, reads, transport, interceptor } = settings;
  const retry = retries(settings.retries);
  return {
    url,
    headers: async ({ method }) => ({
      ...(accessKey !== undefined && { "X-Access-Key": accessKey }),
      ...(secretKey !== undefined && (await secretHeaders(secretKey, method))),
    }),
    interceptor: interceptor === undefined ? retry : chain(interceptor, retry),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(reads !== undefined && { reads }),
    ...(transport !== undefined && { transport }),
  };
}

/** Checks the URL, and removes trailing slashes. */
function baseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError(`invalid url "${text}": expected a URL with a scheme, such as https://api.example`);
  }
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`invalid url: expected http: or https:, found "${url.protocol}"`);
  if (url.search || url.hash)
    throw new TypeError(
      `invalid url: remove "${url.search}${url.hash}", because the paths of methods are appended`,
    );
  return text.replace(/\/+$/, "");
}

/** Only services that use a secret key get one, so that it travels no further than necessary. */
const servicesWithSecrets: ReadonlySet<string> = new Set(["Builder", "Indexer"]);

async function secretHeaders(
  key: string | (() => string | Promise<string>),
  { service }: MethodInfo,
): Promise<Readonly<Record<string, string>>> {
  if (!servicesWithSecrets.has(service)) return {};
  return { Authorization: `BEARER ${typeof key === "string" ? key : await key()}` };
}
