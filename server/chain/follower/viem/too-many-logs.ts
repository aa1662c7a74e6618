import { NodeFault, ResponseTooLarge, RpcError } from "../../rpc/nodes/faults.ts";

/** How nodes and providers report that a range has more logs or blocks than they return in one response. */
const tooManyPattern =
  /more than [\d,]+ (results|logs)|exceeds? (the )?(max|limit|allowed|range)|(block )?range (is )?(too (large|wide|big)|limit|exceed)|too (many|large)|limited to|response size|size (is )?(larger|exceed)|query returned more|max(imum)? (block )?range|query timeout|timed out|log limit|up to a [\d,k]+ block|ranges over|(is|are) (greater|larger|bigger|more) than|exceed.*block|block.*exceed/i;

/** Errors about too many requests, not too many logs. */
const rateLimitPattern =
  /too many requests|rate limit|request rate|request count|requests? per second|per second|429|capacity|credits|quota/i;

/**
 * Codes of errors about too many logs, for messages that match neither pattern. -32602 (invalid parameters): the host's parameters
 * are well formed, so only the range can be too large. -32005: limit exceeded (EIP-1474).
 */
const tooManyCodes: ReadonlySet<unknown> = new Set([-32_602, -32_005]);

/** Whether the response to a request for the logs of several blocks means that there are too many. */
export function isTooManyLogs(err: unknown): boolean {
  if (err instanceof ResponseTooLarge) return true;
  if (!(err instanceof RpcError || err instanceof NodeFault)) return false;
  const { detail, data } = err instanceof RpcError ? err : { detail: err.detail, data: undefined };
  const text = data === undefined ? detail : `${detail} ${JSON.stringify(data)}`;
  if (rateLimitPattern.test(text)) return false;
  return tooManyPattern.test(text) || (err instanceof RpcError && tooManyCodes.has(err.code));
}
