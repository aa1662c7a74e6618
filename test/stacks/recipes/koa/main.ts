import cors from "@koa/cors";
import Router from "@koa/router";
import Koa from "koa";
import compress from "koa-compress";
import { koaMiddleware } from "ridlkit-runtime/koa";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

const router = new Router({ prefix: "/api" });
// Middleware for one method goes before the route for all.
router.post("/rpc/Pets/Rename", async (ctx, next) => {
  if (ctx.get("authorization") === "") ctx.throw(401);
  await next();
});
const path = (ctx: Koa.Context): string => ctx.path.slice("/api".length);
router.all("/rpc/{*call}", koaMiddleware(createServer(handlers), { path }));
new Koa().use(cors()).use(compress()).use(router.routes()).listen(Number(process.env["PORT"]));
