import type { Middleware } from "koa";
import type { ServedFile } from "../../../generator/codegen/runtime/v1/explorer-files.ts";

/** Contracts that other tools read. */
const documents = ["schema.json", "openapi.json"];

/**
 * Serves GET and HEAD of the explorer, in `/explorer/`, and its documents. Passes on other paths, which are then rejected like any path
 * without a method.
 */
export function explorerPages(explorer: ReadonlyMap<string, ServedFile>): Middleware {
  const files = new Map(explorer);
  for (const name of documents) {
    const document = explorer.get(`/explorer/${name}`);
    if (document !== undefined) files.set(`/${name}`, document);
  }
  return async (ctx, next) => {
    const file = ctx.method === "GET" || ctx.method === "HEAD" ? files.get(ctx.path) : undefined;
    if (file === undefined) return next();
    const { status, headers, body } = await file.respond((name) => ctx.get(name));
    ctx.status = status;
    ctx.set(headers);
    ctx.body = Buffer.from(body);
  };
}
