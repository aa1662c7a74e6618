import type { HostInfo } from "./host-info.ts";

/** The URL of the server, without a slash at its end. */
export function serverUrl({ servers: [first = ".."] = [] }: HostInfo): string {
  return new URL(first, location.href.split("#")[0]).href.replace(/\/+$/, "");
}
