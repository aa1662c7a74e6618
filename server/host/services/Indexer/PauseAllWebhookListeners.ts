import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerPorts, onNetwork } from "./indexer-call.ts";

export function pauseAllWebhookListeners(
  ports: IndexerPorts,
): IndexerHandlers<CallContext>["PauseAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, ports, async (webhooks, scope) => {
      await webhooks.pauseAll(scope);
      return { status: true };
    });
}
