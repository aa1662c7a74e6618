/** A call as the history keeps it: without keys, headers, files and private data. */
import { keptOf, type Omitted } from "../form/kept.ts";
import { JsonSyntaxError, parseJson, writeJson } from "../json/node.ts";
import type { Schema, ServiceMethod } from "../schema/ir.ts";
import { bodyShape, type Shape } from "../schema/shape.ts";
import type { Failure } from "./advice.ts";
import type { CallResponse } from "./request.ts";
import { omittedText, type SavedRequest } from "./saved-request.ts";

export interface PastCall {
  readonly service: string;
  readonly method: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly tookMs: number;
  /** A saved request. Undefined if it was too long. */
  readonly request?: string | undefined;
  /** Undefined if the server did not respond. */
  readonly status?: number | undefined;
  readonly isStopped: boolean;
  readonly texts: readonly string[];
  /** Number of all items received. */
  readonly count: number;
  readonly failure?: Failure | undefined;
  /** What is not kept, as sentences. */
  readonly notes: readonly string[];
}

/** Longest request that is kept, and longest response, in characters. */
export const maxKeptLength = 100_000;

export interface EndedCall {
  readonly at: number;
  /** Text of the saved request. */
  readonly request: string;
  /** Undefined if the server did not respond. */
  readonly response: CallResponse | undefined;
}

export function pastCallOf(
  schema: Schema,
  found: ServiceMethod,
  { at, request, response }: EndedCall,
): PastCall {
  const notes: string[] = [];
  const isLong = request.length > maxKeptLength;
  if (isLong) notes.push("The request was too long to keep.");
  return {
    service: found.service.name,
    method: found.method.name,
    at,
    tookMs: response?.tookMs ?? 0,
    request: isLong ? undefined : request,
    status: response?.status,
    isStopped: response?.state === "stopped",
    texts: response === undefined ? [] : keptTexts(schema, found, response, notes),
    count: response?.count ?? 0,
    failure: response?.failure === undefined ? undefined : declaredPart(response.failure),
    notes,
  };
}

/** The response that a past call shows again. */
export function responseOf({ status, texts, count, failure, tookMs, isStopped }: PastCall): CallResponse {
  return {
    status,
    headers: [],
    texts: texts.length === 0 && failure !== undefined ? [JSON.stringify(failure)] : texts,
    times: [],
    count,
    file: undefined,
    failure,
    tookMs,
    state: isStopped ? "stopped" : "done",
  };
}

/** The newest items, as many as fit. Adds to `notes` what is left out. */
function keptTexts(
  schema: Schema,
  { method }: ServiceMethod,
  { texts, count, file, failure, status = 0 }: CallResponse,
  notes: string[],
): readonly string[] {
  if (file !== undefined) notes.push("Files are not kept.");
  const isFailure = status >= 400;
  if (isFailure && failure === undefined)
    notes.push("The response is not kept, because it is not an error of the contract.");
  if (file !== undefined || isFailure) return [];
  const shape = bodyShape(schema, method, method.outputs);
  const kept: string[] = [];
  const omitted = new Map<string, Omitted>();
  let left = maxKeptLength;
  for (const text of texts) {
    const one = keptText(schema, shape, text);
    left -= one.text.length;
    if (left < 0) break;
    kept.push(one.text);
    for (const each of one.omitted) omitted.set(each.path, each);
  }
  if (omitted.size > 0) notes.push(`Not kept: ${omittedText([...omitted.values()])}.`);
  if (kept.length < count)
    notes.push(
      count === 1 ? "The response was too long to keep." : `${kept.length} of ${count} items are kept.`,
    );
  return kept;
}

function keptText(schema: Schema, shape: Shape, text: string): SavedRequest {
  if (text === "") return { text, omitted: [] };
  try {
    const { node, omitted } = keptOf(schema, shape, parseJson(text));
    return { text: writeJson(node), omitted };
  } catch (err) {
    if (!(err instanceof JsonSyntaxError)) throw err;
    return { text: "", omitted: [{ path: "", reason: "undeclared" }] };
  }
}

/** A failure may have further fields, about which the contract says nothing. */
function declaredPart({ error, code, msg, cause, status, issues }: Failure): Failure | undefined {
  const part = {
    ...{ error, code, msg, status },
    ...(cause === undefined ? {} : { cause }),
    ...(issues === undefined ? {} : { issues: issues.map(({ message, path }) => ({ message, path })) }),
  };
  return JSON.stringify(part).length > maxKeptLength ? undefined : part;
}
