import express from "express";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

express()
  .use(nodeListener(createServer(handlers)))
  .get("/", (_req, res) => void res.send("pets"))
  .listen(Number(process.env["PORT"]));
