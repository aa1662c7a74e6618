import type { IndexerHandlers } from "../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { noListener, onNetwork, type Ports, webhookListener } from "./indexer-call.ts";

export function getWebhookListener({
  networks,
  webhooks,
}: Ports): IndexerHandlers<CallContext>["GetWebhookListener"] {
  return (ctx, req) =>
    onNetwork(ctx, req, networks, async (owned) => {
      const listener = await webhooks.get(owned, req.id);
      return listener === undefined ? noListener(ctx, req.id) : { listener: webhookListener(listener) };
    });
}
