import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerPorts, noListener, onNetwork, webhookListener } from "./indexer-call.ts";

export function toggleWebhookListener(
  ports: IndexerPorts,
): IndexerHandlers<CallContext>["ToggleWebhookListener"] {
  return (ctx, req) =>
    onNetwork(ctx, req, ports, async (webhooks, scope) => {
      const listener = await webhooks.toggle(scope, req.id);
      return listener === undefined
        ? noListener(ctx, req.id)
        : { webhookListener: webhookListener(listener) };
    });
}
