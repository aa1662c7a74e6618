import type { Format } from "../listener.ts";

/**
 * Builds a request body from the stored notification, which is a JSON object without its sequence. The format `array` is for older
 * receivers: a list of one object, which repeats the sequence as `id` and has `txnLogIndex` as a number.
 */
export function bodyOf(stored: string, sequence: number, format: Format): string {
  if (format === "object") return `{"sequence":${sequence},${stored.slice(1)}`;
  const { txnLogIndex, ...rest } = JSON.parse(stored) as { readonly txnLogIndex: string };
  return JSON.stringify([{ id: sequence, sequence, ...rest, txnLogIndex: Number(txnLogIndex) }]);
}
