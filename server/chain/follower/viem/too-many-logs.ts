import { NodeFault, ResponseTooLarge, RpcError } from "../../rpc/nodes/faults.ts";

/** How nodes and providers say that a range of blocks has more logs, or more blocks, than they give at once. */
const wordings =
  /more than [\d,]+ (results|logs)|exceeds? (the )?(max|limit|allowed|range)|(block )?range (is )?(too (large|wide|big)|limit|exceed)|too (many|large)|limited to|response size|size (is )?(larger|exceed)|query returned more|max(imum)? (block )?range|query timeout|timed out|log limit|up to a [\d,k]+ block|ranges over|(is|are) (greater|larger|bigger|more) than|exceed.*block|block.*exceed/i;

/** Errors that are about too many requests, and not about too many logs. */
const rate =
  /too many requests|rate limit|request rate|request count|requests? per second|per second|429|capacity|credits|quota/i;

/**
 * Without a wording that is known: parameters that are ours are well formed, so what a node calls invalid is their extent; the
 * other says that a limit is exceeded (EIP-1474).
 */
const codes: ReadonlySet<unknown> = new Set([-32_602, -32_005]);

/** Of an answer to a question for the logs of several blocks. */
export function isTooManyLogs(err: unknown): boolean {
  if (err instanceof ResponseTooLarge) return true;
  if (!(err instanceof RpcError || err instanceof NodeFault)) return false;
  const { detail, data } = err instanceof RpcError ? err : { detail: err.detail, data: undefined };
  const text = data === undefined ? detail : `${detail} ${JSON.stringify(data)}`;
  if (rate.test(text)) return false;
  return wordings.test(text) || (err instanceof RpcError && codes.has(err.code));
}
