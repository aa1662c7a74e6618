/** The `ctx` that a handler of the current version receives for a call of an earlier version. */
import { DelegatedContext } from "./delegated-context.ts";
import type { ErrorMakers } from "./failure.ts";
import type { HandlerContext, MethodInfo } from "./handler.ts";
// @if reads
import type { NotModified, ReadContext, WriteContext } from "./read-handler.ts";
// @end

/** What is the same in all calls of a method. */
export interface ContextParts {
  /** The method that the handler implements. */
  readonly info: MethodInfo;
  /** The errors that the handler may raise. */
  readonly errors: ErrorMakers<string>;
  /** Version of the caller. */
  readonly version: string;
}

/** Shows a handler its own method and errors instead of those of the caller. */
export class VersionContext extends DelegatedContext {
  readonly #parts: ContextParts;
  // @if reads
  readonly #ctx: HandlerContext<unknown>;
  // @end

  constructor(ctx: HandlerContext<unknown>, parts: ContextParts) {
    super(ctx);
    this.#parts = parts;
    // @if reads
    this.#ctx = ctx;
    // @end
  }

  override get method(): MethodInfo {
    return this.#parts.info;
  }

  override get errors(): ErrorMakers<string> {
    return this.#parts.errors;
  }
  // @if reads

  /** A tag names one representation, and each version of the API has its own. */
  notModified(version: string): NotModified | undefined {
    return (this.#ctx as Partial<ReadContext<unknown>>).notModified?.(this.#tagged(version));
  }

  requireMatch(version: string | undefined): void {
    const tagged = version === undefined ? undefined : this.#tagged(version);
    (this.#ctx as Partial<WriteContext<unknown>>).requireMatch?.(tagged);
  }

  #tagged(version: string): string {
    return `${version} ${this.#parts.version}`;
  }
  // @end
}
