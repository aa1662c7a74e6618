/** The forms of reads without a route. A client contains the code of a form only if it imports it. */
import { canonicalJson } from "./canonical-json.ts";
import type { Call, Client, Interceptor, Next, PostMethod, ReadForm } from "./client.ts";
import { sendTagged } from "./etag.ts";
import type { Transport } from "./routed-transport.ts";

/** Sends reads by GET. Requests that are too long for a URL are sent by POST, which every proxy forwards. */
export const byGet: ReadForm = (...call) => sendRead("POST", ...call);

/** Sends reads by GET. Requests that are too long for a URL are sent by QUERY, which not every proxy forwards. */
export const byQuery: ReadForm = (...call) => sendRead("QUERY", ...call);

function sendRead(
  longVerb: "POST" | "QUERY",
  post: PostMethod,
  client: Client,
  req: unknown,
  options: Parameters<PostMethod>[2],
): Promise<unknown> {
  const { interceptor = sendDirectly } = client;
  // Interceptors of the client see its own settings.
  const around: Interceptor = (call, next) =>
    interceptor({ ...call, client }, (sent) => sendTagged(sent, readTransport(sent.client, longVerb), next));
  return post({ ...client, interceptor: around }, req, options);
}

function sendDirectly(call: Call, next: Next): Promise<unknown> {
  return next(call);
}

/** The longest URL that is sent, in bytes. Servers accept a path and query of this length. */
const urlMaxBytes = 2_000;

/** Sends the request of a call by POST in another form. */
function readTransport({ transport: given = fetch }: Client, longVerb: "POST" | "QUERY"): Transport {
  const transport = given as Transport;
  return (url, init) => {
    const json = canonicalJson(String(init.body));
    const target = `${url}?q=${encodeURIComponent(json)}`;
    if (target.length > urlMaxBytes)
      return transport(url, longVerb === "QUERY" ? { ...init, method: longVerb, body: json } : init);
    const { "content-type": _json, ...headers } = init.headers;
    return transport(target, { ...init, method: "GET", headers, body: null });
  };
}
