import type { CallContext } from "./call-context.ts";

/** Returns the project of a call to a method that needs a key. Calls without a key never reach a handler. */
export function projectOf({ caller }: CallContext): number {
  if (caller === undefined) throw new TypeError("a method that needs a key was called without one");
  return caller.projectId;
}
