import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerDependencies, noListener, onNetwork } from "./indexer-call.ts";

export function removeWebhookListener(
  dependencies: IndexerDependencies,
): IndexerHandlers<CallContext>["RemoveWebhookListener"] {
  return (ctx, req) =>
    onNetwork(ctx, req, dependencies, async (webhooks, scope) =>
      (await webhooks.remove(scope, req.id)) ? { status: true } : noListener(ctx, req.id),
    );
}
