/** Builds the HTTP request of a call. */
import type { Call } from "./client.ts";
import type { TransportResponse } from "./transport.ts";

/** Sends the request. Rejects with whatever the `headers` hook or the transport throws. */
export async function request(call: Call, signal: AbortSignal | null): Promise<TransportResponse> {
  const { schema, service, name, print = JSON.stringify } = call.method;
  const { url, headers, transport = fetch, webrpcHeader = true } = call.client;
  return transport(`${url.replace(/\/+$/, "")}${schema.basepath}${service}/${name}`, {
    method: "POST",
    redirect: "manual",
    headers: {
      "Content-Type": "application/json",
      ...(webrpcHeader && { Webrpc: schema.webrpc }),
      ...(await headers?.(call)),
      ...call.headers,
    },
    body: print(call.req ?? {}),
    signal,
  });
}
