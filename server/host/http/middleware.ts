import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "koa";
import type { ServedFile } from "ridlkit-runtime/explorer";
import type { MethodInfo, RpcFailure } from "ridlkit-runtime/handler";
import { suggest } from "../../../generator/language/diagnostics/suggest.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { Tracing } from "../observability/tracing.ts";
import type { CallContext } from "../services/call-context.ts";
import type { HostCall } from "./host-call.ts";
import { hasNetworkPath } from "./network-path.ts";

/** Contracts that other tools read. */
const documents = ["schema.json", "openapi.json"];

/**
 * Serves GET and HEAD of the explorer, in `/explorer/`, and its documents. Passes on other paths, which are then rejected like any path
 * without a method.
 */
export function explorerPages(explorer: ReadonlyMap<string, ServedFile>): Middleware {
  const files = new Map(explorer);
  for (const name of documents) {
    const document = explorer.get(`/explorer/${name}`);
    if (document !== undefined) files.set(`/${name}`, document);
  }
  return async (ctx, next) => {
    const file = ctx.method === "GET" || ctx.method === "HEAD" ? files.get(ctx.path) : undefined;
    if (file === undefined) return next();
    const { status, headers, body } = await file.respond((name) => ctx.get(name));
    ctx.status = status;
    ctx.set(headers);
    ctx.body = Buffer.from(body);
  };
}

/** Long enough for a UUID with a prefix. Excludes characters that could end a header or a log line. */
const requestId = /^[\w.:-]{1,128}$/;

/** Returns the caller's id for the call if it is safe in headers and logs. */
function givenRequestId({ headers }: IncomingMessage): string | undefined {
  const given = headers["x-request-id"];
  return typeof given === "string" && requestId.test(given) ? given : undefined;
}

/**
 * Gives each response the caller's request id, or a new one. Not by GET: a cache would also send the response, with this id, to later
 * callers. The generated server adds the id to every failed call, which no cache keeps.
 */
export function nameRequests(): Middleware {
  return (ctx: Context, next) => {
    const id = givenRequestId(ctx.req) ?? randomUUID();
    ctx.state["requestId"] = id;
    if (ctx.method === "POST") ctx.res.setHeader("X-Request-Id", id);
    return next();
  };
}

export function requestIdOf({ state, req }: Context): string | undefined {
  return (state["requestId"] as string | undefined) ?? givenRequestId(req);
}

/**
 * Runs each call in a span named after its method. Calls of unknown methods share one name, because their paths are arbitrary
 * text.
 */
export function traceCalls(tracing: Tracing, methodAt: (path: string) => MethodInfo | undefined): Middleware {
  return (ctx, next) => {
    const method = methodAt(ctx.path);
    const name = method === undefined ? "unknown method" : `${method.service}/${method.name}`;
    return tracing.run(name, ctx.req.headers, next);
  };
}

/** The known paths and networks, one of which is suggested for a misspelled path. */
export interface Routes {
  readonly paths: readonly string[];
  readonly networks: Networks;
}

/** Longest path that is compared with the known ones: the cost grows with the product of both lengths. */
const comparedMax = 100;

/** Suggests a path or a network: `/rpc/API/GetSwapPrise` → a path; `/polgon/rpc/Marketplace/GetOrders` → a network. */
export function suggestPath(path: string, { paths, networks }: Routes): string | undefined {
  if (path.length > comparedMax) return undefined;
  const [, network, rest] = /^\/([^/]+)(\/rpc\/.*)$/.exec(path) ?? [];
  if (network !== undefined && rest !== undefined && network !== "rpc") {
    if (paths.includes(rest)) return adviseNetwork(network, rest, networks);
    return adviseMethod(rest, paths, `/${network}`);
  }
  return adviseMethod(path, paths, "");
}

function adviseNetwork(network: string, rest: string, networks: Networks): string {
  const [, , service = ""] = rest.split("/");
  if (!hasNetworkPath(service)) return `this service has no path for networks: use ${rest}`;
  const names = networks.all.map(({ name }) => name);
  const near = suggest(network, names);
  if (near !== undefined) return `this host does not serve "${network}": did you mean "${near}"?`;
  return `this host does not serve "${network}"; it serves ${networks.describe()}`;
}

function adviseMethod(path: string, paths: readonly string[], prefix: string): string {
  const near = suggest(path, paths);
  return near === undefined
    ? "paths are /rpc/<Service>/<Method>; Marketplace and Indexer also accept /<network> in front"
    : `did you mean ${prefix}${near}?`;
}

/** Checks rules that apply to all methods and that the schema cannot express. Throws RequestRejection. */
export function createRequestChecks(
  networks: Networks,
): (call: HostCall, request: unknown, context: CallContext) => RpcFailure<"PermissionDenied"> | undefined {
  return (call, request, { caller, pathNetwork }) => {
    const { projectId, listener, chainId, params } = request as CheckedFields;
    const isForeign = (id: unknown): boolean => id !== undefined && Number(id) !== caller?.projectId;
    const at = isForeign(projectId) ? "/projectId" : "/listener/projectID";
    if (caller !== undefined && (isForeign(projectId) || isForeign(listener?.projectID)))
      return call.errors.PermissionDenied({
        cause: `${at}: not the project of the access key`,
        expose: true,
      });
    const network = networks.forCall({ pathNetwork, chainId });
    const named = params?.chainId;
    if (chainId !== undefined || hasNetworkPath(call.method.service))
      call.carrier.state["calledNetwork"] = named === undefined ? network.name : networks.find(named)?.name;
    return undefined;
  };
}

interface CheckedFields {
  /** Must be the project of the keys. Official clients spell the second field `projectID`. */
  readonly projectId?: unknown;
  readonly listener?: { readonly projectID?: unknown };
  /** Must be served, and match the network of the path if there is one. */
  readonly chainId?: string;
  /** Execute's handler checks this network. */
  readonly params?: { readonly chainId?: string };
}
