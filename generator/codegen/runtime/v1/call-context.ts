/** The objects that handlers and hooks receive for a call. Each exposes only what its receiver may use. */
import type { Caller } from "./caller.ts";
import type { Method } from "./definition.ts";
import type { ErrorMakers } from "./failure.ts";
import type { HandlerContext, HeaderValue, MethodInfo } from "./handler.ts";
import type { Call } from "./hooks.ts";

/** The `ctx` of a handler. */
export class MethodCall<Carrier> implements HandlerContext<unknown> {
  readonly host: unknown;
  readonly #caller: Caller<Carrier>;
  readonly #method: Method;

  constructor(caller: Caller<Carrier>, method: Method, host: unknown) {
    this.host = host;
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

  setHeader(name: string, value: HeaderValue): void {
    this.#caller.setHeader(name, value);
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

  header(name: string): string | undefined {
    return this.#caller.transport.header(name);
  }
}
