import type { IndexerHandlers } from "../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { onNetwork, type Ports } from "./indexer-call.ts";

export function resumeAllWebhookListeners({
  networks,
  webhooks,
}: Ports): IndexerHandlers<CallContext>["ResumeAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, networks, async (owned) => {
      await webhooks.resumeAll(owned);
      return { status: true };
    });
}
