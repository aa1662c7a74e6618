/** Information about a host that its contract does not contain, read from `/host.json`. */
export interface HostInfo {
  readonly title?: string;
  /**
   * URLs of the server, relative to the page: `https://api.example`. Default: `..`, because servers serve the page in a folder of
   * their own.
   */
  readonly servers?: readonly string[];
  /** URL of the OpenAPI document, relative to the page. */
  readonly openapi?: string;
  /** Starts the server: `npx ridlkit dev`. */
  readonly command?: string;
  /** URL of the problems of a server under development, as server-sent events, relative to the page. */
  readonly problems?: string;
  /** Valid request bodies, by method: `Marketplace/GetOrders`. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Whether headers such as `Mock-Error` control the responses. */
  readonly isMock?: boolean;
  /** The hosted services. Default: all services of the contract. */
  readonly services?: readonly string[];
  readonly networks?: readonly { readonly chainId: number; readonly name: string }[];
  /** Services with an address for each network: `/<network>/rpc/…`. */
  readonly networkServices?: readonly string[];
  /** Named as in `@auth`. */
  readonly keys?: readonly KeyInfo[];
  /** Whether the host is a developer's sandbox, with keys and a live view. */
  readonly isSandbox?: boolean;
}

export interface KeyInfo {
  readonly name: string;
  readonly title: string;
  readonly header: string;
  /** Precedes the key in its header: `BEARER `. */
  readonly prefix?: string;
  /** Secret keys never appear in copied text, except the initial value. */
  readonly isSecret?: boolean;
  /** The initial value, for servers that accept any key. */
  readonly value?: string;
  /** How to get a key. */
  readonly help?: string;
}
