import type { IncomingMessage } from "node:http";
import { loopbackOnly, loopbackRejection } from "../../../generator/tools/dev/loopback.ts";

const localNames = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Whether an origin is this host, under a name that only its own machine uses, such as localhost. Any other name is rejected,
 * even if it resolves to this machine.
 */
export function isLocalOrigin(origin: string, port: number | undefined): boolean {
  return localNames.some((name) => origin === `http://${name}:${port}`);
}

/** Headers that proxies and tunnels add. */
const forwarding =
  /^(?:forwarded|via|x-forwarded.*|x-original-.*|x-real-ip|x-client-ip|x-cluster-client-ip|x-envoy-.*|x-proxy.*|true-client-ip|cf-.*|cdn-loop|fly-.*|fastly-.*)$/;

/**
 * Whether a request comes from this machine and is meant for it. Rejects requests of foreign pages, of proxies that say so, and names that
 * were pointed at this machine (DNS rebinding).
 */
export function isLocalRequest({ headers, socket }: IncomingMessage): boolean {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  if (Object.keys(headers).some((name) => forwarding.test(name))) return false;
  if (loopbackRejection(headers, loopbackOnly) !== undefined) return false;
  if (origin !== undefined && !isLocalOrigin(origin, socket.localPort)) return false;
  // Browsers send no Origin for resources that foreign pages only embed: images, scripts, links.
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return /^(?:127[.]|::1$|::ffff:127[.])/.test(socket.remoteAddress ?? "");
}
