/** Servers that the tests of `ridlkit call` call. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";
import { createServer as routesServer } from "../../../../fixtures/routes/generated/server.ts";
import { createServer as wireServer } from "../../../../fixtures/wire/generated/server.ts";
import { createServer as wideServer } from "../../../../fixtures/wire/generated-bigint/server.ts";
import { listen, type RunningServer, serveWith } from "../../../../support/adapters.ts";
import { echoHandlers, watched, wireHandlers } from "../../../../support/feed.ts";
import { type Outcome, type RunOptions, ridlkit } from "../../../../support/program.ts";
import { routedHandlers } from "../../../runtime/routes/handlers.ts";

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

interface Servers {
  routes: RunningServer;
  wire: RunningServer;
  /** Wire with bigints, which echoes requests. */
  wide: RunningServer;
}

/** Servers of the fixtures, which run while the tests of a file do. */
export function useFixtures(): Readonly<Servers> {
  const servers = {} as Servers;
  beforeAll(async () => {
    servers.routes = await serveWith("node-http", routesServer(routedHandlers));
    servers.wire = await serveWith("node-http", wireServer(wireHandlers(watched())));
    servers.wide = await serveWith("node-http", wideServer(echoHandlers));
  });
  afterAll(async () => {
    await servers.wide[Symbol.asyncDispose]();
    await servers.routes[Symbol.asyncDispose]();
    await servers.wire[Symbol.asyncDispose]();
  });
  return servers;
}
