import type { Asset } from "./assets.ts";

/** A year, in seconds: the longest time that caches keep a file. */
const immutableSeconds = 31_536_000;

/**
 * Allows only files of the page's host, and calls of the given origins: no other request, no inline script or style. `blob:` shows files
 * of calls.
 */
export function contentSecurityPolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${["'self'", ...origins].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The headers of a file of the page, except those that depend on the encoding. */
export function assetHeaders({ etag, isImmutable, gzipped }: Asset): Readonly<Record<string, string>> {
  return {
    ETag: etag,
    "Cache-Control": isImmutable ? `public, max-age=${immutableSeconds}, immutable` : "no-cache",
    // Not part of the policy of static pages: browsers accept this rule only in a header.
    "Content-Security-Policy": `${contentSecurityPolicy([])}; frame-ancestors 'none'`,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    ...(gzipped === undefined ? {} : { Vary: "Accept-Encoding" }),
  };
}
