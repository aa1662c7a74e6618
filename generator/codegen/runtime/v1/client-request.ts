/** Builds the HTTP request of a call. */
import type { Call } from "./client.ts";
import type { Transport } from "./transport.ts";

/**
 * Returns the arguments of the transport. Rejects with whatever the `headers` hook throws.
 *
 * @throws TypeError if the client's address has neither a scheme nor a path.
 */
export async function requestOf(call: Call, signal: AbortSignal | null): Promise<Parameters<Transport>> {
  const { schema, service, name, print = JSON.stringify } = call.method;
  const { url, headers: hook, webrpcHeader = true } = call.client;
  // In browsers, an address may be relative to the page. "localhost:80" is a URL with the scheme "localhost".
  if (!/^(\w+:\/\/|\/|$)/.test(url)) throw new TypeError(`url: expected "https://…", found "${url}"`);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (webrpcHeader) headers["webrpc"] = schema.webrpc;
  for (const some of [await hook?.(call), call.headers])
    for (const key in some) headers[key.toLowerCase()] = some[key] as string;
  return [
    `${url.replace(/\/+$/, "")}${schema.basepath}${service}/${name}`,
    { method: "POST", redirect: "manual", headers, body: print(call.req ?? {}), signal },
  ];
}
