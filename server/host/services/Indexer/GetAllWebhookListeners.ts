import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerDependencies, onNetwork, webhookListener } from "./indexer-call.ts";

export function getAllWebhookListeners(
  dependencies: IndexerDependencies,
): IndexerHandlers<CallContext>["GetAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, dependencies, async (webhooks, scope) => ({
      listeners: (await webhooks.list(scope)).map(webhookListener),
    }));
}
