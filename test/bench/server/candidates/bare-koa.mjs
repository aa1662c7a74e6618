/** Koa's lower bound: the work of raw-node within the cheapest possible middleware. */
import { createServer as createHttpServer } from "node:http";
import Koa from "koa";
import { answerGetOrders, answerIsValid, getOrders } from "../cases.ts";
import { report } from "./report.mjs";

const app = new Koa();
app.use(
  (ctx) =>
    new Promise((resolve) => {
      const chunks = [];
      ctx.req.on("data", (chunk) => chunks.push(chunk));
      ctx.req.on("end", () => {
        const body = JSON.parse(Buffer.concat(chunks).toString());
        const reply = ctx.req.url === getOrders.path ? answerGetOrders(body.input) : answerIsValid(body);
        ctx.res.setHeader("Content-Type", "application/json");
        ctx.body = JSON.stringify(reply);
        resolve();
      });
    }),
);
report(createHttpServer(app.callback()));
