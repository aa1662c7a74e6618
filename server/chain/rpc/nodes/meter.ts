import type { NodeCall, NodeCalls, NodeClient } from "./client.ts";
import { isRefusal, RpcError } from "./faults.ts";
import type { Reply } from "./json-rpc.ts";
import type { MeteredNode, SentRequest } from "./metered-nodes.ts";
import type { Share, TakeOptions } from "./node-budget.ts";

/** Waits for the node's budget before each call, and reports to it whether the node refused the call. */
export function meteredCalls(
  client: NodeClient,
  { take }: MeteredNode,
  share: Share,
  options: TakeOptions,
): NodeCalls {
  const metered = (send: NodeClient["sendAlone"]): NodeCall => {
    return async (method, params) => {
      const sent = await take(share, method, options);
      const { reply, chainFault } = await send(method, params);
      reportReply(sent, reply);
      if (chainFault !== undefined) throw chainFault;
      if (reply instanceof Error) throw reply;
      return reply.result;
    };
  };
  return { callAlone: metered(client.sendAlone), callInBatch: metered(client.sendInBatch) };
}

/** Reports nothing if the node did not respond: it may not have received the request. */
export function reportReply(sent: SentRequest, reply: Reply): void {
  if (isRefusal(reply)) sent.refused(reply.refusal, reply.reason);
  else if (!(reply instanceof Error) || reply instanceof RpcError) sent.accepted();
}
