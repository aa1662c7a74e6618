/**
 * Binds handlers to an API. The adapters `koaMiddleware`, `nodeListener` and `fetchHandler` serve the result; this file
 * depends on no framework.
 */
import type { Transport } from "./caller.ts";
import { Core } from "./core.ts";
import type { ApiDefinition } from "./definition.ts";
import { Exchange } from "./exchange.ts";
import type { MethodInfo } from "./handler.ts";
import type { Limits, ServerOptions } from "./hooks.ts";
import { type Reply, withStatus } from "./reply.ts";

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

/** The options of a server. They are required if the handlers use `ctx.host`. */
export type ServerArguments<Host, ErrorName extends string, Carrier> = undefined extends Host
  ? [options?: ServerOptions<Host, ErrorName, Carrier>]
  : [options: ServerOptions<Host, ErrorName, Carrier> & Contextual<Host, ErrorName, Carrier>];

type Contextual<Host, ErrorName extends string, Carrier> = Required<
  Pick<ServerOptions<Host, ErrorName, Carrier>, "context">
>;

// @if keys
/** The options of a server whose methods take idempotency keys. */
export type KeyedServerArguments<Host, ErrorName extends string, Carrier> = [
  options: NonNullable<ServerArguments<Host, ErrorName, Carrier>[0]> &
    Required<Pick<ServerOptions<Host, ErrorName, Carrier>, "idempotency">>,
];

// @end
/** Binds handlers to an API. Use the generated `createServer` instead, which has the types of the API. */
export function createRpcServer<Host, ErrorName extends string, Carrier>(
  api: ApiDefinition,
  handlers: object,
  [options]: readonly [options?: ServerOptions<Host, ErrorName, Carrier>],
): RpcServer<Carrier> {
  // Errors are looked up by name at run time, so the cast keeps the names that hooks were typed with.
  return new Server(api, handlers, (options ?? {}) as unknown as ServerOptions<unknown, string, Carrier>);
}

class Server<Carrier> implements RpcServer<Carrier> {
  readonly basepath: string;
  readonly webrpc: string;
  readonly limits: Limits;
  readonly #core: Core<Carrier>;

  constructor(api: ApiDefinition, handlers: object, options: ServerOptions<unknown, string, Carrier>) {
    this.#core = new Core(api, handlers, options);
    this.basepath = api.basepath;
    this.webrpc = api.webrpc;
    this.limits = this.#core.limits;
  }

  methodAt(path: string): MethodInfo | undefined {
    return this.#core.findMethod(path)?.info;
  }

  open(path: string, transport: Transport<Carrier>): AnyExchange | undefined {
    const method = this.#core.findMethod(path);
    if (method === undefined && !path.startsWith(this.basepath)) return undefined;
    return new Exchange(this.#core, path, method, transport);
  }

  openAny(path: string, transport: Transport<Carrier>): AnyExchange {
    return new Exchange(this.#core, path, this.#core.findMethod(path), transport);
  }

  drain(): Promise<void> {
    return this.#core.drain();
  }

  refuseUnparsable(reason = "the request is not valid HTTP", status = 400): Reply {
    return withStatus(this.#core.badRequest(reason), status);
  }
}
