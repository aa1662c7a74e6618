import { createServer as createHttpServer } from "node:http";
import { clientErrorListener, nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

const server = createServer(handlers);
createHttpServer(nodeListener(server))
  .on("clientError", clientErrorListener(server))
  .listen(Number(process.env["PORT"]));
