import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerPorts, noListener, onNetwork } from "./indexer-call.ts";

export function removeWebhookListener(
  ports: IndexerPorts,
): IndexerHandlers<CallContext>["RemoveWebhookListener"] {
  return (ctx, req) =>
    onNetwork(ctx, req, ports, async (webhooks, scope) =>
      (await webhooks.remove(scope, req.id)) ? { status: true } : noListener(ctx, req.id),
    );
}
