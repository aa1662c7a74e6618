import type { IndexerHandlers } from "../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { noListener, onNetwork, type Ports } from "./indexer-call.ts";

export function rotateWebhookSecret({
  networks,
  webhooks,
}: Ports): IndexerHandlers<CallContext>["RotateWebhookSecret"] {
  return (ctx, req) =>
    onNetwork(ctx, req, networks, async (owned) => {
      const secret = await webhooks.rotateSecret(owned, req.id);
      return secret === undefined ? noListener(ctx, req.id) : { secret };
    });
}
