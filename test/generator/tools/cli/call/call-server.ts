/** Servers that the tests of `ridlkit call` call. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { listen, type RunningServer } from "../../../../support/adapters.ts";
import { type Outcome, type RunOptions, ridlkit } from "../../../../support/program.ts";

export const fixture = (name: string): string => resolve(`test/fixtures/${name}/schema.ridl`);

/** The first lines of a schema. */
export const schemaHead = "webrpc = v1\nname = shop\nversion = v1.0.0\nbasepath = /rpc\n\n";

/** Calls a method of a fixture. */
export function call(
  name: string,
  url: string,
  words: readonly string[],
  options: RunOptions = {},
): Promise<Outcome> {
  return ridlkit(["call", ...words, "--schema", fixture(name), "--url", url], options);
}

/** A request as it arrived. */
export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A server that responds to every call with the same, and what it received. */
export async function recordingServer(
  respond: (response: ServerResponse, request: IncomingMessage) => void = (response) =>
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}\n"),
): Promise<RunningServer & { readonly received: Received[] }> {
  const received: Received[] = [];
  const running = await listen(
    createServer(async (request, response) => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body: (await buffer(request)).toString("latin1") });
      respond(response, request);
    }),
  );
  return { ...running, received, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}
