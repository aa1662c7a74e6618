/** A call as a request: where it goes, with which headers. */
import type { Call } from "./client.ts";
import type { TransportResponse } from "./transport.ts";

/** Rejects with whatever the hook for headers and the transport throw. */
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
