import { createServer as createHttpServer } from "node:http";
import { nodeListener } from "./generated/runtime/v1/node-http.js";
import { createServer } from "./generated/server.js";
import { handlers } from "./handlers.js";

createHttpServer(nodeListener(createServer(handlers))).listen(Number(process.env["PORT"]));
