import type { MockControls } from "./mock-controls.ts";
import type { Fields } from "./samples.ts";

/** A subset of the context that generated servers pass to handlers. */
export interface MockContext {
  readonly host: MockControls;
  readonly signal: AbortSignal;
  readonly errors: Readonly<Record<string, () => Error>>;
}

export type Handler = (ctx: MockContext, request: Fields) => unknown;
