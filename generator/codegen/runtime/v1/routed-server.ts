/** Binds handlers to an API with routes. */
import type { Transport } from "./caller.ts";
import { Core } from "./core.ts";
import type { Method } from "./definition.ts";
import { Exchange } from "./exchange.ts";
import type { MethodInfo } from "./handler.ts";
import type { Limits, ServerOptions } from "./hooks.ts";
// @if reads
import { openCall, UncachedExchange } from "./read-exchange.ts";
// @end
import { type Reply, withStatus } from "./reply.ts";
import { type RouteDefinition, type RoutedApi, routeVerbs } from "./route.ts";
import type { ServedRoute } from "./route-request.ts";
import { RouteTree } from "./route-tree.ts";
import { RoutedExchange } from "./routed-exchange.ts";
import type { AnyExchange, RpcServer } from "./server.ts";

/** Binds handlers to an API with routes. Use the generated `createServer` instead, which has the types of the API. */
export function createRoutedServer<Host, ErrorName extends string, Carrier>(
  api: RoutedApi,
  handlers: object,
  [options]: readonly [options?: ServerOptions<Host, ErrorName, Carrier>],
): RpcServer<Carrier> {
  // Errors are looked up by name at run time, so the cast keeps the names that hooks were typed with.
  return new RoutedServer(
    api,
    handlers,
    (options ?? {}) as unknown as ServerOptions<unknown, string, Carrier>,
  );
}

class RoutedServer<Carrier> implements RpcServer<Carrier> {
  readonly basepath: string;
  readonly webrpc: string;
  readonly limits: Limits;
  readonly #core: Core<Carrier>;
  readonly #routes: RouteTree<ServedRoute> = new RouteTree();
  /** Methods that are called on their route only. */
  readonly #routed: Set<Method> = new Set();
  // @if reads
  /** The forms of a call of reads without a route, by verb. */
  readonly #reads: Map<Method, ReadonlyMap<string, ServedRoute>> = new Map();
  readonly #hasReads: boolean;
  // @end

  constructor(api: RoutedApi, handlers: object, options: ServerOptions<unknown, string, Carrier>) {
    this.#core = new Core(api, handlers, options);
    this.basepath = api.basepath;
    this.webrpc = api.webrpc;
    this.limits = this.#core.limits;
    // @if reads
    const all = api.services.flatMap(({ methods }) => methods);
    this.#hasReads = all.some(({ read }) => read !== undefined);
    for (const { path, route, read } of all) {
      const method = this.#core.findMethod(path);
      if (method !== undefined && route === undefined && read !== undefined)
        this.#reads.set(method, formsOf(path, method));
    }
    // @end
    for (const { path, route } of api.services.flatMap(({ methods }) => methods)) {
      // Services without handlers are not served.
      const method = this.#core.findMethod(path);
      if (method === undefined || route === undefined) continue;
      this.#routed.add(method);
      this.#routes.add(route.verb, route.path, { definition: route, method, positions: positionsOf(route) });
    }
  }

  /** On the path of several routes, returns the method of the first verb in the order of `Allow`. */
  methodAt(path: string): MethodInfo | undefined {
    const method = this.#unroutedAt(path);
    if (method !== undefined) return method.info;
    const routes = this.#routes.find(path);
    const verb = routeVerbs.find((one) => routes?.has(one));
    return verb && routes?.get(verb)?.method.info;
  }

  open(path: string, transport: Transport<Carrier>): AnyExchange | undefined {
    const call = this.#callAt(path, transport);
    return call === undefined && path.startsWith(this.basepath) ? this.#unknown(path, transport) : call;
  }

  openAny(path: string, transport: Transport<Carrier>): AnyExchange {
    return this.#callAt(path, transport) ?? this.#unknown(path, transport);
  }

  drain(): Promise<void> {
    return this.#core.drain();
  }

  refuseUnparsable(reason = "the request is not valid HTTP", status = 400): Reply {
    return withStatus(this.#core.badRequest(reason), status);
  }

  #callAt(path: string, transport: Transport<Carrier>): AnyExchange | undefined {
    const method = this.#unroutedAt(path);
    // @if reads
    const forms = method && this.#reads.get(method);
    if (forms !== undefined) return new RoutedExchange(this.#core, path, forms, transport);
    if (method !== undefined && this.#hasReads) return openCall(this.#core, path, method, "POST", transport);
    // @end
    if (method !== undefined) return new Exchange(this.#core, path, method, transport);
    const routes = this.#routes.find(path);
    return routes && new RoutedExchange(this.#core, path, routes, transport);
  }

  /** A call of a path that is neither a default path nor a route. */
  #unknown(path: string, transport: Transport<Carrier>): AnyExchange {
    // @if reads
    if (this.#hasReads) return new UncachedExchange(this.#core, path, undefined, transport);
    // @end
    return new Exchange(this.#core, path, undefined, transport);
  }

  /** No route matches a default path, so the order of both look-ups does not matter. */
  #unroutedAt(path: string): Method | undefined {
    const method = this.#core.findMethod(path);
    return method !== undefined && this.#routed.has(method) ? undefined : method;
  }
}

// @if reads
/** A read without a route is called by GET with its request in the query, and by QUERY and POST with a body. */
function formsOf(path: string, method: Method): ReadonlyMap<string, ServedRoute> {
  const form = (definition: RouteDefinition): [string, ServedRoute] => [
    definition.verb,
    { definition, method, positions: [], isDefaultPath: true },
  ];
  return new Map([
    form({ verb: "GET", path, parameters: [], query: [] }),
    form({ verb: "POST", path, parameters: [] }),
    form({ verb: "QUERY", path, parameters: [] }),
  ]);
}

// @end
function positionsOf({ path }: RouteDefinition): readonly number[] {
  return path.split("/").flatMap((segment, index) => (segment.startsWith("{") ? [index] : []));
}
