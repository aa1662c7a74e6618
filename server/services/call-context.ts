import type { Caller } from "../credentials/authorize.ts";

/** What handlers learn of a call beside its request, as `ctx.host`. */
export interface CallContext {
  /** Undefined on methods that need no key. */
  readonly caller: Caller | undefined;
}
