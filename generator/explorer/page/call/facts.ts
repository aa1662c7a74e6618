/** What a host says of itself beside its contract, at `/host.json`. A host that says nothing serves the contract as it stands. */
export interface HostFacts {
  readonly title?: string;
  /** The services that it hosts; without it all of the contract. */
  readonly services?: readonly string[];
  readonly networks?: readonly { readonly chainId: number; readonly name: string }[];
  /** Services with an address for each network: `/<network>/rpc/…`. */
  readonly networkServices?: readonly string[];
  /** By the names that `@auth` uses. */
  readonly keys?: readonly KeyFact[];
  /** Whether it is a developer's own, with keys and a live view to show. */
  readonly isSandbox?: boolean;
}

export interface KeyFact {
  readonly name: string;
  readonly title: string;
  readonly header: string;
  /** Stands before the key in its header: `BEARER `. */
  readonly prefix?: string;
  /** A secret is written into no text that is copied. */
  readonly isSecret?: boolean;
  /** Where one comes from. */
  readonly help?: string;
}
