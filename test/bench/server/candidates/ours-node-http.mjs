import { createServer as createHttpServer } from "node:http";
import { nodeListener } from "../.build/runtime/v1/node-http.ts";
import { createServer } from "../.build/server/index.ts";
import { handlers } from "./handlers.mjs";
import { report } from "./report.mjs";

report(createHttpServer(nodeListener(createServer(handlers))));
