import Router from "@koa/router";
import type { Context, Next } from "koa";
import { type Asset, type Assets, assetPaths } from "../../../generator/explorer/assets.ts";

/** A year, in seconds: the longest time that caches keep a file. */
const immutableSeconds = 31_536_000;

/** Allows only files of this host: no external request, no inline script or style. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Serves GET and HEAD of the explorer and its documents. Passes on other paths, which are then rejected like any path without a
 * method.
 */
export function explorerPages(assets: Assets): Router {
  async function serve(ctx: Context, next: Next): Promise<void> {
    const asset = await assets.find(ctx.path);
    if (asset === undefined) return next();
    ctx.status = 200;
    setHeaders(ctx, asset);
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = asset.type;
    const isPacked = asset.gzipped !== undefined && ctx.acceptsEncodings("gzip", "identity") === "gzip";
    if (isPacked) ctx.set("Content-Encoding", "gzip");
    ctx.body = isPacked ? asset.gzipped : asset.body;
  }
  const router = new Router({ sensitive: true, strict: true });
  router.get([...assetPaths, "/explorer/:file"], serve);
  return router;
}

function setHeaders(ctx: Context, { etag, isImmutable, gzipped }: Asset): void {
  ctx.set({
    ETag: etag,
    "Cache-Control": isImmutable ? `public, max-age=${immutableSeconds}, immutable` : "no-cache",
    "Content-Security-Policy": contentSecurityPolicy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    ...(gzipped === undefined ? {} : { Vary: "Accept-Encoding" }),
  });
}
