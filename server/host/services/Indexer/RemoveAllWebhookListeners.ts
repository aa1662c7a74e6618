import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerDependencies, onNetwork } from "./indexer-call.ts";

export function removeAllWebhookListeners(
  dependencies: IndexerDependencies,
): IndexerHandlers<CallContext>["RemoveAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
      await webhooks.removeAll(scope);
      return { status: true };
    });
}
