import type { NotModified, ReadContext } from "../../../generated/runtime/v1/server.ts";

/**
 * Returns the response to a caller that has this version of the state, and undefined if the handler has to do its work. Without a
 * version, the tag of the response is a hash.
 */
export function sameState(
  ctx: Pick<ReadContext<unknown>, "notModified">,
  version: string | undefined,
): NotModified | undefined {
  return version === undefined ? undefined : ctx.notModified(version);
}
