import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerDependencies, onNetwork } from "./indexer-call.ts";

export function resumeAllWebhookListeners(
  dependencies: IndexerDependencies,
): IndexerHandlers<CallContext>["ResumeAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
      await webhooks.resumeAll(scope);
      return { status: true };
    });
}
