/**
 * Decides which requests a development server accepts. Any web page can send requests to loopback ports, and a page whose host name
 * resolves to 127.0.0.1 (DNS rebinding) can read the responses. So the headers Host and Origin are checked.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface LoopbackGuard {
  /** Allowed host names in addition to loopback, such as `dev.example`. */
  readonly hosts: readonly string[];
  /** Allowed web origins in addition to loopback, such as `https://app.example`. */
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
  /** The value of the header, truncated to 100 characters. */
  readonly value: string;
}

/** Returns undefined if the request is allowed. */
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
 * Adds CORS headers for an allowed page: a front end with its own development server has another port, and so another origin. Returns
 * true if it responded to a preflight request. `allowedMethods` is a list such as `GET, POST`.
 */
export function handleCors(
  { method, headers }: IncomingMessage,
  res: ServerResponse,
  allowedMethods: string,
): boolean {
  const { origin } = headers;
  res.setHeader("Vary", "Origin");
  if (origin === undefined) return false;
  res.setHeader("Access-Control-Allow-Origin", origin);
  res.setHeader("Access-Control-Expose-Headers", "*");
  if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return false;
  res.writeHead(204, {
    "Access-Control-Allow-Methods": allowedMethods,
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
  // "null" is the origin of files and sandboxed frames. Any page can create such a frame.
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (extension.test(protocol)) return true;
  return (protocol === "http:" || protocol === "https:") && isAllowedHost(hostname, guard);
}

/** `localhost` and its subdomains, which browsers never look up (RFC 6761, section 6.3). */
function isLoopbackName(name: string): boolean {
  return /^(?:(?:[\w-]+[.])*localhost|127(?:[.][0-9]{1,3}){3}|\[::1\])$/.test(name);
}

/** The host name of a Host header, in lower case. */
function hostName(host: string | undefined): string | undefined {
  return /^([\w.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/.exec(host?.toLowerCase() ?? "")?.[1];
}

function truncated(value = ""): string {
  return value.slice(0, 100);
}
