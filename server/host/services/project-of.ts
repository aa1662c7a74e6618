import type { CallContext } from "./call-context.ts";

/** The project of a call to a method that needs a key: without one it does not get as far as a handler. */
export function projectOf({ caller }: CallContext): number {
  if (caller === undefined) throw new TypeError("a method that needs a key was called without one");
  return caller.projectId;
}
