/**
 * Decides which requests a local development server accepts, by Host and Origin. Any web page can send requests to loopback ports.
 * A page whose name resolves to 127.0.0.1 (DNS rebinding) could read the responses.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface LoopbackGuard {
  /** Host names allowed in addition to loopback names, such as `dev.example`. */
  readonly hosts: readonly string[];
  /** Web origins allowed in addition to loopback origins, such as `https://app.example`. */
  readonly origins: readonly string[];
}

export interface GuardedHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

export const loopbackOnly: LoopbackGuard = { hosts: [], origins: [] };

/** The header that caused a rejection. */
export interface LoopbackRejection {
  readonly header: "Host" | "Origin";
  /** The header value, cut to 100 characters. */
  readonly value: string;
}

/** Undefined: the request is allowed. */
export function loopbackRejection(
  { host, origin }: GuardedHeaders,
  guard: LoopbackGuard,
): LoopbackRejection | undefined {
  const name = hostName(host);
  if (name === undefined || !isAllowedHost(name, guard)) return { header: "Host", value: truncated(host) };
  if (origin !== undefined && !isAllowedOrigin(origin, guard))
    return { header: "Origin", value: truncated(origin) };
  return undefined;
}

/**
 * Adds CORS headers, so that an allowed page can read the response. A front end with its own development server has another port and
 * therefore another origin. Returns true if the request was a preflight, to which this function has responded.
 */
export function handleCors({ method, headers }: IncomingMessage, res: ServerResponse): boolean {
  const { origin } = headers;
  res.setHeader("Vary", "Origin");
  if (origin === undefined) return false;
  res.setHeader("Access-Control-Allow-Origin", origin);
  res.setHeader("Access-Control-Expose-Headers", "*");
  if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return false;
  res.writeHead(204, {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": headers["access-control-request-headers"] ?? "Content-Type",
    "Access-Control-Max-Age": "600",
  });
  res.end();
  return true;
}

function isAllowedHost(name: string, { hosts }: LoopbackGuard): boolean {
  return isLoopbackName(name) || hosts.some((host) => host.toLowerCase() === name);
}

/** Browser extensions, such as wallets, are allowed: the developer has installed them. */
const extension = /^(?:chrome|moz|safari-web)-extension:$/;

function isAllowedOrigin(origin: string, guard: LoopbackGuard): boolean {
  if (guard.origins.some((allowed) => allowed.toLowerCase() === origin.toLowerCase())) return true;
  // "null" is the origin of local files and sandboxed frames. Any page can create such a frame.
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (extension.test(protocol)) return true;
  return (protocol === "http:" || protocol === "https:") && isAllowedHost(hostname, guard);
}

/** Loopback addresses, `localhost` and names below `localhost`, which browsers never look up (RFC 6761, section 6.3). */
function isLoopbackName(name: string): boolean {
  return /^(?:(?:[\w-]+[.])*localhost|127(?:[.][0-9]{1,3}){3}|\[::1\])$/.test(name);
}

/** The host name without its port, in lower case. Undefined if the header is invalid. */
function hostName(host: string | undefined): string | undefined {
  return /^([\w.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/.exec(host?.toLowerCase() ?? "")?.[1];
}

function truncated(value = ""): string {
  return value.slice(0, 100);
}
