import type { Json } from "../../codegen/plan/json.ts";

/** One request as it is sent. */
export interface TestCall {
  readonly path: string;
  readonly body: Json;
  /** Names of the files that come along: the request is a form then. */
  readonly files?: readonly string[];
  readonly withoutCredentials?: boolean;
}

export interface TestResponse {
  /** 0: no answer came, and `text` says why. */
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
}

/** How calls reach the server. */
export type Send = (call: TestCall) => Promise<TestResponse>;

/** Something that the contract does not allow, with the calls that show it. */
export interface Finding {
  /** `answer-fits`, `create-then-get`, … */
  readonly rule: string;
  /** `Shop.GetOrder`. */
  readonly method: string;
  readonly message: string;
  /** At most three. */
  readonly calls: readonly TestCall[];
}

/** The body of an answer, or undefined if it is no JSON. */
export function jsonBody({ text }: TestResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
