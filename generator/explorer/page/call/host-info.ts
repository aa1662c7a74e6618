/** Information about a host that its contract does not contain, read from `/host.json`. */
export interface HostInfo {
  readonly title?: string;
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
  /** Secret keys never appear in copied text. */
  readonly isSecret?: boolean;
  /** How to get a key. */
  readonly help?: string;
}
