import type { IndexerHandlers } from "../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { onNetwork, type Ports, webhookListener } from "./indexer-call.ts";

export function addWebhookListener({
  networks,
  webhooks,
}: Ports): IndexerHandlers<CallContext>["AddWebhookListener"] {
  return (ctx, req) =>
    onNetwork(ctx, req, networks, async (owned) => {
      const { listener, secret } = await webhooks.add(owned, req);
      return { status: true, listener: webhookListener(listener), secret };
    });
}
