import type { ErrorMakers } from "./failure.ts";
import type { HandlerContext, HeaderValue, MethodInfo } from "./handler.ts";

/** A `ctx` that passes everything on to another one. */
export class DelegatedContext implements HandlerContext<unknown> {
  readonly #ctx: HandlerContext<unknown>;

  constructor(ctx: HandlerContext<unknown>) {
    this.#ctx = ctx;
  }

  get host(): unknown {
    return this.#ctx.host;
  }

  get method(): MethodInfo {
    return this.#ctx.method;
  }

  get errors(): ErrorMakers<string> {
    return this.#ctx.errors;
  }

  get requestId(): string {
    return this.#ctx.requestId;
  }

  get signal(): AbortSignal {
    return this.#ctx.signal;
  }

  setHeader(name: string, value: HeaderValue): void {
    this.#ctx.setHeader(name, value);
  }
}
