/** Versions of responses, for calls that change only the version that their caller has seen. */
import type { Call, CallOptions, Next } from "./client.ts";
import type { Transport } from "./routed-transport.ts";

/** The version of each response that is still in use. */
const tags = new WeakMap<object, string>();

/**
 * Returns the version of a response: `etagOf(await getOrder(client, { id }))` is `"v7"`, with the quotes. Undefined if
 * the server sent none, as to calls by POST, and for copies of a response.
 */
export function etagOf(response: object): string | undefined {
  return tags.get(response);
}

/**
 * Returns the option for a call that changes only this version: `changeOrder(client, req, ifMatch(etag))`. Otherwise the
 * call fails with the error of HTTP status 412 that the method lists.
 */
export function ifMatch(etag: string): CallOptions {
  return { headers: { "If-Match": etag } };
}

/** Sends a call over a transport and keeps the version of its response. */
export async function sendTagged(call: Call, transport: Transport, next: Next): Promise<unknown> {
  let tag: string | null = null;
  const noting: Transport = async (url, init) => {
    const response = await transport(url, init);
    tag = response.headers.get("etag");
    return response;
  };
  const answer = await next({ ...call, client: { ...call.client, transport: noting } });
  if (tag !== null && typeof answer === "object" && answer !== null) tags.set(answer, tag);
  return answer;
}
