import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerDependencies, onNetwork } from "./indexer-call.ts";

export function pauseAllWebhookListeners(
  dependencies: IndexerDependencies,
): IndexerHandlers<CallContext>["PauseAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
      await webhooks.pauseAll(scope);
      return { status: true };
    });
}
