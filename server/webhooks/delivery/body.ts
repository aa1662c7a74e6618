import type { Format } from "../listener.ts";

/**
 * The body of a call. What is stored is the notification as an object, without its sequence; older receivers get it as a list of
 * one, with the sequence as its id too and the log's place as a number.
 */
export function bodyOf(stored: string, sequence: number, format: Format): string {
  if (format === "object") return `{"sequence":${sequence},${stored.slice(1)}`;
  const { txnLogIndex, ...rest } = JSON.parse(stored) as { readonly txnLogIndex: string };
  return JSON.stringify([{ id: sequence, sequence, ...rest, txnLogIndex: Number(txnLogIndex) }]);
}
