import { createServer as createHttpServer } from "node:http";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.js";
import { handlers } from "./handlers.js";

createHttpServer(nodeListener(createServer(handlers))).listen(Number(process.env["PORT"]));
