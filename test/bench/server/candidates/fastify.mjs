/** Fastify with schemas: it validates requests and serializes responses by them. */
import fastify from "fastify";
import { answerGetOrders, answerIsValid, getOrders, isValid } from "../cases.ts";
import { schemas } from "./fastify-schemas.mjs";
import { report } from "./report.mjs";

const app = fastify();
app.post(getOrders.path, { schema: schemas.getOrders }, async (req) => answerGetOrders(req.body.input));
app.post(isValid.path, { schema: schemas.isValid }, async (req) => answerIsValid(req.body));
await app.ready();
report(app.server);
