import type { Transport } from "./call.ts";
import { checkOptions } from "./check-options.ts";
import { Core } from "./core.ts";
import {
  type ApiDefinition,
  type Method,
  type RouteDefinition,
  routeVerbs,
  withAround,
} from "./definition.ts";
import { Exchange, type Send } from "./exchange.ts";
import type { MethodInfo, PlainContext } from "./handler.ts";
import { BodyFault } from "./json.ts";
import type { BodyRefusal, BodyWatcher, Limits, ServerOptions } from "./options.ts";
import { openCall, UncachedExchange, withoutStore } from "./reads.ts";
import { protocolErrorCode, type Reply, withStatus } from "./reply.ts";
import type { ReadBody } from "./request-body.ts";
import {
  RouteTree,
  requestOfBody,
  requestOfJsonQuery,
  requestOfUrl,
  type ServedRoute,
  targetOf,
} from "./routes.ts";

/*
 * Binds handlers to an API. The adapters `koaMiddleware`, `nodeListener` and `fetchHandler` serve the result; this file
 * depends on no framework.
 */

/**
 * An API with its handlers. `Carrier` is the request type that the hooks expect. A server whose hooks do not use it
 * works with every adapter.
 */
export interface RpcServer<in Carrier = unknown> {
  readonly basepath: string;
  /** Value of the header `Webrpc`, which every response has. */
  readonly webrpc: string;
  readonly limits: Limits;
  /** Returns the method at a path. */
  methodAt(path: string): MethodInfo | undefined;
  /** Starts a call. Returns undefined if the path is outside of the basepath. */
  open(path: string, transport: Transport<Carrier>): AnyExchange | undefined;
  /** Starts a call. Paths outside of the basepath get WebrpcBadRoute. For adapters without other routes. */
  openAny(path: string, transport: Transport<Carrier>): AnyExchange;
  /**
   * Ends all open streams with WebrpcStreamLost, so that their callers reconnect to another host, and rejects new ones.
   * Other calls continue. Settles when the stream handlers have ended. Call it before stopping a server.
   */
  drain(): Promise<void>;
  /**
   * Creates the response to a request that is not valid HTTP, or that the host rejects for the given reason. The default
   * of `status` is 400.
   */
  refuseUnparsable(reason?: string, status?: number): Reply;
}

/** The methods of an exchange that adapters use. */
export type AnyExchange = Pick<
  Exchange<never>,
  "admit" | "answer" | "finish" | "receive" | "takesFiles" | "watchBody"
>;

/** The options of a server. They are required if the handlers use `ctx.context`. `Needed` names more that are required. */
export type ServerArguments<
  Context,
  ErrorName extends string,
  Carrier,
  Handlers = object,
  AnnotationName extends string = string,
  Needed extends keyof ServerOptions = never,
> = [ContextOption<Context> | Needed] extends [never]
  ? [options?: ServerOptions<Context, ErrorName, Carrier, Handlers, AnnotationName>]
  : [
      options: WithOption<
        ServerOptions<Context, ErrorName, Carrier, Handlers, AnnotationName>,
        ContextOption<Context> | Needed
      >,
    ];

/** The options that create the context. */
type ContextOption<Context> =
  | (undefined extends PlainContext<Context> ? never : "context")
  | ("~annotated" extends keyof Context ? "annotations" : never);

type WithOption<Options, Name extends keyof Options> = Options & Required<Pick<Options, Name>>;

/** The options of a server whose methods take idempotency keys. */
export type KeyedServerArguments<
  Context,
  ErrorName extends string,
  Carrier,
  Handlers = object,
  AnnotationName extends string = string,
> = ServerArguments<Context, ErrorName, Carrier, Handlers, AnnotationName, "idempotency">;

/* A call on a path that routes match. */

/**
 * Chooses the route by the verb, and then handles the call as if it had the request of an unrouted call. HEAD is
 * handled as GET: HTTP servers omit the body.
 */
class RoutedExchange<Carrier> implements AnyExchange {
  readonly #core: Core<Carrier>;
  readonly #path: string;
  /** By verb. */
  readonly #routes: ReadonlyMap<string, ServedRoute>;
  readonly #transport: Transport<Carrier>;
  #route: ServedRoute | undefined;
  #call: Exchange<Carrier>;

  constructor(
    core: Core<Carrier>,
    path: string,
    routes: ReadonlyMap<string, ServedRoute>,
    transport: Transport<Carrier>,
  ) {
    this.#core = core;
    this.#path = path;
    this.#routes = routes;
    this.#transport = transport;
    this.#call = new Exchange(core, path, undefined, transport);
  }

  /** Adapters pass a body with files to `receive` unread, and here it stays unread. */
  get takesFiles(): boolean {
    return this.#isBodiless;
  }

  admit(httpMethod = ""): Reply | undefined | Promise<Reply | undefined> {
    const route = this.#routes.get(httpMethod === "HEAD" ? "GET" : httpMethod);
    if (route === undefined) return this.#badMethod(httpMethod);
    this.#route = route;
    const transport = this.#isBodiless ? new BodilessTransport(this.#transport) : this.#transport;
    this.#call = openCall(this.#core, this.#path, route.method, httpMethod, transport);
    return this.#call.admit("POST");
  }

  watchBody(refuse: (refusal: BodyRefusal) => void): BodyWatcher | undefined {
    return this.#call.watchBody(refuse);
  }

  answer(body: ReadBody, send: Send): void {
    const isRead = !(body instanceof BodyFault || body instanceof Error);
    if (this.#route?.isDefaultPath) {
      this.#call.answer(body, send);
      return;
    }
    const request =
      isRead && this.#route ? requestOfBody(this.#route, this.#path, body, this.#core.api.json) : body;
    this.#call.answer(request, send);
  }

  async receive(_body: unknown, send: Send): Promise<void> {
    const query = queryOf(this.#transport.carrier);
    if (this.#route?.isDefaultPath) {
      const { emptyRequest = false } = this.#route.method.definition;
      this.#call.answer(requestOfJsonQuery(targetOf(this.#transport.carrier), query, emptyRequest), send);
      return;
    }
    const request = this.#route ? requestOfUrl(this.#route, this.#path, query, this.#core.api.json) : "";
    this.#call.answer(request, send);
  }

  finish(reply: Reply, isWritable: boolean): Reply | undefined {
    if (this.#route === undefined) return this.#call.finish(withoutStore(reply), isWritable);
    return this.#call.finish(reply, isWritable);
  }

  get #isBodiless(): boolean {
    return this.#route?.definition.query !== undefined;
  }

  #badMethod(httpMethod: string): Reply {
    const allowed = routeVerbs.filter((verb) => this.#routes.has(verb));
    const cause = `unsupported HTTP method ${httpMethod} (allowed: ${allowed.join(", ")})`;
    const Allow = allowed.map((verb) => (verb === "GET" ? "GET, HEAD" : verb)).join(", ");
    return this.#core.protocolError(protocolErrorCode.badMethod, {
      publicCause: cause,
      cause,
      headers: { Allow },
    });
  }
}

/** Hides headers about a body that is not read. */
class BodilessTransport<Carrier> implements Transport<Carrier> {
  readonly carrier: Carrier;
  readonly #transport: Transport<Carrier>;

  constructor(transport: Transport<Carrier>) {
    this.carrier = transport.carrier;
    this.#transport = transport;
  }

  header(name: string): string | undefined {
    if (name === "content-type") return "application/json";
    return name === "content-encoding" ? undefined : this.#transport.header(name);
  }

  whenGone(callback: () => void): void {
    this.#transport.whenGone(callback);
  }

  isFull(isLarge: boolean): boolean {
    return this.#transport.isFull?.(isLarge) === true;
  }
}

/** Returns the query without "?". The carriers of all adapters have the URL of the request. */
function queryOf(carrier: unknown): string {
  const { url } = (carrier ?? {}) as { readonly url?: unknown };
  const [, query = ""] = typeof url === "string" ? (/^[^?#]*[?]([^#]*)/.exec(url) ?? []) : [];
  return query;
}

/** Binds handlers to an API. Use the generated `createServer` instead, which has the types of the API. */
export function createRpcServer<Carrier>(
  api: ApiDefinition,
  handlers: object,
  [options]: readonly [options?: object],
): RpcServer<Carrier> {
  return new Server<Carrier>(api, handlers, options ?? {});
}

class Server<Carrier> implements RpcServer<Carrier> {
  readonly basepath: string;
  readonly webrpc: string;
  readonly limits: Limits;
  readonly #core: Core<Carrier>;
  readonly #routes: RouteTree<ServedRoute> = new RouteTree();
  /** Methods that are called on their route only. */
  readonly #routed: Set<Method> = new Set();
  /** The forms of a call of reads without a route, by verb. */
  readonly #reads: Map<Method, ReadonlyMap<string, ServedRoute>> = new Map();
  readonly #hasReads: boolean;

  constructor(api: ApiDefinition, handlers: object, options: ServerOptions<unknown, string, Carrier>) {
    checkOptions(api, options);
    this.#core = new Core(api, withAround(api, handlers, options.around), options);
    this.basepath = api.basepath;
    this.webrpc = api.webrpc;
    this.limits = this.#core.limits;
    const all = api.services.flatMap(({ methods }) => methods);
    this.#hasReads = all.some(({ read }) => read !== undefined);
    for (const { path, route, read } of all) {
      const method = this.#core.findMethod(path);
      if (method !== undefined && route === undefined && read !== undefined)
        this.#reads.set(method, formsOf(path, method));
    }
    for (const { path, route } of all) {
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
    const forms = method && this.#reads.get(method);
    if (forms !== undefined) return new RoutedExchange(this.#core, path, forms, transport);
    if (method !== undefined && this.#hasReads) return openCall(this.#core, path, method, "POST", transport);
    if (method !== undefined) return new Exchange(this.#core, path, method, transport);
    const routes = this.#routes.find(path);
    return routes && new RoutedExchange(this.#core, path, routes, transport);
  }

  /** A call of a path that is neither a default path nor a route. */
  #unknown(path: string, transport: Transport<Carrier>): AnyExchange {
    if (this.#hasReads) return new UncachedExchange(this.#core, path, undefined, transport);
    return new Exchange(this.#core, path, undefined, transport);
  }

  /** No route matches a default path, so the order of both look-ups does not matter. */
  #unroutedAt(path: string): Method | undefined {
    const method = this.#core.findMethod(path);
    return method !== undefined && this.#routed.has(method) ? undefined : method;
  }
}

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

function positionsOf({ path }: RouteDefinition): readonly number[] {
  return path.split("/").flatMap((segment, index) => (segment.startsWith("{") ? [index] : []));
}
