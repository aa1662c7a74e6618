import type { HostInfo } from "./host-info.ts";

/** The URLs of the server, without a slash at their ends. */
export function serverUrls({ servers = [".."] }: HostInfo): readonly string[] {
  const page = location.href.split("#")[0];
  return servers.map((url) => new URL(url, page).href.replace(/\/+$/, ""));
}
