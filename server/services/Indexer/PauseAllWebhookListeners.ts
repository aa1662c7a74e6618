import type { IndexerHandlers } from "../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { onNetwork, type Ports } from "./indexer-call.ts";

export function pauseAllWebhookListeners({
  networks,
  webhooks,
}: Ports): IndexerHandlers<CallContext>["PauseAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, networks, async (owned) => {
      await webhooks.pauseAll(owned);
      return { status: true };
    });
}
