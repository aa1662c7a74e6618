import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { noListener, onNetwork, type Ports } from "./indexer-call.ts";

export function removeWebhookListener(ports: Ports): IndexerHandlers<CallContext>["RemoveWebhookListener"] {
  return (ctx, req) =>
    onNetwork(ctx, req, ports, async (webhooks, owned) =>
      (await webhooks.remove(owned, req.id)) ? { status: true } : noListener(ctx, req.id),
    );
}
