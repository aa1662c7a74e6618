/**
 * Which requests a development server on this machine answers. Any web page may send requests to loopback ports, and a page whose own
 * name was made to resolve to 127.0.0.1 (DNS rebinding) may read the responses, so Host and Origin decide.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface LoopbackGuard {
  /** Host names allowed beside those of loopback, as `dev.example`. */
  readonly hosts: readonly string[];
  /** Web origins allowed beside those of loopback, as `https://app.example`. */
  readonly origins: readonly string[];
}

export interface GuardedHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

export const loopbackOnly: LoopbackGuard = { hosts: [], origins: [] };

/** A header for which a request is refused. */
export interface LoopbackRejection {
  readonly header: "Host" | "Origin";
  /** Of the header, cut to 100 characters. */
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
 * Lets an allowed page read the response: a front end with a development server of its own has another port, and so another origin. True
 * if the request was a preflight, which is then answered.
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

/** Extensions of a browser, such as wallets, are programs that the developer has installed. */
const extension = /^(?:chrome|moz|safari-web)-extension:$/;

function isAllowedOrigin(origin: string, guard: LoopbackGuard): boolean {
  if (guard.origins.some((allowed) => allowed.toLowerCase() === origin.toLowerCase())) return true;
  // "null" is the origin of files and of sandboxed frames, which any page may make.
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (extension.test(protocol)) return true;
  return (protocol === "http:" || protocol === "https:") && isAllowedHost(hostname, guard);
}

/** `localhost`, and the names below it, which browsers never look up (RFC 6761, section 6.3). */
function isLoopbackName(name: string): boolean {
  return /^(?:(?:[\w-]+[.])*localhost|127(?:[.][0-9]{1,3}){3}|\[::1\])$/.test(name);
}

/** The name in a header Host, in lower case. */
function hostName(host: string | undefined): string | undefined {
  return /^([\w.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/.exec(host?.toLowerCase() ?? "")?.[1];
}

function truncated(value = ""): string {
  return value.slice(0, 100);
}
