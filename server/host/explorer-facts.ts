import type { Network } from "../chain/networks/network.ts";

/** What the page cannot read in the contract. */
export interface FactSources {
  readonly services: readonly string[];
  readonly networks: readonly Network[];
  /** Services with an address for each network. */
  readonly networkServices: readonly string[];
  readonly isSandbox: boolean;
}

export function hostFacts({ services, networks, networkServices, isSandbox }: FactSources): unknown {
  return {
    title: "Platform API",
    services,
    networks: networks.map(({ chainId, name }) => ({ chainId, name })),
    networkServices,
    keys: [
      {
        name: "accessKey",
        title: "Access key",
        header: "X-Access-Key",
        help: "Paste the key of your project; operators make one with: npx platform keys create.",
      },
      {
        name: "secretKey",
        title: "Secret key",
        header: "Authorization",
        prefix: "BEARER ",
        isSecret: true,
        help: "Paste the secret key of a service account; operators make one with: npx platform secrets create.",
      },
    ],
    isSandbox,
  };
}
