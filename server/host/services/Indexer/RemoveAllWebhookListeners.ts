import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerPorts, onNetwork } from "./indexer-call.ts";

export function removeAllWebhookListeners(
  ports: IndexerPorts,
): IndexerHandlers<CallContext>["RemoveAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, ports, async (webhooks, scope) => {
      await webhooks.removeAll(scope);
      return { status: true };
    });
}
