import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerDependencies, noListener, onNetwork, webhookListener } from "./indexer-call.ts";

export function updateWebhookListener(
  dependencies: IndexerDependencies,
): IndexerHandlers<CallContext>["UpdateWebhookListener"] {
  return (ctx, req) => {
    const { listener, projectId: _, chainId: __, ...flat } = req;
    const isFlat = Object.values(flat).some((value) => value !== undefined);
    const change = listener ?? flat;
    const { id } = change;
    if ((listener !== undefined && isFlat) || id === undefined) {
      const cause =
        id === undefined
          ? "id: required, here or in listener.id"
          : "listener: put the changes either in listener or at the top level, not in both";
      return ctx.errors.InvalidArgument({ cause, expose: true });
    }
    return onNetwork(ctx, req, dependencies, async (webhooks, scope) => {
      const changed = await webhooks.update(scope, id, change);
      return changed === undefined
        ? noListener(ctx, id)
        : { status: true, listener: webhookListener(changed) };
    });
  };
}
