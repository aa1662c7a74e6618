import { emitterAddress } from "./event-chain.ts";
import type { RunningHost } from "./host.ts";

export interface TransferListenerOptions {
  readonly delivery?: "head" | "safe" | "finalized" | undefined;
  readonly confirmations?: number;
  readonly fromBlock?: number;
}

/** A listener for all transfers that `transferEmitter` emits on the local chain. */
export async function addTransferListener(
  host: RunningHost,
  url: string,
  { delivery, confirmations, fromBlock }: TransferListenerOptions = {},
): Promise<void> {
  const events = ["Transfer(address indexed from, address indexed to, uint256 value)"];
  const response = await fetch(`${host.url}/31337/rpc/Indexer/AddWebhookListener`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-access-key": host.accessKey,
      authorization: `BEARER ${host.secretKey}`,
    },
    body: JSON.stringify({
      url,
      delivery,
      confirmations,
      fromBlock,
      filters: { contractAddresses: [emitterAddress], events },
    }),
  });
  if (!response.ok) throw new Error(`the listener was not added: ${await response.text()}`);
}
