import Koa from "koa";
import { koaMiddleware } from "../generated/runtime/v1/koa.ts";
import { createServer } from "../generated/server/index.ts";
import { WebrpcSchemaHash, WebrpcSchemaVersion } from "../generated/version.ts";
import { cors } from "./http/cors.ts";
import { logFailures } from "./http/log.ts";
import { callAddress } from "./http/network-path.ts";
import type { Networks } from "./networks/networks.ts";
import { createHandlers } from "./services/handlers.ts";

export interface App {
  readonly koa: Koa;
  /** The same API without Koa, for what Node's parser refuses. */
  readonly rpc: ReturnType<typeof createServer>;
}

/** What the app stands on, opened by `serve`. */
export interface Parts {
  readonly networks: Networks;
  readonly appVersion: string;
  readonly checkResponses: boolean;
  readonly log: (line: string) => void;
}

/** The one list of what a host answers with. */
export function createApp({ networks, appVersion, checkResponses, log }: Parts): App {
  const versions = {
    webrpcVersion: "v1",
    schemaVersion: WebrpcSchemaVersion,
    schemaHash: WebrpcSchemaHash,
    appVersion,
  };
  const rpc = createServer(createHandlers({ networks, versions }), {
    deadline: { ms: handlerMaxMs, error: (errors) => errors.Aborted() },
    checkResponses,
    onDone: logFailures(log),
  });
  const koa = new Koa();
  const pathOf = (path: string): string => callAddress(path, networks).path;
  koa.use(cors((path) => rpc.methodAt(pathOf(path)) !== undefined));
  koa.use(koaMiddleware(rpc, { path: (ctx) => pathOf(ctx.path), outside: "refuse" }));
  return { koa, rpc };
}

/** Longest a handler may take, in milliseconds; its caller then gets Aborted. */
const handlerMaxMs = 10_000;
