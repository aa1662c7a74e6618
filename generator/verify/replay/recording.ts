import { isJsonObject, type Json } from "../../codegen/plan/json.ts";
import type { Plan } from "../../codegen/plan/plan.ts";
import type { Samples, ValueSlot } from "../samples/values.ts";

/** A recorded call, written by hand or by the recorder of a generated server. */
export interface RecordedCall {
  readonly service: string;
  readonly method: string;
  /** Undefined if the server did not read the request. */
  readonly request: Json | undefined;
  /** Undefined if the response was not recorded. */
  readonly response: RecordedResponse | undefined;
}

export interface RecordedResponse {
  readonly status: number;
  /** The body of a success that is neither a stream nor a file. */
  readonly body: Json | undefined;
  /** The items of a stream. */
  readonly items: readonly Json[] | undefined;
  readonly isFile: boolean;
  /** The error envelope. */
  readonly error: Json | undefined;
}

/** Parses a recording with one JSON object per line. Returns its calls, or the number of the first invalid line. */
export function readRecording(
  text: string,
): { readonly calls: readonly RecordedCall[] } | { readonly badLine: number } {
  const calls: RecordedCall[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const call = callOf(line);
    if (call === undefined) return { badLine: index + 1 };
    calls.push(call);
  }
  return { calls };
}

function callOf(line: string): RecordedCall | undefined {
  try {
    const { service, method, request, status, answer, items, file, error } = JSON.parse(line) as Readonly<
      Record<string, Json | undefined>
    >;
    if (typeof service !== "string" || typeof method !== "string") return undefined;
    if (typeof status !== "number")
      return request === undefined ? undefined : { service, method, request, response: undefined };
    const list = Array.isArray(items) ? (items as readonly Json[]) : undefined;
    const response = { status, body: answer, items: list, isFile: file === true, error };
    return { service, method, request, response };
  } catch {
    return undefined;
  }
}

/** The text in place of a secret, in recordings and in examples. */
export const redacted = "[redacted]";

export function isRedacted(body: Json | undefined): boolean {
  return JSON.stringify(body ?? null).includes(`"${redacted}"`);
}

/** Replaces the redacted values in a recorded body with generated ones. */
export function withoutRedactions(plan: Plan, typeName: string, body: Json, samples: Samples): Json {
  const types = plan.finder;
  return isRedacted(body) ? inStruct(typeName, body) : body;

  function inSlot(slot: ValueSlot, value: Json): Json {
    if (value === redacted) return samples.value(slot);
    const resolved = types.unaliased(slot.type);
    if (resolved.kind === "struct") return inStruct(resolved.name, value);
    if (resolved.kind === "list" && Array.isArray(value))
      return value.map((item: Json) => inSlot(samples.item(resolved.element), item));
    if (resolved.kind === "map" && isJsonObject(value))
      return mapValues(value, (_, item) => inSlot(samples.item(resolved.value), item));
    return value;
  }

  function inStruct(name: string, value: Json): Json {
    if (!isJsonObject(value)) return value;
    const { fields } = types.struct(name);
    return mapValues(value, (key, inner) => {
      const field = fields.find((one) => [one.wireName, ...one.aliases, ...one.twins].includes(key));
      return field === undefined ? inner : inSlot(field, inner);
    });
  }
}

function mapValues(
  value: { readonly [key: string]: Json },
  change: (key: string, inner: Json) => Json,
): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(key, inner)]));
}
