import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerPorts, onNetwork, webhookListener } from "./indexer-call.ts";

export function getAllWebhookListeners(
  ports: IndexerPorts,
): IndexerHandlers<CallContext>["GetAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, ports, async (webhooks, scope) => ({
      listeners: (await webhooks.list(scope)).map(webhookListener),
    }));
}
