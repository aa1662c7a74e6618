import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import {
  eventNearMiss,
  type IndexerDependencies,
  noListener,
  onNetwork,
  webhookListener,
} from "./indexer-call.ts";

export function getWebhookListener(
  dependencies: IndexerDependencies,
): IndexerHandlers<CallContext>["GetWebhookListener"] {
  return (ctx, req) =>
    onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
      const listener = await webhooks.get(scope, req.id);
      if (listener === undefined) return noListener(ctx, req.id);
      const nearMisses = await webhooks.nearMisses(req.id);
      return {
        listener: webhookListener(listener),
        ...(nearMisses.length === 0 ? {} : { nearMisses: nearMisses.map(eventNearMiss) }),
      };
    });
}
