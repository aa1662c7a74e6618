import { http } from "viem";
import { wholeAnswer } from "./whole-answer.ts";

export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

export interface NodeLimits {
  /** One answer, until its last byte. */
  readonly answerMaxMs: number;
  /** Of one answer: some 100,000 logs. */
  readonly answerMaxBytes: number;
  /** Questions in one request. */
  readonly batch: number;
}

/** One node over HTTP: questions alone, or put together with others of the same moment. */
export function openNode(url: string, limits: NodeLimits): { readonly alone: Ask; readonly together: Ask } {
  const transport = (batch: false | { readonly batchSize: number; readonly wait: number }): Ask => {
    const { request } = http(url, {
      batch,
      retryCount: 0,
      // The limit below holds until the last byte; viem's ends with the headers.
      timeout: 0,
      // Bounded below, too.
      maxResponseBodySize: false,
      fetchFn: async (address, { method = "POST", headers = {}, body = "" } = {}) => {
        const signal = AbortSignal.timeout(limits.answerMaxMs);
        // Where a node sends elsewhere, that is no node which the operator has configured.
        const response = await fetch(address, { method, headers, body, signal, redirect: "error" });
        return wholeAnswer(response, limits.answerMaxBytes);
      },
    })({ retryCount: 0 });
    return (method, params) => request({ method, params } as never);
  };
  return { alone: transport(false), together: transport({ batchSize: limits.batch, wait: 0 }) };
}
