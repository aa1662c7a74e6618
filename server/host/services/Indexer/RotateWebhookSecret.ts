import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerDependencies, noListener, onNetwork } from "./indexer-call.ts";

export function rotateWebhookSecret(
  dependencies: IndexerDependencies,
): IndexerHandlers<CallContext>["RotateWebhookSecret"] {
  return (ctx, req) =>
    onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
      const secret = await webhooks.rotateSecret(scope, req.id);
      return secret === undefined ? noListener(ctx, req.id) : { secret };
    });
}
