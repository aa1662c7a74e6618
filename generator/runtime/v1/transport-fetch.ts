import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

/** The function of browsers, workers and Node, as far as it is used here. */
export type Fetch = (
  url: string,
  init: RequestInit,
) => Promise<Pick<Response, "status" | "headers" | "text">>;

/** The default transport. `fetch` is looked up at each call, so that a test may replace it. */
export function fetchTransport(request: TransportRequest): Promise<TransportResponse> {
  return post(fetch, request);
}

/** Over a function of your own: `fetchWith((url, init) => fetch(url, { ...init, credentials: "include" }))`. */
export function fetchWith(fetchIt: Fetch): Transport {
  return (request) => post(fetchIt, request);
}

async function post(
  fetchIt: Fetch,
  { url, headers, body, signal }: TransportRequest,
): Promise<TransportResponse> {
  // Redirects are not followed: they would carry the caller's keys elsewhere.
  const init: RequestInit = { method: "POST", redirect: "manual", headers, body };
  if (signal) init.signal = signal;
  const response = await fetchIt(url, init);
  const text = await response.text();
  return { status: response.status, text, header: (name) => response.headers.get(name) };
}
