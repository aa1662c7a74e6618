import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { onNetwork, type Ports } from "./indexer-call.ts";

export function removeAllWebhookListeners(
  ports: Ports,
): IndexerHandlers<CallContext>["RemoveAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, ports, async (webhooks, owned) => {
      await webhooks.removeAll(owned);
      return { status: true };
    });
}
