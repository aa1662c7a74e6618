import { createServer as createHttpServer } from "node:http";
import { createServer } from "@acme/contract/server";
import { nodeListener } from "ridlkit-runtime/node";
import { handlers } from "./handlers.ts";

createHttpServer(nodeListener(createServer(handlers))).listen(Number(process.env["PORT"]));
