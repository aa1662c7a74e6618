import express from "express";
import { nodeListener } from "./generated/runtime/v1/node-http.ts";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

express()
  .use(nodeListener(createServer(handlers)))
  .get("/", (_req, res) => void res.send("pets"))
  .listen(Number(process.env["PORT"]));
