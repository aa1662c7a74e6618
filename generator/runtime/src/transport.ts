/**
 * Transports send requests. Any function with the signature of `fetch` is one; everything else is the client's task.
 */

/**
 * Sends a request. Rejects only if no complete response arrived. When `signal` aborts, the result is ignored. Examples:
 * `fetch`, or `(url, init) => fetch(url, { ...init, credentials: "include" })`.
 */
export type Transport = (url: string, init: TransportInit) => Promise<TransportResponse>;

/** The request that a transport sends. Compatible with `RequestInit`. */
export interface TransportInit {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "QUERY";
  /**
   * Redirects are not followed, because that would send the caller's credentials elsewhere. "error" for forms, which
   * Node's `fetch` otherwise keeps in memory.
   */
  redirect: "manual" | "error";
  /** Names in lower case. */
  headers: Record<string, string>;
  /** JSON, or a form if the request has files. Null for GET, DELETE and QUERY, whose request is in the URL. */
  body: string | FormData | null;
  /** Null for a call without timeout and signal. */
  signal: AbortSignal | null;
  /** Return the response as soon as its head has arrived, with its `body`. */
  stream?: true;
}

/** The response, whatever its content. The client validates it. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** Needed for streams and files. Cancelling it closes the connection. */
  readonly body?: ReadableStream<Uint8Array> | null;
}

/** Reads a body as text, up to `maxBytes`. Longer text becomes a sentence that is not JSON, so the client reports a bad response. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = "";
  let bytes = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > maxBytes) {
      await reader?.cancel();
      return `the response is larger than ${maxBytes} bytes: ${text.slice(0, 100)}`;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * `fetch` with a size limit for responses, counted after decompression. A longer response is not read to its end and
 * fails with error -5. Streams are limited by `itemMaxLength` instead.
 */
export function limitedFetch(maxResponseBytes: number): Transport {
  return async (url, init) => {
    const { status, headers, body } = await fetch(url, init);
    return { status, headers, body, text: () => readBounded(body, maxResponseBytes) };
  };
}

/**
 * Calls a server in the same process, without a network: `memoryTransport(fetchHandler(server))`. For tests and for
 * servers that call themselves. The client may have any URL.
 */
export function memoryTransport(serve: (request: Request) => Promise<Response>): Transport {
  return (url, { method, headers, body, signal }) =>
    serve(new Request(url, { method, headers, body, signal }));
}
