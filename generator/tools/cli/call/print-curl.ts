import { byGet, type Client, type TransportInit } from "../../../verify/client/method-client.ts";
import { shellQuote } from "../output/shell-quote.ts";
import type { Credential } from "./credentials.ts";
import { curlCommand } from "./curl.ts";
import type { ReadyCall } from "./perform.ts";

export interface CurlOutput {
  readonly credentials: readonly Credential[];
  readonly filePaths: readonly string[];
  /** The file for the response. */
  readonly output: string | undefined;
}

/** Prints the request that a call would send as a curl command. Sends nothing. Throws an `RpcError` for an invalid request. */
export async function printCurl(
  call: ReadyCall,
  { credentials, filePaths, output }: CurlOutput,
): Promise<string> {
  const { url, init } = await capture(call);
  const used = credentials.filter(({ header, prefix, value }) => call.headers[header] === prefix + value);
  const options = [
    ...(call.client.kind === "stream" ? ["-N"] : []),
    ...(call.timeoutMs === undefined || call.timeoutMs === 0
      ? []
      : ["--max-time", `${call.timeoutMs / 1_000}`]),
    ...(output === undefined ? [] : ["-o", shellQuote(output)]),
  ];
  return curlCommand({ url, init, credentials: used, filePaths, options });
}

/** Runs a call up to its request. */
async function capture({ client, request, ...call }: ReadyCall) {
  let sent: { readonly url: string; readonly init: TransportInit } | undefined;
  const catching: Client = {
    url: call.address,
    headers: () => call.headers,
    // The name of the client's version is of no use to people.
    webrpcHeader: false,
    transport: async (url, init) => {
      sent = { url, init };
      throw new Error("not sent");
    },
    ...(call.isGet && { reads: byGet }),
  };
  const options = call.idempotencyKey === undefined ? {} : { idempotencyKey: call.idempotencyKey };
  try {
    if (client.kind === "stream") for await (const _item of client.call(catching, request, options));
    else await client.call(catching, request, options);
  } catch (err) {
    if (sent === undefined) throw err;
  }
  if (sent === undefined) throw new Error("the client sent no request");
  return sent;
}
