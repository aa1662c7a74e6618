/** A list of calls of bounded length, newest first. */
import type { PastCall } from "../call/past-call.ts";

export interface NumberedCall extends PastCall {
  /** Rises with each call. */
  readonly id: number;
}

export type Calls = readonly NumberedCall[];

/** Number of calls that are kept. */
export const maxCalls = 50;

/** Length of all calls as JSON, in characters. Browsers store about 5 million for each origin, which may have other pages. */
export const maxCallsLength = 1_000_000;

/** Drops the oldest calls if there are too many. */
export function withCall(calls: Calls, call: PastCall): Calls {
  const id = (calls[0]?.id ?? 0) + 1;
  const all = [{ ...call, id }, ...calls].slice(0, maxCalls);
  // The brackets, and a comma after each call.
  let length = 1;
  const fitting = all.findIndex((one) => {
    length += JSON.stringify(one).length + 1;
    return length > maxCallsLength;
  });
  return fitting === -1 ? all : all.slice(0, fitting);
}

/** Ignores what this version of the page did not write. */
export function readCalls(text: string): Calls {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read.filter(isCall) : [];
  } catch {
    return [];
  }
}

function isCall(read: unknown): read is NumberedCall {
  const { id, service, method, at, tookMs, texts, notes } = (read ?? {}) as Record<string, unknown>;
  return (
    [id, at, tookMs].every((number) => typeof number === "number") &&
    [service, method].every((text) => typeof text === "string") &&
    [texts, notes].every((list) => Array.isArray(list) && list.every((one) => typeof one === "string"))
  );
}
