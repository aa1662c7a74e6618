import { createServer as createHttpServer } from "node:http";
import Koa from "koa";
import { koaMiddleware } from "ridlkit-runtime/koa";
import { createServer } from "../.build/generated/server.ts";
import { handlers } from "./handlers.mjs";
import { report } from "./report.mjs";

const app = new Koa();
app.use(koaMiddleware(createServer(handlers)));
report(createHttpServer(app.callback()));
