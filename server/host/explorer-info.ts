import type { HostInfo } from "../../generator/explorer/page/call/host-info.ts";
import type { Network } from "../chain/networks/network.ts";

/** What the explorer needs to know about this host, in addition to the contract. */
export interface HostInfoSource {
  readonly services: readonly string[];
  readonly networks: readonly Network[];
  /** Services with a path for each network. */
  readonly networkServices: readonly string[];
  readonly isSandbox: boolean;
}

const sandboxHelp = "Open the explorer by its address in the terminal: it fills in the keys.";

export function hostInfo({ services, networks, networkServices, isSandbox }: HostInfoSource): HostInfo {
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
        help: isSandbox
          ? sandboxHelp
          : "Paste the key of your project. Operators create keys with: npx platform keys create.",
      },
      {
        name: "secretKey",
        title: "Secret key",
        header: "Authorization",
        prefix: "BEARER ",
        isSecret: true,
        help: isSandbox
          ? sandboxHelp
          : "Paste the secret key of a service account. Operators create them with: npx platform secrets create.",
      },
    ],
    isSandbox,
    openapi: "../openapi.json",
    command: "npm start",
  };
}
