import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

/** The function of browsers, workers and Node, as far as it is used here. */
export type Fetch = (
  url: string,
  init: RequestInit,
) => Promise<Pick<Response, "status" | "headers" | "text">>;

/** The default transport. `fetch` is looked up at each call, so that a test may replace it. */
export async function fetchTransport(
  { url, headers, body, signal }: TransportRequest,
  fetchIt: Fetch = fetch,
): Promise<TransportResponse> {
  // Redirects are not followed: they would carry the caller's keys elsewhere.
  const init = { method: "POST", redirect: "manual", headers, body, signal } as RequestInit;
  const response = await fetchIt(url, init);
  return {
    status: response.status,
    text: await response.text(),
    header: (name) => response.headers.get(name),
  };
}

/** Over a function of your own: `fetchWith((url, init) => fetch(url, { ...init, credentials: "include" }))`. */
export function fetchWith(fetchIt: Fetch): Transport {
  return (request) => fetchTransport(request, fetchIt);
}
