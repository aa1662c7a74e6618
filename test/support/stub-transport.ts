import type { Transport, TransportInit } from "../../generator/runtime/src/transport.ts";

/** A request as a test looks at it. */
export interface StubRequest {
  readonly method: TransportInit["method"];
  /** With what the client's `url` has before the schema's own path. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or a form where a request has files: `new Request(url, { method, headers, body })` takes both. */
  readonly body: string | FormData | null;
}

export interface StubResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The body itself where the server streams. */
  readonly body: string | ReadableStream<Uint8Array>;
}

/** A server in the form of a function: its answers are what a test writes down. */
export function stubTransport(serve: (request: StubRequest) => Promise<StubResponse>): Transport {
  return async (url, { method, headers, body }) => {
    const path = new URL(url, "http://memory").pathname;
    const response = await serve({ method, path, headers: lowerCase(headers), body });
    const answered = lowerCase(response.headers ?? {});
    return {
      status: response.status,
      headers: { get: (name) => answered[name] ?? null },
      text: async () =>
        typeof response.body === "string" ? response.body : new Response(response.body).text(),
      body: typeof response.body === "string" ? null : response.body,
    };
  };
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
