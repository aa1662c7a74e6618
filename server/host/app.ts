import Koa, { type Context } from "koa";
import type { ServedFile } from "ridlkit-runtime/explorer";
import { koaMiddleware } from "ridlkit-runtime/koa";
import { type CallRecorder, UnreadResponses } from "ridlkit-runtime/options";
import type { RpcServer } from "ridlkit-runtime/server";
import { createPartialServer } from "../../generated/server.ts";
import { WebrpcSchemaHash, WebrpcSchemaVersion } from "../../generated/types.ts";
import type { ServiceName } from "../base/config/config.ts";
import type { Sealer } from "../base/sealer.ts";
import { type Database, hostReads } from "../base/storage/database.ts";
import type { Networks } from "../chain/networks/networks.ts";
import type { Chains } from "../chain/rpc/chains.ts";
import type { StateVersions } from "../market/etags/market-versions.ts";
import { Swaps } from "../wallets/swaps/swaps.ts";
import type { EventStreams } from "../webhooks/streams/event-streams.ts";
import type { WebhooksFor } from "../webhooks/webhooks.ts";
import { dependencyFailure } from "./failures.ts";
import { ArrivingBodies } from "./http/arriving-bodies.ts";
import { CallerDatabase } from "./http/caller-database.ts";
import { cors } from "./http/cors.ts";
import { addressOf, callContext, createGuards, type GuardDependencies, holdersOf } from "./http/guards.ts";
import { createKeyStore, scopeOf } from "./http/idempotency-store.ts";
import { streamOpened, unreadLimits } from "./http/limits.ts";
import {
  createRequestChecks,
  explorerPages,
  nameRequests,
  type Routes,
  requestIdOf,
  suggestPath,
  traceCalls,
} from "./http/middleware.ts";
import { methodPathOf, parseCallPath } from "./http/network-path.ts";
import { sandboxPaths } from "./http/sandbox-paths.ts";
import type { CallState, Events } from "./observability/events.ts";
import type { Tracing } from "./observability/tracing.ts";
import type { Live } from "./sandbox-page/live.ts";
import type { CallContext } from "./services/call-context.ts";
import { createHandlers, selectServices } from "./services/handlers.ts";

export interface App {
  readonly koa: Koa;
  /** The same API without Koa, for requests that Node's parser rejects. */
  readonly rpc: RpcServer<Context>;
  readonly bodies: ArrivingBodies;
}

export interface AppOptions extends GuardDependencies {
  readonly database: Database;
  /** Encrypts kept responses. */
  readonly sealer: Sealer;
  readonly webhooksFor: WebhooksFor;
  readonly streams: EventStreams;
  readonly networks: Networks;
  readonly chains: Chains;
  /** Undefined: no versions are known, so tags are hashes. */
  readonly state: StateVersions | undefined;
  readonly appVersion: string;
  readonly checkResponses: boolean;
  readonly swapDeadlineSeconds: number;
  readonly swapMaxPriceImpactPercent: number;
  readonly events: Events;
  readonly tracing: Tracing | undefined;
  readonly recorder: CallRecorder | undefined;
  readonly services: readonly ServiceName[];
  /** By path. */
  readonly explorer: ReadonlyMap<string, ServedFile> | undefined;
  readonly live: Live | undefined;
}

/** Registers all routes of a host, in the order in which they match. */
export function createApp(options: AppOptions): App {
  const { database, networks, chains, appVersion, checkResponses, events, tracing, services } = options;
  const versions = {
    webrpcVersion: "v1",
    schemaVersion: WebrpcSchemaVersion,
    schemaHash: WebrpcSchemaHash,
    appVersion,
  };
  const swaps = new Swaps(chains, {
    deadlineSeconds: options.swapDeadlineSeconds,
    maxPriceImpactPercent: options.swapMaxPriceImpactPercent,
    onPriced: ({ name }, impact) => events.swapPriced(name, impact),
    onUnexpectedRouter: ({ name }, { router, codeHash }) =>
      events.unexpectedRouter({ network: name, router, codeHash }),
  });
  const { webhooksFor, streams, state = { versionOf: () => undefined } } = options;
  const handlers = createHandlers({
    database: hostReads(database),
    networks,
    chains,
    swaps,
    webhooksFor,
    streams,
    state,
    versions,
  });
  const served = selectServices(handlers, services);
  const routes: Routes = { paths: pathsOf(served), networks };
  const bodies = new ArrivingBodies({
    addressOf: (ctx) => addressOf(ctx, options.trustedProxies),
    onRejection: events.rejected,
  });
  const unread = new UnreadResponses(unreadLimits, () => events.rejected("unread"));
  const callerDatabase = new CallerDatabase(database, (call) => holdersOf(call, options.trustedProxies));
  const rpc = createPartialServer<CallContext, Context>(served, {
    guards: createGuards(options, callerDatabase),
    context: (call) => callContext(call, callerDatabase, options.trustedProxies),
    checkRequest: createRequestChecks(networks),
    idempotency: { store: createKeyStore(options.sealer), scope: scopeOf },
    deadline: { ms: handlerMaxMs, error: (errors) => errors.Aborted() },
    unreadError: (errors) =>
      errors.Overloaded({ cause: "earlier responses have not been read", expose: true }),
    watchBody: (body) => bodies.watch(body),
    checkResponses,
    ...(options.recorder === undefined ? {} : { recorder: options.recorder }),
    mapError: dependencyFailure,
    adviseRoute: (_, ctx) => suggestPath(ctx.path, routes),
    requestId: requestIdOf,
    onResponse: (call) => {
      const status = call.status === tooLarge ? badRequest : call.status;
      events.called({ ...call, status });
      const { caller, calledNetwork } = call.carrier.state as CallState;
      tracing?.ended({
        status,
        error: call.error?.name,
        requestId: call.requestId,
        project: caller?.projectId,
        network: calledNetwork,
      });
    },
  });
  const koa = new Koa();
  const methodAt = (path: string) => rpc.methodAt(parseCallPath(path, networks).path);
  // Before CORS: pages of other origins must not read the sandbox's responses.
  if (options.live !== undefined) koa.use(sandboxPaths(options.live, rpc.webrpc).routes());
  koa.use(cors((path) => methodAt(path) !== undefined));
  koa.use(nameRequests());
  if (tracing !== undefined) koa.use(traceCalls(tracing, methodAt));
  if (options.explorer !== undefined) koa.use(explorerPages(options.explorer));
  const call = koaMiddleware(rpc, {
    path: (ctx) => methodPathOf(ctx, networks),
    outside: "refuse",
    unread,
  });
  koa.use(async (ctx, next) => {
    ctx.request.ip = addressOf(ctx, options.trustedProxies);
    await call(ctx, next);
    if (ctx.respond === false) ctx.res.emit(streamOpened);
    if (ctx.status === tooLarge) sendAsBadRequest(ctx);
  });
  return { koa, rpc, bodies };
}

function pathsOf(handlers: Readonly<Record<string, object>>): readonly string[] {
  return Object.entries(handlers).flatMap(([service, methods]) =>
    Object.keys(methods).map((method) => `/rpc/${service}/${method}`),
  );
}

const badRequest = 400;
/** The status of generated servers for a body above the limit. */
const tooLarge = 413;

/** In this contract, all errors with one code have one status. */
function sendAsBadRequest(ctx: Context): void {
  ctx.status = badRequest;
  ctx.body = JSON.stringify({ ...JSON.parse(String(ctx.body)), status: badRequest });
}

/** Longest time for a handler, in milliseconds. Its caller then gets Aborted. */
const handlerMaxMs = 10_000;
