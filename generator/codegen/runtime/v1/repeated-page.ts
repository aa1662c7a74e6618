/** Notices lists that would not end. */
import type { MethodInfo } from "./client.ts";
import { RpcError } from "./errors.ts";

/** Whether the request of the next page is the one that was sent. */
export function isRepeated({ print = JSON.stringify }: MethodInfo, next: unknown, sent: unknown): boolean {
  return print(next) === print(sent);
}

export function repeatedPage({ schema }: MethodInfo): RpcError {
  const cause = "the response has the cursor of its own request, so the list would not end";
  return new RpcError({ ...schema.failures[-5], code: -5, status: 200, cause });
}
