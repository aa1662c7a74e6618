import { pageToken, type Sandbox } from "../base/credentials/sandbox.ts";
import type { Network } from "../chain/networks/network.ts";
import type { LocalChain } from "../chain/sandbox/local-network.ts";
import { signedGreeting } from "./sandbox-page/examples.ts";

/** What the host prints when it is ready for calls. */
export interface Ready extends Partial<Sandbox> {
  readonly url: string;
  /** The admin server: health, readiness and metrics. */
  readonly adminUrl: string;
  /** Undefined unless the host has started a chain of its own. */
  readonly localChain?: LocalChain;
  readonly networks: readonly Pick<Network, "chainId" | "name">[];
  /** Undefined unless the host has demo data. */
  readonly demo?: { readonly audienceId: number; readonly receiverUrl?: string };
}

export function readyJson(ready: Ready): string {
  return `${JSON.stringify({ ready: true, ...ready, explorerUrl: explorerUrlOf(ready) })}\n`;
}

/** The address that opens the sandbox's explorer with its keys. Undefined unless the host is a sandbox. */
export function explorerUrlOf({ url, secretKey }: Ready): string | undefined {
  return secretKey === undefined ? undefined : `${url}/sandbox/open?token=${pageToken({ secretKey })}`;
}

export function readyText(ready: Ready): string {
  const { url, networks, localChain, projectId, accessKey, secretKey } = ready;
  const text = `The platform API listens on ${url}.\n`;
  if (accessKey === undefined) return text;
  return `${text}
The sandbox's project is ${projectId}. Its keys stay the same on later starts:

  access key  ${accessKey}
  secret key  ${secretKey}

Its explorer: ${explorerUrlOf(ready)}

Try:

  curl -s ${url}/rpc/API/IsValidTypedDataSignature \\
    -H 'content-type: application/json' -H 'x-access-key: ${accessKey}' -d '${JSON.stringify(signedGreeting(networks[0]?.name))}'

${localChain === undefined ? "" : localChainText(url, accessKey, localChain)}`;
}

function localChainText(url: string, accessKey: string, { chainId, rpcUrl, tokens }: LocalChain): string {
  const swap = {
    chainId,
    sellCurrencyAddress: tokens.USD,
    buyCurrencyAddress: tokens.GEM,
    buyAmount: "1000000000000000000",
  };
  return `A local chain runs at ${rpcUrl}. To get the price of a GEM there:

  curl -s ${url}/rpc/API/GetSwapPrice \\
    -H 'content-type: application/json' -H 'x-access-key: ${accessKey}' -d '${JSON.stringify(swap)}'

`;
}
