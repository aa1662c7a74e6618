import type { Method } from "./definition.ts";
import type { ErrorMakers, HandlerContext, HeaderValue, MethodInfo } from "./handler.ts";
import type { Call } from "./options.ts";

/** Connects a call to its caller. Adapters create one per request. */
export interface Transport<Carrier> {
  readonly carrier: Carrier;
  /**
   * Whether compressed bodies can be sent. Platforms with `fetch` compress responses themselves, and some of them drop the
   * header `Content-Encoding`.
   */
  readonly sendsCompressed?: boolean;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
  /**
   * Calls back once if the caller disconnects before the response is sent. If the caller has already disconnected, calls
   * back immediately.
   */
  whenGone(callback: () => void): void;
  /** Whether a call is refused, because responses have not been read: by its address, or a large one by any caller. */
  isFull?(isLarge: boolean): boolean;
}

/** The caller's side of a call. */
export interface Caller<Carrier> {
  readonly transport: Transport<Carrier>;
  readonly requestId: string;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Sets a header of the response. Throws if the header is not valid, or if the response has been sent. */
  setHeader(name: string, value: HeaderValue): void;
}

/*
 * The objects that handlers and hooks receive for a call. Each exposes only what its receiver may use. Getters create
 * their functions on use, so that they can be destructured.
 */

/** The `ctx` of a handler. */
export class MethodCall<Carrier> implements HandlerContext<unknown> {
  readonly context: unknown;
  readonly #caller: Caller<Carrier>;
  readonly #method: Method;

  constructor(caller: Caller<Carrier>, method: Method, context: unknown) {
    this.context = context;
    this.#caller = caller;
    this.#method = method;
  }

  get method(): MethodInfo {
    return this.#method.info;
  }

  get errors(): ErrorMakers<string> {
    return this.#method.errors;
  }

  get requestId(): string {
    return this.#caller.requestId;
  }

  get signal(): AbortSignal {
    return this.#caller.signal;
  }

  get setHeader(): HandlerContext<unknown>["setHeader"] {
    return (name, value) => this.#caller.setHeader(name, value);
  }
}

/** The `call` of a hook. */
export class HookCall<Carrier> implements Call<string, Carrier> {
  readonly method: MethodInfo;
  readonly errors: ErrorMakers<string>;
  readonly #caller: Caller<Carrier>;

  constructor(caller: Caller<Carrier>, method: MethodInfo, errors: ErrorMakers<string>) {
    this.#caller = caller;
    this.method = method;
    this.errors = errors;
  }

  get requestId(): string {
    return this.#caller.requestId;
  }

  get signal(): AbortSignal {
    return this.#caller.signal;
  }

  get carrier(): Carrier {
    return this.#caller.transport.carrier;
  }

  get header(): Call["header"] {
    return (name) => this.#caller.transport.header(name);
  }
}
