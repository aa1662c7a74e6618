/** Plain Koa for comparison: the smallest middleware that reads and writes JSON. */
import { createServer as createHttpServer } from "node:http";
import Koa from "koa";
import { answerGetOrders, answerIsValid, getOrders } from "../cases.ts";
import { report } from "./report.mjs";

const app = new Koa();
app.use(async (ctx) => {
  const chunks = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  ctx.body = ctx.path === getOrders.path ? answerGetOrders(body.input) : answerIsValid(body);
});
report(createHttpServer(app.callback()));
