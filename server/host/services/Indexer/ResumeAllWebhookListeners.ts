import type { IndexerHandlers } from "../../../../generated/server/indexer.ts";
import type { CallContext } from "../call-context.ts";
import { type IndexerPorts, onNetwork } from "./indexer-call.ts";

export function resumeAllWebhookListeners(
  ports: IndexerPorts,
): IndexerHandlers<CallContext>["ResumeAllWebhookListeners"] {
  return (ctx, req) =>
    onNetwork(ctx, req, ports, async (webhooks, scope) => {
      await webhooks.resumeAll(scope);
      return { status: true };
    });
}
