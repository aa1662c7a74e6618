import { createServer as createHttpServer } from "node:http";
import { nodeListener } from "@acme/contract/runtime/v1/node-http";
import { createServer } from "@acme/contract/server";
import { handlers } from "./handlers.ts";

createHttpServer(nodeListener(createServer(handlers))).listen(Number(process.env["PORT"]));
