import type { TestResponse } from "./call.ts";

/** Whether a call was rejected for a reason that has nothing to do with its form. */
export function isRejectedEarly({ status }: TestResponse): boolean {
  return rejectedEarly.has(status);
}

/** Missing or rejected credentials, a rate limit, an overloaded host. */
const rejectedEarly: ReadonlySet<number> = new Set([401, 403, 429, 503]);
