import type { Json } from "../../codegen/plan/json.ts";
import type { PlannedMethod, TypeFinder } from "../../codegen/plan/plan.ts";
import { type CallRequest, callRequest } from "../requests/routed-request.ts";

/** A request that the test sends. */
export interface TestCall extends CallRequest {
  /** Names of the files. With files, the request is a form. */
  readonly files?: readonly string[];
  readonly withoutCredentials?: boolean;
  /** Headers in addition to those of every call. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestResponse {
  /** 0 if there was no response; `text` then has the reason. */
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  /** Whether the time for all calls ran out before a response, which says nothing about the server. */
  readonly isCut?: boolean;
  /** The header `Allow`. */
  readonly allow?: string | undefined;
  /** The header `ETag`. */
  readonly etag?: string | undefined;
  /** The header `Cache-Control`. */
  readonly cacheControl?: string | undefined;
  /** The header `Vary`. */
  readonly vary?: string | undefined;
}

/** Sends a call to the tested server. */
export type Send = (call: TestCall) => Promise<TestResponse>;

/** A violation of the contract, with the calls that show it. */
export interface Finding {
  /** `response-schema`, `get-finds-record`, … */
  readonly rule: string;
  /** `Shop.GetOrder`. */
  readonly method: string;
  readonly message: string;
  /** The calls that reproduce it, at most three. */
  readonly calls: readonly TestCall[];
}

/** Returns undefined if the URL of the method's route cannot hold the values. */
export function testCall(types: TypeFinder, method: PlannedMethod, body: Json): TestCall | undefined {
  const request = callRequest(types, method, body);
  const { files } = method;
  return request === undefined || files.length === 0
    ? request
    : { ...request, files: files.map(({ name }) => name) };
}

/** The parsed body of a response, or undefined if the body is not JSON. */
export function jsonBody({ text }: TestResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a call was rejected for a reason that has nothing to do with its form. */
export function isRejectedEarly({ status }: TestResponse): boolean {
  return rejectedEarly.has(status);
}

/** Missing or rejected credentials, a rate limit, an overloaded host. */
const rejectedEarly: ReadonlySet<number> = new Set([401, 403, 429, 503]);

/** Keeps one finding per rule and method: the one with the fewest calls. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  get all(): readonly Finding[] {
    return [...this.#found.values()];
  }

  report(
    rule: string,
    { service, method }: { readonly service: string; readonly method: string },
    message: string,
    calls: readonly TestCall[],
  ): void {
    const key = `${rule} ${service}.${method} ${message.replaceAll(/"[^"]*"|[0-9]+/g, "")}`;
    const known = this.#found.get(key);
    if (known === undefined || known.calls.length > calls.length)
      this.#found.set(key, { rule, method: `${service}.${method}`, message, calls });
  }
}
