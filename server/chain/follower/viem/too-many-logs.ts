import { NodeFault, ResponseTooLarge, RpcError } from "../../rpc/nodes/faults.ts";
import { rateLimitPattern } from "../../rpc/nodes/refusal.ts";

/** How nodes and providers report that a range has more logs or blocks than they return in one response. */
const tooManyPattern =
  /more than [\d,]+ (results|logs)|exceeds? (the )?(max|limit|allowed|range)|(block )?range (is )?(too (large|wide|big)|limit|exceed)|too (many|large)|limited to|response size|size (is )?(larger|exceed)|query returned more|max(imum)? (block )?range|query timeout|timed out|log limit|up to a [\d,k]+ block|ranges over|(is|are) (greater|larger|bigger|more) than|exceed.*block|block.*exceed/i;

/**
 * Codes of errors about too many logs, for messages that match neither pattern. -32602 (invalid parameters): the host's parameters
 * are well formed, so only the range can be too large. -32005: limit exceeded (EIP-1474).
 */
const tooManyCodes: ReadonlySet<unknown> = new Set([-32_602, -32_005]);

/** Whether the response to a request for the logs of several blocks means that there are too many. */
export function isTooManyLogs(err: unknown): boolean {
  if (err instanceof ResponseTooLarge) return true;
  const text = textOf(err);
  if (text === undefined) return false;
  if (rateLimitPattern.test(text)) return false;
  return tooManyPattern.test(text) || (err instanceof RpcError && tooManyCodes.has(err.code));
}

/** Whether a node refuses requests for their rate, or does not respond in time. */
export function isOverloaded(err: unknown): boolean {
  const text = textOf(err);
  return text !== undefined && (rateLimitPattern.test(text) || /^no complete response within/.test(text));
}

/** The forms of "[0x10, 0x1f]" and "100-200": a range that the node would accept. */
const rangePatterns: readonly RegExp[] = [/\[(0x[0-9a-f]+), ?(0x[0-9a-f]+)\]/i, /range (\d+)-(\d+)/i];

/** The forms of "up to a 2K block range" and "max block range: 10,000". */
const countPatterns: readonly RegExp[] = [
  /\b([\d,]+)(k?) blocks? range/i,
  /(?:range limit|limit of|limited to(?: a)?|ranges over|max(?:imum)?(?: block)? range(?: is)?|maximum is set to|narrow your filter)\b[ :=]*([\d,]+)(k?)\b/i,
];

/** Returns the number of blocks that the node's message allows, if it states one. */
export function suggestedBlocks(err: unknown): number | undefined {
  const text = textOf(err) ?? "";
  for (const pattern of rangePatterns) {
    const [, from, to] = pattern.exec(text) ?? [];
    if (from !== undefined && to !== undefined) return Number(to) - Number(from) + 1;
  }
  for (const pattern of countPatterns) {
    const [, count, thousands] = pattern.exec(text) ?? [];
    if (count !== undefined) return Number(count.replaceAll(",", "")) * (thousands === "" ? 1 : 1_000);
  }
  return undefined;
}

/** Whether the node responds to a request with an error other than that it is overloaded. */
export function isRejected(err: unknown): boolean {
  return err instanceof RpcError && !isOverloaded(err);
}

/** Whether the node rejects the parameters of a request: it does not support them. */
export function isParameterRejected(err: unknown): boolean {
  if (!(err instanceof RpcError && isRejected(err))) return false;
  return (
    err.code === -32_602 ||
    /block ?hash.*(support|unknown field|invalid|unexpected)|(support|unknown field|invalid|unexpected).*block ?hash/i.test(
      err.detail,
    )
  );
}

function textOf(err: unknown): string | undefined {
  if (!(err instanceof RpcError || err instanceof NodeFault)) return undefined;
  const { detail, data } = err instanceof RpcError ? err : { detail: err.detail, data: undefined };
  return data === undefined ? detail : `${detail} ${JSON.stringify(data)}`;
}
