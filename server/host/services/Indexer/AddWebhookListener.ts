import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerDependencies, onNetwork, webhookListener } from "./indexer-call.ts";

export function addWebhookListener(
  dependencies: IndexerDependencies,
): IndexerHandlers<CallContext>["AddWebhookListener"] {
  return (ctx, req) =>
    onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
      const { listener, secret } = await webhooks.add(scope, req);
      return { status: true, listener: webhookListener(listener), secret };
    });
}
