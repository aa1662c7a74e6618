import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerDependencies, noListener, onNetwork, webhookListener } from "./indexer-call.ts";

export function toggleWebhookListener(
  dependencies: IndexerDependencies,
): IndexerHandlers<CallContext>["ToggleWebhookListener"] {
  return (ctx, req) =>
    onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
      const listener = await webhooks.toggle(scope, req.id);
      return listener === undefined
        ? noListener(ctx, req.id)
        : { webhookListener: webhookListener(listener) };
    });
}
