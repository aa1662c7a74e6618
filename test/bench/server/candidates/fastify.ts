/** Fastify with schemas for requests, which it checks, and for answers, which it writes by them. */
import fastify from "fastify";
import { answerGetOrders, answerIsValid, getOrders, isValid } from "../cases.ts";
import { report } from "./report.ts";
import { schemas } from "./fastify-schemas.ts";

const app = fastify();
app.post<{ Body: { input: { orderId: string }[] } }>(
  getOrders.path,
  { schema: schemas.getOrders },
  async (req) => answerGetOrders(req.body.input),
);
app.post<{ Body: { signature: string } }>(isValid.path, { schema: schemas.isValid }, async (req) =>
  answerIsValid(req.body),
);
await app.ready();
report(app.server);
