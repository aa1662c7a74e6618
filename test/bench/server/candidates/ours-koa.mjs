import { createServer as createHttpServer } from "node:http";
import Koa from "koa";
import { koaMiddleware } from "../.build/generated/runtime/v1/koa.ts";
import { createServer } from "../.build/generated/server.ts";
import { handlers } from "./handlers.mjs";
import { report } from "./report.mjs";

const app = new Koa();
app.use(koaMiddleware(createServer(handlers)));
report(createHttpServer(app.callback()));
