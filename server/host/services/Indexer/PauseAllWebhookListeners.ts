import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { onNetwork, type Ports } from "./indexer-call.ts";

export function pauseAllWebhookListeners(
  ports: Ports,
): IndexerHandlers<CallContext>["PauseAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, ports, async (webhooks, owned) => {
      await webhooks.pauseAll(owned);
      return { status: true };
    });
}
