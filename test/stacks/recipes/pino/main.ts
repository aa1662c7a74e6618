import { createServer as createHttpServer } from "node:http";
import { pino } from "pino";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";
import { logged } from "./logged.ts";

const server = createServer(handlers, logged(pino()));
createHttpServer(nodeListener(server)).listen(Number(process.env["PORT"]));
