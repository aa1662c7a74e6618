import type { Network } from "./networks/network.ts";

/** What the host tells once it can be called. */
export interface Ready {
  readonly url: string;
  /** Of the operators' pages. */
  readonly adminUrl: string;
  readonly networks: readonly Pick<Network, "chainId" | "name">[];
}

export function readyJson(ready: Ready): string {
  return `${JSON.stringify({ ready: true, ...ready })}\n`;
}

export function readyText({ url }: Ready): string {
  return `The platform API listens on ${url}. Try:\n\n  curl -s ${url}/rpc/API/Ping -H 'content-type: application/json' -d '{}'\n\n`;
}
