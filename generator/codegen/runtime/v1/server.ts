/**
 * An API with its handlers, ready to be mounted by an adapter: `koaMiddleware`, `nodeListener` or `fetchHandler`. Knows no
 * framework and no socket.
 */
import type { Transport } from "./caller.ts";
import { Core } from "./core.ts";
import type { ApiDefinition } from "./definition.ts";
import type { Reply } from "./errors-wire.ts";
import { Exchange } from "./exchange.ts";
import type { MethodInfo } from "./handler.ts";
import type { Limits, ServerOptions } from "./hooks.ts";

/** `Carrier` is what the hooks want of an adapter; a server whose hooks want nothing fits every adapter. */
export interface RpcServer<in Carrier = unknown> {
  readonly basepath: string;
  /** Value of the header `Webrpc`, which every answer has. */
  readonly webrpc: string;
  readonly limits: Limits;
  /** The method at a path. */
  methodAt(path: string): MethodInfo | undefined;
  /** Starts a call; undefined if the path lies outside of the basepath and is somebody else's. */
  open(path: string, transport: Transport<Carrier>): AnyExchange | undefined;
  /** The same, for an adapter that has nobody else to ask. */
  openAny(path: string, transport: Transport<Carrier>): AnyExchange;
  /**
   * Tells the callers of all open streams that they are lost, so that they ask another host, and refuses new ones. Settles when the
   * handlers have ended; other calls go on. For a host that stops.
   */
  drain(): Promise<void>;
  /** The answer to a request that never became one: it is no HTTP, or its host refuses it for the reason given. */
  refuseUnparsable(reason?: string): Reply;
}

/** What an adapter uses of an Exchange. */
export type AnyExchange = Pick<
  Exchange<never>,
  "admit" | "answer" | "finish" | "receive" | "takesFiles" | "watchBody"
>;

/** The options of a server; they cannot be left out where handlers want a context of the host. */
export type ServerArguments<Host, ErrorName extends string, Carrier> = undefined extends Host
  ? [options?: ServerOptions<Host, ErrorName, Carrier>]
  : [options: ServerOptions<Host, ErrorName, Carrier> & Contextual<Host, ErrorName, Carrier>];

type Contextual<Host, ErrorName extends string, Carrier> = Required<
  Pick<ServerOptions<Host, ErrorName, Carrier>, "context">
>;

/** Binds handlers to an API. The generated `createServer` calls it, with types that know the API. */
export function createRpcServer<Host, ErrorName extends string, Carrier>(
  api: ApiDefinition,
  handlers: object,
  [options]: readonly [options?: ServerOptions<Host, ErrorName, Carrier>],
): RpcServer<Carrier> {
  // Makers of the schema's errors are looked up by name: hooks see the names that they were typed with.
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

  refuseUnparsable(reason = "not HTTP"): Reply {
    return this.#core.badRequest(reason);
  }
}
