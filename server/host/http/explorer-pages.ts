import Router from "@koa/router";
import type { Context, Next } from "koa";
import { assetHeaders } from "../../../generator/explorer/asset-headers.ts";
import type { Assets } from "../../../generator/explorer/assets.ts";

/** Contracts that other tools read. */
const documents = ["schema.json", "openapi.json"];

/**
 * Serves GET and HEAD of the explorer and its documents. Passes on other paths, which are then rejected like any path without a
 * method.
 */
export function explorerPages(assets: Assets): Router {
  async function serve(ctx: Context, name: string, next: Next): Promise<void> {
    const asset = await assets.find(name);
    if (asset === undefined) return next();
    ctx.status = 200;
    ctx.set(assetHeaders(asset));
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
  // Relative, for hosts behind a path.
  router.get(["/", "/explorer"], (ctx) => ctx.redirect("explorer/"));
  router.get("/explorer/", (ctx, next) => serve(ctx, "", next));
  router.get("/explorer/:file", (ctx, next) => serve(ctx, String(ctx["params"]["file"]), next));
  for (const name of documents) router.get(`/${name}`, (ctx, next) => serve(ctx, name, next));
  return router;
}
