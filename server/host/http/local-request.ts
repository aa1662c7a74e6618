import type { IncomingMessage } from "node:http";
import { loopbackFault, loopbackOnly } from "../../../generator/tools/dev/loopback.ts";

/** Names by which a machine calls itself. */
const localNames = ["127.0.0.1", "localhost", "[::1]"];

/** A page that this host itself serves to its own machine. The name is checked, so that no other name that leads here will do. */
export function isLocalOrigin(origin: string, port: number | undefined): boolean {
  return localNames.some((name) => origin === `http://${name}:${port}`);
}

/**
 * Whether a request is of this machine and meant for it: no page of elsewhere has sent it, and no name of elsewhere was made to
 * lead here (DNS rebinding).
 */
export function isLocalRequest({ headers, socket }: IncomingMessage): boolean {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  if (loopbackFault(headers, loopbackOnly) !== undefined) return false;
  if (origin !== undefined && !isLocalOrigin(origin, socket.localPort)) return false;
  // Browsers send no origin with what pages of elsewhere merely show: images, scripts, links.
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return /^(?:127[.]|::1$|::ffff:127[.])/.test(socket.remoteAddress ?? "");
}
