import { createServer as createHttpServer } from "node:http";
import { clientErrorListener, nodeListener } from "./generated/runtime/v1/node-http.ts";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

const server = createServer(handlers);
createHttpServer(nodeListener(server))
  .on("clientError", clientErrorListener(server))
  .listen(Number(process.env["PORT"]));
