import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

const pets = fetchHandler(createServer(handlers));
const app = new Hono().all("/rpc/*", (c) => pets(c.req.raw)).get("/", (c) => c.text("pets"));
serve({ fetch: app.fetch, port: Number(process.env["PORT"]) });
